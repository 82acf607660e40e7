// The numbers in planning that no model of the machine gives, each with its reason. All else is what costs least.
#pragma once

#include <cstdint>

namespace weir::plan {

// A piece this large is worth a call of its own on a local file system, whoever else calls: measured on ext4 and tmpfs,
// where copying such a piece once more costs more than the call.
inline constexpr std::int64_t kLargePiece = 64 << 10;

// Fewer bytes than this do not pay for one more aggregator: its messages and its wakes are not in the formulas.
inline constexpr std::int64_t kLeastShare = 64 << 10;

// The most windows of a call: every rank keeps 16 bytes for each.
inline constexpr std::int64_t kMostWindows = 1 << 22;

// Windows may grow up to this size, unless the user wished for more, to keep their number low: a bound on memory.
inline constexpr std::int64_t kMostWindow = 64 << 20;

// Messages below this size cost their latency only, so that fewer and larger ones are better even where bytes travel
// several times; and so many have to go to pay for the trades' own meetings.
inline constexpr std::int64_t kTinyMessage = 512;
inline constexpr std::int64_t kManyMessages = 8;

// A smaller parcel is not divided among local aggregators: it would be below what networks send at once.
inline constexpr std::int64_t kLeastParcel = 4096;

// Formulas are right to a quarter at best: as many aggregators as keep all nodes and servers busy were measured to be
// good, and are left only for a number that is predicted to take less than this part of their time.
inline constexpr double kClearlyLess = 0.75;

}  // namespace weir::plan
