#include "plan/fit.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::plan {

namespace {

// Windows do not get smaller than this.
constexpr std::int64_t kLeastWindow = 64 * 1024;

}  // namespace

std::int64_t window_for_messages(const Plan& plan, std::int64_t message_bytes) {
  const std::int64_t window = plan.round_size.window_bytes;
  const std::int64_t limit = plan.most_message_bytes;
  if (window <= kLeastWindow || message_bytes - limit <= limit / 8) return window;
  const auto share = static_cast<double>(limit) / static_cast<double>(message_bytes);
  return std::max(static_cast<std::int64_t>(static_cast<double>(window) * share), kLeastWindow);
}

void shrink_windows(Plan& plan, std::int64_t window_bytes) {
  plan.replaced.push_back(fmt::format("rounds of {} bytes wanted, {} used: messages of a node would exceed {} bytes",
                                      plan.round_size.window_bytes, window_bytes, plan.most_message_bytes));
  plan.round_size.window_bytes = window_bytes;
  plan.rounds = 0;
  for (const Domain& domain : plan.domains) plan.rounds = std::max(plan.rounds, round_count(domain, plan.round_size));
}

}  // namespace weir::plan
