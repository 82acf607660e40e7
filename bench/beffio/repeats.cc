#include "repeats.h"

#include <algorithm>
#include <cmath>

#include "base/bytes.h"

namespace beffio {
namespace {

constexpr std::int64_t kGrowth = 4;

}  // namespace

std::int64_t next_batch(const RepeatState& state) {
  const std::int64_t left = state.limit - state.done;
  if (state.done == 0) return std::min<std::int64_t>(1, left);
  if (left <= 0 || state.elapsed >= state.seconds) return 0;
  const double repeat_seconds = state.elapsed / static_cast<double>(state.done);
  const double fitting = std::round((state.seconds - state.elapsed) / std::max(repeat_seconds, 1e-9));
  const std::int64_t grown = std::min(kGrowth * state.last_batch, left);
  return fitting < static_cast<double>(grown) ? static_cast<std::int64_t>(fitting) : grown;
}

void Amounts::add(const Pattern& pattern, std::int64_t repeats) {
  if (pattern.units == 0) return;
  Moved& moved = moved_[pattern.chunk];
  moved.bytes += repeats * pattern.memory_bytes;
  moved.units += pattern.units;
}

std::optional<std::int64_t> Amounts::bytes_for(const Pattern& pattern) const {
  if (pattern.units == 0) return pattern.memory_bytes;
  const auto found = moved_.find(pattern.chunk);
  if (found == moved_.end()) return std::nullopt;
  const Moved& moved = found->second;
  const std::int64_t bytes = (moved.bytes * pattern.units + moved.units - 1) / moved.units;
  return std::max(pattern.memory_bytes, bytes);
}

std::optional<std::int64_t> Amounts::repeats_for(const Pattern& pattern) const {
  const auto bytes = bytes_for(pattern);
  if (!bytes) return std::nullopt;
  return *bytes / pattern.memory_bytes;
}

std::int64_t segment_bytes(std::span<const Pattern> patterns, std::span<const std::int64_t> repeats,
                           std::int64_t striping_unit) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) bytes += patterns[i].memory_bytes * repeats[i];
  return weir::round_up(weir::round_up(bytes, kMegabyte), std::max(kMegabyte, striping_unit));
}

}  // namespace beffio
