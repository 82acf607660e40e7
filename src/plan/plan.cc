#include "plan/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "plan/cost.h"
#include "plan/steps.h"
#include "plan/thresholds.h"
#include "plan/two_phase.h"

namespace weir::plan {

namespace {

// Whether the pieces are so large that every rank is best off alone.
bool large_pieces(const Facts& facts, const Totals& totals) {
  const std::int64_t mean = totals.bytes / std::max<std::int64_t>(totals.pieces, 1);
  if (facts.storage.network) return !totals.interleaved && mean >= facts.storage.lock_bytes;
  return mean >= kLargePiece;
}

// Whether writers of other nodes may hold what a rank needs to write its own.
bool takes_locks(const Facts& facts) {
  const bool locked = facts.storage.network && facts.storage.protocol != LockProtocol::kNone;
  return locked && facts.direction == Direction::kWrite && facts.machine.nodes() > 1;
}

void choose_method(const Facts& facts, const Totals& totals, Plan& plan) {
  const auto choose = [&](Method method, std::string reason) {
    plan.method = method;
    plan.reason = std::move(reason);
  };
  const bool wants_two_phase = facts.wishes.method == Method::kTwoPhase;
  if (facts.atomic || !totals.ascending) {
    if (wants_two_phase) plan.replaced.push_back("two_phase asked for, replaced by independent access");
    return choose(Method::kIndependent, facts.atomic ? "atomic mode locks every rank's bytes"
                                                     : "the pieces of some rank do not ascend in the file");
  }
  if (facts.wishes.method) return choose(*facts.wishes.method, "asked for by hint");
  if (totals.active_ranks == 1) return choose(Method::kIndependent, "only one rank has bytes to move");
  const bool large = large_pieces(facts, totals);
  if (large && !takes_locks(facts)) {
    plan.large_pieces = true;
    return choose(Method::kIndependent, "the pieces are large");
  }
  const Steps alone = independent_cost(facts, totals);
  const Steps together = predict_two_phase(facts, totals, plan);
  const bool apart = alone.total_us() <= together.total_us();
  plan.large_pieces = large && apart;
  choose(apart ? Method::kIndependent : Method::kTwoPhase,
         fmt::format("{} predicted for independent access, {} for two-phase", time_text(alone.total_us()),
                     time_text(together.total_us())));
}

std::string print_pairs(const Plan& plan) {
  if (!plan.sparse) return "sparse or dense as counted";
  std::string text = *plan.sparse ? "sparse" : "dense";
  if (plan.pairs.possible == 0) return text;
  return text + fmt::format(" ({} of {} pairs have bytes)", plan.pairs.with_bytes, plan.pairs.possible);
}

std::string print_traffic(const Traffic& traffic) {
  if (traffic.in_rank_order == 0) return {};
  return fmt::format(", about {} bytes between nodes, {} with aggregators in rank order", traffic.between_nodes,
                     traffic.in_rank_order);
}

std::string print_reason(const std::string& reason) { return reason.empty() ? "" : fmt::format(" ({})", reason); }

std::string print_merging(const Plan& plan) {
  if (plan.merging_reason.empty()) return "";
  return fmt::format("; merging {}{}", name(plan.merging), print_reason(plan.merging_reason));
}

std::string print_two_phase(const Plan& plan) {
  return fmt::format(
      "; {} aggregators [{}] ({}); {} domains ({}){}; {} rounds of {} bytes ({}), {} in flight; {} exchange ({}), {} "
      "local "
      "aggregators a node{}, {}{}",
      plan.aggregators.size(), fmt::join(plan.aggregators, " "), plan.aggregators_reason, name(plan.domain_kind),
      plan.domains_reason, print_traffic(plan.traffic), plan.rounds, plan.round_size.window_bytes, plan.window_reason,
      plan.depth, name(plan.exchange), plan.exchange_reason, plan.local_aggregators,
      print_reason(plan.local_aggregators_reason), print_pairs(plan), print_merging(plan));
}

}  // namespace

Plan make_plan(const Facts& facts, std::span<const AccessSummary> summaries) {
  const Totals totals = total_of(summaries);
  Plan plan;
  plan.direction = facts.direction;
  if (totals.refused) {
    plan.reason = "a rank's arguments were refused";
    return plan;
  }
  plan.region = totals.region;
  plan.bytes = totals.bytes;
  plan.pieces = totals.pieces;
  plan.active_ranks = totals.active_ranks;
  if (totals.bytes == 0) {
    plan.reason = "no rank has bytes to move";
    return plan;
  }
  if (totals.moved_ranks == totals.active_ranks) {
    plan.method = Method::kIndependent;
    plan.reason = "the pieces are large, as before: every rank has moved its own before meeting the others";
    plan.large_pieces = plan.moved = true;
    plan.predicted = independent_cost(facts, totals);
    return plan;
  }
  if (totals.moved_ranks > 0) {
    std::vector<AccessSummary> left(summaries.begin(), summaries.end());
    drop_moved(left);
    return make_plan(facts, left);
  }
  choose_method(facts, totals, plan);
  if (plan.method != Method::kTwoPhase) {
    plan.predicted = independent_cost(facts, totals);
    return plan;
  }
  Plan together = plan;
  plan_two_phase(facts, summaries, together);
  together.predicted = predict(facts, totals, together);
  const bool windows_too_large =
      together.round_size.window_bytes > std::max(facts.wishes.most_window_bytes, kMostWindow);
  if (!windows_too_large) return together;
  if (facts.wishes.method) plan.replaced.push_back("two_phase asked for, replaced by independent access");
  plan.method = Method::kIndependent;
  plan.reason = "the region is too large for windows";
  plan.predicted = independent_cost(facts, totals);
  return plan;
}

bool moves_ahead(const Storage& storage, bool large_pieces_before, const AccessSummary& mine) {
  return large_pieces_before && !storage.network && mine.file_pieces == 1 && mine.bytes >= kLargePiece;
}

std::optional<std::size_t> aggregator_number(const Plan& plan, int rank) {
  const auto found = std::find(plan.aggregators.begin(), plan.aggregators.end(), rank);
  if (found == plan.aggregators.end()) return std::nullopt;
  return static_cast<std::size_t>(found - plan.aggregators.begin());
}

bool meets(const AccessSummary& summary, const Domain& domain) {
  return summary.bytes > 0 && !intersection(summary.file_extent, domain.extent).empty();
}

// Domains and windows begin at multiples of the unit, blocks of cyclic domains belong to aggregators in turn, and
// prefetching sees the file in blocks.
bool moves_by(const Plan& plan, std::int64_t distance) {
  if (plan.method != Method::kTwoPhase) return true;
  const bool cyclic = plan.domain_kind == DomainKind::kStaticCyclic || plan.domain_kind == DomainKind::kGroupCyclic;
  const std::int64_t turn = cyclic ? static_cast<std::int64_t>(plan.aggregators.size()) : 1;
  if (distance % plan.round_size.unit != 0 || distance / plan.round_size.unit % turn != 0) return false;
  return plan.prefetch.max_acc == 0 || distance % plan.prefetch.block_bytes == 0;
}

Plan moved(Plan plan, std::int64_t distance) {
  const auto move = [&](Extent& extent) { extent = {extent.begin + distance, extent.end + distance}; };
  if (plan.bytes > 0) move(plan.region);
  for (Domain& domain : plan.domains) {
    move(domain.extent);
    if (domain.block_bytes > 0) domain.first_block += distance;
  }
  return plan;
}

std::string print(const Plan& plan) {
  std::string text = fmt::format("{} {}: {} bytes in {} pieces of {} ranks in [{}, {}); {}", name(plan.method),
                                 plan.direction == Direction::kRead ? "read" : "write", plan.bytes, plan.pieces,
                                 plan.active_ranks, plan.region.begin, plan.region.end, plan.reason);
  if (plan.method == Method::kTwoPhase) text += print_two_phase(plan);
  if (plan.prefetch.max_acc > 0) {
    text +=
        fmt::format("; prefetching {} blocks of {} bytes at once", plan.prefetch.max_acc, plan.prefetch.block_bytes);
  }
  for (const std::string& what : plan.replaced) text += "; " + what;
  return text;
}

std::size_t hash(const Plan& plan) { return std::hash<std::string>{}(print(plan)); }

}  // namespace weir::plan
