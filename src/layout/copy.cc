#include "layout/copy.h"

#include "layout/small_copy.h"

namespace weir::layout {

void copy_pieces(StridedBytes to, ConstStridedBytes from, std::int64_t bytes, std::int64_t count) {
  with_length(bytes, [=](auto length) {
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < count; ++i) {
      copy_bytes(to.address + i * to.stride, from.address + i * from.stride, length);
    }
  });
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
