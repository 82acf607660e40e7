#include "plan/fit.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::plan {

namespace {

// A slot holds a window, marks of an eighth of it, and no more than this beside them: header, rounding to pages.
constexpr std::int64_t kSlotOverhead = 8 * 1024;
// Rounds in flight are given up before windows get smaller than this.
constexpr std::int64_t kLeastWindow = 64 * 1024;
// What a rank tells of a window, and the unit that tables are rounded to.
constexpr std::int64_t kShareBytes = 16;
constexpr std::int64_t kLine = 64;

// The largest window of which `slots` fit; not positive when none does.
std::int64_t largest_window(std::int64_t limit_bytes, std::int64_t slots) {
  return (limit_bytes / slots - kSlotOverhead) / 9 * 8;
}

std::int64_t aggregators_of(const Plan& plan) { return static_cast<std::int64_t>(plan.aggregators.size()); }

// Whether every rank's table has room, rounded to lines. Divides: products could overflow.
bool tables_fit(const Machine& machine, const Plan& plan) {
  if (machine.table_limit_bytes == kNoLimit) return true;
  const std::int64_t lines_of_rank = machine.table_limit_bytes / kLine / std::max(machine.ranks(), 1);
  const std::int64_t shares_per_line = kLine / kShareBytes;
  return plan.rounds <= lines_of_rank * shares_per_line / std::max<std::int64_t>(aggregators_of(plan), 1);
}

}  // namespace

void fit_windows(const Machine& machine, Plan& plan) {
  if (plan.exchange != Exchange::kShared) return;
  const std::int64_t limit = machine.buffer_limit_bytes;
  const std::int64_t wanted = plan.round_size.window_bytes;
  const int wanted_depth = plan.depth;
  if (largest_window(limit, aggregators_of(plan) * plan.depth) < std::min(wanted, kLeastWindow)) plan.depth = 1;
  const std::int64_t largest = largest_window(limit, aggregators_of(plan) * plan.depth);
  plan.round_size.window_bytes = std::max<std::int64_t>(std::min(wanted, largest), 1);
  if (plan.depth == wanted_depth && plan.round_size.window_bytes == wanted) return;
  plan.replaced.push_back(fmt::format("{} rounds of {} bytes in flight wanted, {} of {} fit the memory set aside",
                                      wanted_depth, wanted, plan.depth, plan.round_size.window_bytes));
}

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

bool fits(const Machine& machine, const Plan& plan) {
  if (plan.exchange != Exchange::kShared) return true;
  return plan.round_size.window_bytes <=
             largest_window(machine.buffer_limit_bytes, aggregators_of(plan) * plan.depth) &&
         tables_fit(machine, plan);
}

}  // namespace weir::plan
