// Waiting for what weir does on its own, without calling MPI.
#pragma once

#include <time.h>

#include <functional>

namespace mpi_test {

// LOCAL. Looks again and again whether something has `happened`; false when it has not in 10 seconds.
inline bool happens_soon(const std::function<bool()>& happened) {
  for (int i = 0; i < 5000; ++i) {
    if (happened()) return true;
    constexpr timespec kNap = {0, 2 * 1000 * 1000};
    nanosleep(&kNap, nullptr);
  }
  return false;
}

}  // namespace mpi_test
