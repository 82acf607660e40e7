// Copies of a few bytes, inline: for pieces so small that a call to memcpy costs more than the bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace weir::layout {

// Four moves of kMove bytes that cover all of `bytes`: two from the front, two up to the end, with no branch.
// REQUIRES: kMove <= bytes <= 4 * kMove.
template <std::size_t kMove>
inline void copy_in_four(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::size_t second = std::min(kMove, bytes - kMove);
  const std::size_t third = bytes - kMove - second;
  std::memcpy(to, from, kMove);
  std::memcpy(to + second, from + second, kMove);
  std::memcpy(to + third, from + third, kMove);
  std::memcpy(to + (bytes - kMove), from + (bytes - kMove), kMove);
}

// Copies `bytes` bytes and touches no other. REQUIRES: bytes >= 0; the ranges do not overlap.
inline void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  if (bytes >= 16) {
    if (bytes <= 64) return copy_in_four<16>(to, from, size);
    std::memcpy(to, from, size);
    return;
  }
  if (bytes >= 4) return copy_in_four<4>(to, from, size);
  if (bytes == 0) return;
  to[0] = from[0];
  to[size / 2] = from[size / 2];
  to[size - 1] = from[size - 1];
}

// The same for a length that is known when compiling.
template <std::int64_t kBytes>
inline void copy_bytes(std::byte* to, const std::byte* from, std::integral_constant<std::int64_t, kBytes>) {
  std::memcpy(to, from, static_cast<std::size_t>(kBytes));
}

// Calls fn(length), with the common lengths of pieces as constants.
template <typename Fn>
inline void with_length(std::int64_t bytes, const Fn& fn) {
  switch (bytes) {
    case 1: return fn(std::integral_constant<std::int64_t, 1>());
    case 2: return fn(std::integral_constant<std::int64_t, 2>());
    case 4: return fn(std::integral_constant<std::int64_t, 4>());
    case 8: return fn(std::integral_constant<std::int64_t, 8>());
    case 12: return fn(std::integral_constant<std::int64_t, 12>());
    case 16: return fn(std::integral_constant<std::int64_t, 16>());
    case 24: return fn(std::integral_constant<std::int64_t, 24>());
    case 32: return fn(std::integral_constant<std::int64_t, 32>());
    case 40: return fn(std::integral_constant<std::int64_t, 40>());
    case 48: return fn(std::integral_constant<std::int64_t, 48>());
    case 64: return fn(std::integral_constant<std::int64_t, 64>());
    default: return fn(bytes);
  }
}

}  // namespace weir::layout
