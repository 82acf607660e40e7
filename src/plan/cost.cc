#include "plan/cost.h"

#include <algorithm>

namespace weir::plan {

namespace {

// Measured on Linux 6 with tmpfs and ext4: a short pread or pwrite, a byte between user memory and page cache, a byte
// between two places in memory, a piece handled by a copy kernel, a rank put to sleep and woken again.
constexpr std::int64_t kLocalCall = 700;
constexpr std::int64_t kBytesPerNanosecondFile = 4;
constexpr std::int64_t kBytesPerNanosecondCopy = 8;
constexpr std::int64_t kPiece = 4;
constexpr std::int64_t kSleep = 5'000;
// A round trip to a server, and a byte over a network of 10 Gbit/s.
constexpr std::int64_t kServerCall = 200'000;
constexpr std::int64_t kNanosecondsPerByteNetwork = 1;

// Writers of one file take turns in a local file system; readers do not, nor clients of servers.
std::int64_t parallel_calls(const Facts& facts, int callers) {
  if (facts.storage.network) return std::max(callers, 1);
  if (facts.direction == Direction::kWrite) return 1;
  return std::clamp(callers, 1, facts.machine.cores_per_node);
}

std::int64_t holes_of(const Totals& totals) { return std::max<std::int64_t>(totals.region.bytes() - totals.bytes, 0); }

// About number * part / whole, without overflow: multiples of a millionth.
std::int64_t share_of(std::int64_t number, std::int64_t part, std::int64_t whole) {
  constexpr std::int64_t kMillion = 1'000'000;
  const std::int64_t millionths = part < whole / kMillion ? 0 : part / std::max<std::int64_t>(whole / kMillion, 1);
  return number / kMillion * std::min(millionths, kMillion) +
         number % kMillion * std::min(millionths, kMillion) / kMillion;
}

}  // namespace

std::int64_t independent_cost(const Facts& facts, const Totals& totals) {
  const std::int64_t call = facts.storage.network ? kServerCall : kLocalCall;
  const std::int64_t lanes = parallel_calls(facts, totals.active_ranks);
  const std::int64_t conflicts = facts.storage.network && totals.interleaved ? 2 : 1;
  return conflicts * (totals.pieces / lanes + 1) * call + totals.bytes / kBytesPerNanosecondFile / lanes;
}

std::int64_t two_phase_cost(const Facts& facts, const Totals& totals, int aggregators, std::int64_t window_bytes) {
  const std::int64_t call = facts.storage.network ? kServerCall : kLocalCall;
  const std::int64_t lanes = parallel_calls(facts, aggregators);
  const std::int64_t cores = std::clamp(totals.active_ranks, 1, facts.machine.cores_per_node);
  const std::int64_t rounds = totals.region.bytes() / (window_bytes * std::max(aggregators, 1)) + 1;
  // Writing, only what was asked for is written: a call for each run of pieces that touch. The greater the part of the
  // region that nobody asked for, the more pieces stand alone.
  const bool writing = facts.direction == Direction::kWrite;
  const std::int64_t file_bytes = writing ? totals.bytes : totals.region.bytes();
  const std::int64_t calls_for_holes = writing ? share_of(totals.pieces, holes_of(totals), totals.region.bytes()) : 0;
  const std::int64_t file_calls = rounds * aggregators + calls_for_holes;
  const std::int64_t nodes = facts.machine.nodes();
  const std::int64_t shipped = totals.bytes / nodes * (nodes - 1) / std::max<std::int64_t>(aggregators, 1);
  return (file_calls / lanes + 1) * call + file_bytes / kBytesPerNanosecondFile / lanes +
         totals.bytes / kBytesPerNanosecondCopy / cores + totals.pieces * kPiece / cores +
         rounds * facts.machine.ranks() / nodes * kSleep / cores + shipped * kNanosecondsPerByteNetwork;
}

}  // namespace weir::plan
