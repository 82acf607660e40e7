// The form of encoded layouts. Internal to layout/.
//
// A byte says what it is. For a layout with bytes follow its first offset; its nodes, each behind its children and the
// root last; the end of nodes; and the fingerprint. A node is its kind and its numbers. A child is said as how many
// nodes back it stands, so that shared nodes come once. Numbers are varints, 7 bits a byte, low bits first; those that
// may be negative are zigzag-coded. A list is its differences, without the zero bits that all of them end with.
#pragma once

#include <cstdint>

namespace weir::layout {

enum class EncodedForm : std::uint8_t { kEmpty, kOverflowed, kNodes };

// Stands where the kind of another node would.
constexpr std::uint8_t kEndOfNodes = 0xff;

inline std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}

inline std::int64_t from_zigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1U) ^ (0 - (value & 1U)));
}

}  // namespace weir::layout
