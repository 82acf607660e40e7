#include "exec/call/scarce_new.h"

#include <cstdlib>
#include <new>

namespace weir::scarce_new {

namespace {

thread_local std::int64_t allowed = -1;
thread_local std::int64_t counted = 0;

}  // namespace

void allow(std::int64_t allocations) { allowed = allocations; }
std::int64_t count() { return counted; }

static bool may_have(std::size_t bytes) {
  if (bytes < kLarge) return true;
  ++counted;
  return allowed < 0 || allowed-- > 0;
}

}  // namespace weir::scarce_new

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return weir::scarce_new::may_have(bytes) ? std::malloc(bytes) : nullptr;
}
void* operator new(std::size_t bytes) {
  if (void* memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
