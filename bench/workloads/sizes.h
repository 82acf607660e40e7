// Arithmetic on sizes, and what to say when one does not work.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace bench {

weir::Status refused(std::string text);

// Nothing if the text is anything but a number in decimal digits, or too large for 64 bits.
std::optional<std::int64_t> whole_number(std::string_view text);

// Refuses a product that does not fit 64 bits.
weir::Result<std::int64_t> product(std::initializer_list<std::int64_t> factors, std::string_view what);

// Refuses what does not fit the int that MPI takes. `what` names it.
weir::Status fits_int(std::int64_t value, std::string_view what);

// "A or B": the multiples of `unit` on both sides of `value`, which is none itself. Only those above zero
// that fit 64 bits.
std::string nearest_multiples(std::int64_t value, std::int64_t unit);

// Refuses a number that is no positive multiple of `unit`, and names the nearest ones. `why` explains the unit.
weir::Status is_multiple(std::string_view name, std::int64_t value, std::int64_t unit, std::string_view why);

// The multiple of `step`, at least `least` (rounded up), whose cube of points of `point_bytes` is nearest to `bytes`.
std::int64_t nearest_side(std::int64_t bytes, std::int64_t point_bytes, std::int64_t step, std::int64_t least);

// The number of units, at least one, that is nearest to `bytes`.
std::int64_t nearest_count(std::int64_t bytes, std::int64_t unit_bytes);

// The three factors of `ranks` with the smallest sum, the largest first.
std::array<int, 3> grid_of(int ranks);

}  // namespace bench
