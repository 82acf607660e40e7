// Extent: a half-open range of bytes. All offsets and byte counts in weir are 64-bit.
#pragma once

#include <algorithm>
#include <cstdint>

namespace weir {

enum class Direction : std::uint8_t { kRead, kWrite };

// The bytes [begin, end). Empty when end <= begin.
struct Extent {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t bytes() const { return std::max<std::int64_t>(end - begin, 0); }
  bool empty() const { return end <= begin; }
  bool contains(std::int64_t offset) const { return begin <= offset && offset < end; }
  bool operator==(const Extent&) const = default;
};

inline Extent intersection(Extent a, Extent b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

// The smallest extent that holds both; an empty one adds nothing.
inline Extent hull(Extent a, Extent b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

}  // namespace weir
