// Reduction: how the numbers of several ranks become one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace weir::comm {

enum class Reduction : std::uint8_t { kMin, kMax, kSum };

// Sums wrap around.
inline std::int64_t combine(Reduction reduction, std::int64_t a, std::int64_t b) {
  switch (reduction) {
    case Reduction::kMin: return std::min(a, b);
    case Reduction::kMax: return std::max(a, b);
    case Reduction::kSum: break;
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// One rank's view of the numbers of all.
struct Scan {
  std::int64_t before = 0;  // of all lower ranks
  std::int64_t total = 0;
};

// Combined with any number, that number.
inline std::int64_t neutral(Reduction reduction) {
  switch (reduction) {
    case Reduction::kMin: return std::numeric_limits<std::int64_t>::max();
    case Reduction::kMax: return std::numeric_limits<std::int64_t>::min();
    case Reduction::kSum: break;
  }
  return 0;
}

// Number by number. REQUIRES as many in both.
inline void combine_into(Reduction reduction, std::span<std::int64_t> into, std::span<const std::int64_t> from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = combine(reduction, into[i], from[i]);
}

}  // namespace weir::comm
