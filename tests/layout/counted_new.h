// Linked into a test program, counts what operator new hands out. For one thread.
#pragma once

#include <cstddef>

namespace weir::counted_new {

extern std::size_t allocation_count;
extern std::size_t allocated_bytes;

}  // namespace weir::counted_new
