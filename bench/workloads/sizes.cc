#include "workloads/sizes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace bench {

weir::Status refused(std::string text) { return {weir::ErrorClass::kArgument, std::move(text)}; }

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

weir::Result<std::int64_t> product(std::initializer_list<std::int64_t> factors, std::string_view what) {
  std::int64_t result = 1;
  for (const std::int64_t factor : factors) {
    if (__builtin_mul_overflow(result, factor, &result)) return refused(std::string(what) + " is too large");
  }
  return result;
}

weir::Status fits_int(std::int64_t value, std::string_view what) {
  if (value <= std::numeric_limits<int>::max()) return {};
  return refused(std::string(what) + " (" + std::to_string(value) + ") is too large for MPI's int: use a smaller size");
}

std::string nearest_multiples(std::int64_t value, std::int64_t unit) {
  const std::int64_t below = value / unit * unit;
  std::int64_t above = 0;
  if (__builtin_add_overflow(below, unit, &above)) return std::to_string(below);
  return below > 0 ? std::to_string(below) + " or " + std::to_string(above) : std::to_string(above);
}

weir::Status is_multiple(std::string_view name, std::int64_t value, std::int64_t unit, std::string_view why) {
  if (value > 0 && value % unit == 0) return {};
  return refused(std::string(name) + " " + std::to_string(value) + " is not a multiple of " + std::to_string(unit) +
                 " (" + std::string(why) + "): use " + nearest_multiples(value, unit));
}

std::int64_t nearest_side(std::int64_t bytes, std::int64_t point_bytes, std::int64_t step, std::int64_t least) {
  const auto wished = static_cast<double>(bytes);
  const auto distance = [&](std::int64_t side) {
    return std::abs(std::pow(static_cast<double>(side), 3) * static_cast<double>(point_bytes) - wished);
  };
  const std::int64_t smallest = (std::max<std::int64_t>(least, 1) + step - 1) / step * step;
  const auto real = static_cast<std::int64_t>(std::cbrt(wished / static_cast<double>(point_bytes)));
  const std::int64_t below = std::max(smallest, real / step * step);
  return distance(below + step) < distance(below) ? below + step : below;
}

std::int64_t nearest_count(std::int64_t bytes, std::int64_t unit_bytes) {
  return std::max<std::int64_t>(1, bytes / unit_bytes + (bytes % unit_bytes * 2 >= unit_bytes ? 1 : 0));
}

std::array<int, 3> grid_of(int ranks) {
  std::array<int, 3> best = {ranks, 1, 1};
  for (int last = 1; last * last * last <= ranks; ++last) {
    if (ranks % last != 0) continue;
    const int rest = ranks / last;
    for (int middle = last; middle * middle <= rest; ++middle) {
      if (rest % middle != 0) continue;
      const std::array<int, 3> grid = {rest / middle, middle, last};
      if (grid[0] + grid[1] + grid[2] < best[0] + best[1] + best[2]) best = grid;
    }
  }
  return best;
}

}  // namespace bench
