#include "workloads/program/ending.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

namespace bench {

Ending::Ending(std::vector<std::string> files) : files_(std::move(files)) {}

void Ending::end_job(std::string_view message) {
  constexpr unsigned kPatienceSeconds = 10;
  // MPICH's launcher drops what it has not read yet when a rank aborts.
  constexpr std::chrono::milliseconds kTimeToBeRead{300};
  if (std::atomic_ref(claimed_.get()).exchange(1) != 0) {
    ::sleep(kPatienceSeconds);  // the rank that speaks ends this one too
  } else {
    for (const std::string& file : files_) ::unlink(file.c_str());
    std::fprintf(stderr, "workloads: %.*s\n", static_cast<int>(message.size()), message.data());
    std::this_thread::sleep_for(kTimeToBeRead);
  }
  MPI_Abort(MPI_COMM_WORLD, kExitFailed);
  std::abort();
}

}  // namespace bench
