// Linked into a test program, lets large allocations of a thread fail on request.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::scarce_new {

// What counts as large: tables of a plan with many rounds do, a few words do not.
inline constexpr std::size_t kLarge = 1 << 10;

// How many large allocations of this thread go well before one fails. Negative: all do.
void allow(std::int64_t allocations);
// The large allocations of this thread so far.
std::int64_t count();

}  // namespace weir::scarce_new
