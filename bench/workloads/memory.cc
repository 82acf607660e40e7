#include "workloads/memory.h"

#include <algorithm>
#include <new>
#include <utility>

namespace bench {
namespace {

std::byte* checked(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return static_cast<std::byte*>(block);
}

}  // namespace

Memory::Memory(Block block, std::int64_t begin, std::int64_t bytes)
    : block_(std::move(block)), bytes_(block_.get() + begin, static_cast<std::size_t>(bytes)) {
  std::ranges::fill(bytes_, std::byte{});
}

Memory Memory::as_programs_have(std::int64_t bytes) {
  const auto room = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  return {Block(checked(std::malloc(room))), 0, bytes};
}

Memory Memory::placed_apart(std::int64_t bytes, std::int64_t file_offset) {
  const std::int64_t begin = (file_offset + kApartBytes) % kPageBytes;
  const std::int64_t pages = (begin + bytes) / kPageBytes + 1;
  void* block = std::aligned_alloc(kPageBytes, static_cast<std::size_t>(pages * kPageBytes));
  return {Block(checked(block)), begin, bytes};
}

}  // namespace bench
