#include "layout/counted_new.h"

#include <cstdlib>
#include <new>

namespace weir::counted_new {

std::atomic<std::size_t> allocation_count = 0;
std::atomic<std::size_t> allocated_bytes = 0;

}  // namespace weir::counted_new

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  weir::counted_new::allocation_count.fetch_add(1, std::memory_order_relaxed);
  weir::counted_new::allocated_bytes.fetch_add(bytes, std::memory_order_relaxed);
  return std::malloc(bytes);
}
void* operator new(std::size_t bytes) {
  if (void* memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
