#include "scale/allocations.h"

#include <cstdlib>
#include <new>

namespace weir::scale {

namespace {

thread_local Allocations of_thread;

}  // namespace

Allocations allocations_of_thread() { return of_thread; }

static void* allocate(std::size_t bytes) {
  ++of_thread.count;
  of_thread.bytes += static_cast<std::int64_t>(bytes);
  return std::malloc(bytes);
}

}  // namespace weir::scale

void* operator new(std::size_t bytes) {
  void* memory = weir::scale::allocate(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
