#include "plan/two_phase.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "plan/cost.h"
#include "plan/exchange.h"
#include "plan/local_aggregators.h"
#include "plan/merging.h"
#include "plan/thresholds.h"
#include "plan/windows.h"

namespace weir::plan {

namespace {

bool is_cyclic(DomainKind kind) { return kind == DomainKind::kStaticCyclic || kind == DomainKind::kGroupCyclic; }

// A number that the kind of domains can use.
int usable_aggregators(const Facts& facts, DomainKind kind, int wanted) {
  const int servers = facts.storage.servers;
  if (kind == DomainKind::kGroupCyclic && wanted > servers) return wanted / servers * servers;
  if (is_cyclic(kind) && !facts.wishes.aggregators) return fit_to_servers(wanted, servers);
  return wanted;
}

TwoPhaseShape shape_with(const Facts& facts, const Plan& plan, DomainKind kind, int aggregators) {
  TwoPhaseShape shape{kind, usable_aggregators(facts, kind, aggregators)};
  shape.window_bytes = window_bytes(facts, totals_of(plan), shape);
  return shape;
}

// The most aggregators that have something to do.
int most_aggregators(const Facts& facts, const Plan& plan) {
  return static_cast<int>(std::min<std::int64_t>(facts.machine.ranks(), plan.region.bytes() / kLeastShare + 1));
}

// One for each node and for each server: links and servers are all busy then.
int usual_aggregators(const Facts& facts, const Plan& plan) {
  return std::min(most_aggregators(facts, plan), std::max(facts.machine.nodes(), facts.storage.servers));
}

struct DomainCost {
  DomainKind kind = DomainKind::kEven;
  double us = 0;
};

// What access would take with each kind of domains; those that suit the locks best first, where costs are equal.
std::vector<DomainCost> costs_of_domains(const Facts& facts, const Plan& plan) {
  constexpr DomainKind kContiguousFirst[] = {DomainKind::kAligned, DomainKind::kEven, DomainKind::kGroupCyclic,
                                             DomainKind::kStaticCyclic};
  constexpr DomainKind kCyclicFirst[] = {DomainKind::kGroupCyclic, DomainKind::kStaticCyclic, DomainKind::kAligned,
                                         DomainKind::kEven};
  const bool writing = facts.direction == Direction::kWrite;
  const bool cyclic_first = writing && facts.storage.protocol == LockProtocol::kServer;
  const int aggregators = facts.wishes.aggregators.value_or(usual_aggregators(facts, plan));
  std::vector<DomainCost> costs;
  for (const DomainKind kind : cyclic_first ? kCyclicFirst : kContiguousFirst) {
    const TwoPhaseShape shape = shape_with(facts, plan, kind, std::max(aggregators, 1));
    costs.push_back({kind, two_phase_cost(facts, totals_of(plan), shape).total_us()});
  }
  std::ranges::stable_sort(costs, {}, &DomainCost::us);
  return costs;
}

std::string print_costs(const std::vector<DomainCost>& costs) {
  std::vector<std::string> texts;
  for (const DomainCost& cost : costs) texts.push_back(fmt::format("{} {}", name(cost.kind), time_text(cost.us)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void choose_domains(const Facts& facts, Plan& plan) {
  const bool writing = facts.direction == Direction::kWrite;
  if (facts.wishes.domains) {
    plan.domain_kind = *facts.wishes.domains;
    plan.domains_reason = "asked for by hint";
  } else if (facts.storage.network) {
    const std::vector<DomainCost> costs = costs_of_domains(facts, plan);
    plan.domain_kind = costs.front().kind;
    plan.domains_reason = "predicted: " + print_costs(costs);
  } else if (!writing || facts.machine.nodes() == 1) {
    plan.domain_kind = DomainKind::kEven;
    plan.domains_reason = "no locks to keep to";
  } else {
    plan.domain_kind = DomainKind::kAligned;
    plan.domains_reason = fmt::format("no two aggregators share {} bytes", facts.storage.lock_bytes);
  }
}

void choose_aggregators(const Facts& facts, Plan& plan) {
  int wanted = facts.wishes.aggregators.value_or(0);
  plan.aggregators_reason = "asked for by hint";
  if (wanted == 0) wanted = default_aggregators(facts, plan, plan.aggregators_reason);
  plan.aggregators = place_aggregators(usable_aggregators(facts, plan.domain_kind, wanted), facts.machine.node_of,
                                       facts.machine.most_per_node);
  const auto placed = static_cast<int>(plan.aggregators.size());
  const int usable = usable_aggregators(facts, plan.domain_kind, placed);
  plan.aggregators.resize(static_cast<std::size_t>(usable));
  if (facts.wishes.aggregators && usable != *facts.wishes.aggregators) {
    plan.replaced.push_back(fmt::format(
        "{} aggregators asked for, {} can be had with {} ranks, {} domains and {} servers", *facts.wishes.aggregators,
        usable, facts.machine.ranks(), name(plan.domain_kind), facts.storage.servers));
  }
}

// Trades end with as many aggregators as the greatest power of two of parties, each with the chunk at its bit-reversed
// position.
void set_pairwise_aggregators(const Facts& facts, Plan& plan) {
  const std::vector<int> parties = parties_of(plan);
  const auto count = std::bit_floor(static_cast<unsigned>(parties.size()));
  const int bits = std::countr_zero(count);
  plan.aggregators.clear();
  for (unsigned chunk = 0; chunk < count; ++chunk) {
    unsigned party = 0;
    for (int bit = 0; bit < bits; ++bit) party |= (chunk >> bit & 1U) << (bits - 1 - bit);
    plan.aggregators.push_back(parties[party]);
  }
  if (facts.wishes.aggregators && *facts.wishes.aggregators != static_cast<int>(count)) {
    plan.replaced.push_back(
        fmt::format("{} aggregators asked for, pairwise exchange has {}", *facts.wishes.aggregators, count));
  }
  if (plan.domain_kind == DomainKind::kGroupCyclic) {
    plan.domain_kind = DomainKind::kStaticCyclic;
    if (facts.wishes.domains) {
      plan.replaced.push_back("group_cyclic domains asked for, pairwise exchange has static_cyclic ones");
    } else {
      plan.domains_reason = "pairwise exchange has no groups of servers";
    }
  }
  plan.aggregators_reason = fmt::format("pairwise exchange ends on every {} of the greatest power of two",
                                        plan.in_memory ? "local aggregator" : "rank");
}

// Which aggregator owns which domain. Cyclic domains belong to aggregators by their numbers, in every call; trades end
// with chunks in an order of their own.
void choose_owners(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  if (facts.machine.nodes() == 1) return;
  const LocalityInput input{summaries, facts.machine.node_of, plan.domains};
  if (is_cyclic(plan.domain_kind) || plan.exchange == Exchange::kPairwise) {
    const std::int64_t bytes = between_nodes(input, plan.aggregators);
    plan.traffic = {bytes, bytes};
  } else {
    plan.traffic = bring_domains_home(input, plan.aggregators);
  }
}

void choose_rounds(const Facts& facts, Plan& plan) {
  const auto aggregators = static_cast<std::int64_t>(plan.aggregators.size());
  const TwoPhaseShape shape{plan.domain_kind, static_cast<int>(aggregators)};
  plan.round_size = {window_bytes(facts, totals_of(plan), shape),
                     plan.domain_kind == DomainKind::kEven ? 1 : facts.storage.lock_bytes};
  plan.window_reason = window_reason(facts, totals_of(plan), shape);
  plan.depth = rounds_in_flight(facts);
  plan.most_message_bytes = std::max<std::int64_t>(facts.wishes.most_window_bytes, 1);
  const std::int64_t least_window = plan.region.bytes() / (kMostWindows / aggregators + 1) + 1;
  if (plan.round_size.window_bytes < least_window) {
    plan.replaced.push_back(fmt::format("cb_buffer_size {} asked for, {} used: there would be too many rounds",
                                        plan.round_size.window_bytes, least_window));
    plan.round_size.window_bytes = least_window;
  }
  plan.rounds = 0;
  for (const Domain& domain : plan.domains) plan.rounds = std::max(plan.rounds, round_count(domain, plan.round_size));
}

// The usual number, or one that is predicted to take clearly less.
int cheapest_aggregators(const Facts& facts, const Plan& plan, std::string& reason) {
  const int nodes = facts.machine.nodes();
  const int usual = usual_aggregators(facts, plan);
  const auto cost = [&](int aggregators) {
    const TwoPhaseShape shape = shape_with(facts, plan, plan.domain_kind, aggregators);
    return two_phase_cost(facts, totals_of(plan), shape).total_us();
  };
  reason = fmt::format("{} nodes, {} servers", nodes, facts.storage.servers);
  const double usual_cost = cost(usual);
  int best = usual;
  double least = usual_cost;
  for (const int other : {nodes, facts.storage.servers}) {
    const int tried = std::clamp(other, 1, most_aggregators(facts, plan));
    const double took = cost(tried);
    if (took >= least) continue;
    least = took;
    best = tried;
  }
  if (least >= kClearlyLess * usual_cost) return usual;
  reason += fmt::format("; predicted: {} with {}, {} with {}", time_text(least), best, time_text(usual_cost), usual);
  return best;
}

}  // namespace

Totals totals_of(const Plan& plan) {
  Totals totals;
  totals.region = plan.region;
  totals.bytes = plan.bytes;
  totals.pieces = plan.pieces;
  totals.active_ranks = plan.active_ranks;
  return totals;
}

int default_aggregators(const Facts& facts, const Plan& plan, std::string& reason) {
  const Machine& machine = facts.machine;
  if (facts.storage.network || machine.nodes() > 1) return cheapest_aggregators(facts, plan, reason);
  if (facts.direction == Direction::kWrite) {
    reason = "a local file system takes one write to a file at a time";
    return 1;
  }
  reason = fmt::format("{} cores", machine.cores_per_node);
  return std::min(most_aggregators(facts, plan), machine.cores_per_node);
}

Steps predict_two_phase(const Facts& facts, const Totals& totals, const Plan& plan) {
  Plan trial = plan;
  choose_domains(facts, trial);
  std::string reason;
  const int aggregators = facts.wishes.aggregators.value_or(default_aggregators(facts, trial, reason));
  return two_phase_cost(facts, totals, shape_with(facts, trial, trial.domain_kind, aggregators));
}

Steps predict(const Facts& facts, const Totals& totals, const Plan& plan) {
  return two_phase_cost(facts, totals,
                        {plan.domain_kind, static_cast<int>(plan.aggregators.size()), plan.round_size.window_bytes,
                         plan.local_aggregators});
}

void plan_two_phase(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  choose_domains(facts, plan);
  choose_exchange(facts, summaries, plan);
  if (plan.exchange == Exchange::kPairwise) {
    choose_local_aggregators(facts, summaries, plan);
    set_pairwise_aggregators(facts, plan);
  } else {
    choose_aggregators(facts, plan);
  }
  plan.domains = make_domains({plan.domain_kind, plan.region, static_cast<int>(plan.aggregators.size()),
                               facts.storage.lock_bytes, facts.storage.servers});
  choose_owners(facts, summaries, plan);
  choose_rounds(facts, plan);
  if (facts.direction == Direction::kRead) plan.prefetch = {facts.wishes.max_acc, facts.storage.lock_bytes};
  if (plan.exchange != Exchange::kPairwise) choose_local_aggregators(facts, summaries, plan);
  choose_merging(facts, summaries, plan);
  plan.sparse = facts.wishes.sparse;
  plan.replaced.insert(plan.replaced.end(), facts.wishes.unreadable.begin(), facts.wishes.unreadable.end());
}

}  // namespace weir::plan
