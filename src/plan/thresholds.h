// The numbers in planning that no model of the machine gives, each with its reason. All else is what costs least.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::plan {

// A piece this large is worth a call of its own on a local file system, whoever else calls: measured on ext4 and tmpfs,
// where copying such a piece once more costs more than the call.
inline constexpr std::int64_t kLargePiece = 64 << 10;

// Fewer bytes than this do not pay for one more aggregator: its messages and its wakes are not in the formulas.
inline constexpr std::int64_t kLeastShare = 64 << 10;

// Ranks of one node meet in windows that stay in its caches, whose sizes no model has; the more ranks have to be woken,
// the larger. 1 to 4 MiB were measured to be best with 4 to 64 ranks.
inline constexpr std::int64_t kLeastNodeWindow = 1 << 20;
inline constexpr std::int64_t kNodeWindowPerRank = 128 << 10;
inline constexpr std::int64_t kMostNodeWindow = 4 << 20;

// Across a network a call has at least so many rounds where domains allow it: with fewer, the first exchange and the
// last file access, which nothing overlaps, are most of it. And a window is no smaller than what networks and servers
// take at once: what a message to every aggregator costs beside its time on the way is not in the formulas.
inline constexpr std::int64_t kLeastRounds = 4;
inline constexpr std::int64_t kLeastNetworkWindow = 512 << 10;

// Clients that each write on where they ended make a server seek only if there are more of them than it keeps apart:
// assumed, as in the simulation.
inline constexpr double kStreamsOfServer = 16;

// So many windows are told of, the cheapest first.
inline constexpr std::size_t kMostWindowsTold = 3;

// Rounds in flight. By formulas two are enough for any two stages to overlap; between nodes more even out rounds that
// take longer than others, which formulas do not know of: measured on CephFS, four nodes.
inline constexpr int kRoundsInFlight = 2;
inline constexpr int kNetworkRoundsInFlight = 4;

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

// Pieces of an irregular request that an entry of its list stands for, about: counted on E3SM F. Summaries tell pieces,
// not how they are described.
inline constexpr double kPiecesOfEntry = 4;

// Formulas are right to a quarter at best: as many aggregators as keep all nodes and servers busy were measured to be
// good, and are left only for a number that is predicted to take less than this part of their time.
inline constexpr double kClearlyLess = 0.75;

}  // namespace weir::plan
