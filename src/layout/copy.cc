#include "layout/copy.h"

#include <cstring>

namespace weir::layout {
namespace {

// The length is a constant, so that each memcpy is one load and one store.
template <std::size_t kBytes>
void copy_fixed(StridedBytes to, ConstStridedBytes from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to.address + i * to.stride, from.address + i * from.stride, kBytes);
  }
}

void copy_any(StridedBytes to, ConstStridedBytes from, std::size_t bytes, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to.address + i * to.stride, from.address + i * from.stride, bytes);
  }
}

}  // namespace

void copy_pieces(StridedBytes to, ConstStridedBytes from, std::int64_t bytes, std::int64_t count) {
  switch (bytes) {
    case 1: return copy_fixed<1>(to, from, count);
    case 2: return copy_fixed<2>(to, from, count);
    case 4: return copy_fixed<4>(to, from, count);
    case 8: return copy_fixed<8>(to, from, count);
    case 16: return copy_fixed<16>(to, from, count);
    default: return copy_any(to, from, static_cast<std::size_t>(bytes), count);
  }
}

std::int64_t transfer(Direction direction, std::byte* base, Cursor& memory, std::span<std::byte> buffer) {
  const auto capacity = static_cast<std::int64_t>(buffer.size());
  std::int64_t done = 0;
  while (done < capacity && !memory.at_end()) {
    const Run run = memory.next_run(capacity - done);
    std::byte* const scattered = base + run.offset;
    std::byte* const packed = buffer.data() + done;
    if (direction == Direction::kWrite) {
      copy_pieces({packed, run.length}, {scattered, run.stride}, run.length, run.count);
    } else {
      copy_pieces({scattered, run.stride}, {packed, run.length}, run.length, run.count);
    }
    done += run.bytes();
  }
  return done;
}

}  // namespace weir::layout
