// Linked into a program, counts what operator new hands out to each thread.
#pragma once

#include <cstdint>

namespace weir::scale {

struct Allocations {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
};

// LOCAL: of the calling thread so far.
Allocations allocations_of_thread();

}  // namespace weir::scale
