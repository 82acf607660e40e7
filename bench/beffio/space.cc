#include "space.h"

#include <algorithm>
#include <numeric>

#include "repeats.h"

namespace beffio {
namespace {

std::int64_t least_of_rank(std::span<const Pattern> patterns) {
  Amounts amounts;
  for (const Pattern& pattern : patterns) {
    if (!is_size_driven(pattern.type)) amounts.add(pattern, 1);
  }
  std::int64_t bytes = 0;
  for (const Pattern& pattern : patterns) {
    const auto follows = is_size_driven(pattern.type) ? amounts.bytes_for(pattern) : std::nullopt;
    bytes += follows.value_or(pattern.memory_bytes);
  }
  return bytes;
}

}  // namespace

Space::Space(std::int64_t bytes, std::span<const int> ranks, std::span<const Pattern> patterns)
    : bytes_(bytes),
      ranks_(std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0})),
      partitions_(static_cast<std::int64_t>(ranks.size())),
      least_of_rank_(least_of_rank(patterns)) {
  for (const Pattern& pattern : patterns) units_ += pattern.units;
}

std::int64_t Space::bytes_of_unit(int ranks) const {
  return std::max<std::int64_t>(0, bytes_ - least_bytes()) / (partitions_ * ranks * units_);
}

std::int64_t repeats_within(std::int64_t bytes_of_unit, const Pattern& pattern) {
  return 1 + bytes_of_unit * pattern.units / pattern.memory_bytes;
}

}  // namespace beffio
