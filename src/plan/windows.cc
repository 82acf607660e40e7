#include "plan/windows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/bytes.h"
#include "plan/steps.h"
#include "plan/thresholds.h"

namespace weir::plan {

namespace {

bool stays_inside(const Facts& facts) { return !facts.storage.network && facts.machine.nodes() == 1; }

std::int64_t cached_window(const Facts& facts) {
  const std::int64_t wanted = kNodeWindowPerRank * facts.machine.ranks();
  return std::min(facts.wishes.most_window_bytes, std::clamp(wanted, kLeastNodeWindow, kMostNodeWindow));
}

struct WindowCost {
  std::int64_t bytes = 0;
  double us = 0;
};

// Windows that leave rounds to overlap, the cheapest first, of equal ones the largest: powers of two, which divide the
// blocks of cyclic domains, or they them.
std::vector<WindowCost> costs_of_windows(const Facts& facts, const Totals& totals, TwoPhaseShape shape) {
  const std::int64_t most = std::max<std::int64_t>(facts.wishes.most_window_bytes, 1);
  const std::int64_t share =
      std::clamp<std::int64_t>(totals.region.bytes() / shape.aggregators / kLeastRounds, 1, most);
  const auto largest = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(share)));
  std::vector<WindowCost> costs;
  for (std::int64_t bytes = largest; costs.empty() || bytes >= kLeastNetworkWindow; bytes /= 2) {
    shape.window_bytes = std::min(std::max(bytes, kLeastNetworkWindow), most);
    costs.push_back({shape.window_bytes, two_phase_cost(facts, totals, shape).total_us()});
  }
  std::ranges::stable_sort(costs, {}, &WindowCost::us);
  return costs;
}

}  // namespace

std::int64_t window_bytes(const Facts& facts, const Totals& totals, const TwoPhaseShape& shape) {
  std::int64_t bytes = facts.wishes.most_window_bytes;
  if (stays_inside(facts)) {
    bytes = cached_window(facts);
  } else if (!facts.wishes.window_asked) {
    bytes = costs_of_windows(facts, totals, shape).front().bytes;
  }
  return std::max<std::int64_t>(bytes, 1);
}

std::string window_reason(const Facts& facts, const Totals& totals, const TwoPhaseShape& shape) {
  const bool cached = stays_inside(facts) && cached_window(facts) < facts.wishes.most_window_bytes;
  if (cached) return "as large as caches hold";
  if (stays_inside(facts) || facts.wishes.window_asked) return "asked for by hint";
  const std::vector<WindowCost> costs = costs_of_windows(facts, totals, shape);
  if (costs.size() == 1) return "smaller ones do not pay for their messages";
  std::vector<std::string> texts;
  for (const WindowCost& cost : costs) {
    if (texts.size() == kMostWindowsTold) break;
    texts.push_back(fmt::format("{} {}", bytes_text(cost.bytes), time_text(cost.us)));
  }
  return fmt::format("predicted: {}", fmt::join(texts, ", "));
}

int rounds_in_flight(const Facts& facts) {
  return facts.wishes.depth.value_or(stays_inside(facts) ? kRoundsInFlight : kNetworkRoundsInFlight);
}

}  // namespace weir::plan
