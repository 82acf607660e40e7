#include "plan/windows.h"

#include <algorithm>
#include <bit>

namespace weir::plan {

namespace {

constexpr std::int64_t kKiB = 1024;
// Ranks of one node meet in windows that stay in its caches; the more ranks have to be woken, the larger.
constexpr std::int64_t kLeastNodeWindow = 1024 * kKiB;
constexpr std::int64_t kNodeWindowPerRank = 128 * kKiB;
constexpr std::int64_t kMostNodeWindow = 4096 * kKiB;
// Across a network a call has at least this many rounds, at most twice as many; but a window is no smaller than what
// pays for a message to every aggregator and a request to a server.
constexpr std::int64_t kOverlappingRounds = 4;
constexpr std::int64_t kLeastNetworkWindow = 512 * kKiB;
constexpr int kRoundsInFlight = 2;
constexpr int kNetworkRoundsInFlight = 4;

bool stays_inside(const Facts& facts) { return !facts.storage.network && facts.machine.nodes() == 1; }

// A power of two: it divides the blocks of cyclic domains, or they it.
std::int64_t overlapping_window(std::int64_t domain_bytes) {
  const std::int64_t share = std::max<std::int64_t>(domain_bytes / kOverlappingRounds, 1);
  return std::max(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(share))), kLeastNetworkWindow);
}

}  // namespace

std::int64_t window_bytes(const Facts& facts, std::int64_t domain_bytes) {
  std::int64_t window = facts.wishes.most_window_bytes;
  if (stays_inside(facts)) {
    const std::int64_t wanted = kNodeWindowPerRank * facts.machine.ranks();
    window = std::min(window, std::clamp(wanted, kLeastNodeWindow, kMostNodeWindow));
  } else if (!facts.wishes.window_asked) {
    window = std::min(window, overlapping_window(domain_bytes));
  }
  return std::max<std::int64_t>(window, 1);
}

int rounds_in_flight(const Facts& facts) {
  return facts.wishes.depth.value_or(stays_inside(facts) ? kRoundsInFlight : kNetworkRoundsInFlight);
}

}  // namespace weir::plan
