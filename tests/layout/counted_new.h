// Linked into a test program, counts what operator new hands out, on all threads.
#pragma once

#include <atomic>
#include <cstddef>

namespace weir::counted_new {

extern std::atomic<std::size_t> allocation_count;
extern std::atomic<std::size_t> allocated_bytes;

}  // namespace weir::counted_new
