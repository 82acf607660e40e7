#include "plan/local_aggregators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "plan/aggregators.h"
#include "plan/cost.h"
#include "plan/exchange.h"
#include "plan/steps.h"
#include "plan/thresholds.h"

namespace weir::plan {

namespace {

// What falls as 1 / count.
double sending(const NodeTraffic& traffic) {
  return static_cast<double>(traffic.bytes) / std::min(traffic.network.core_mb_s, traffic.network.link_mb_s);
}
// What grows with count.
double receiving(const NodeTraffic& traffic, double count) {
  const double messages = (traffic.nodes - 1) * count;
  const double merging = static_cast<double>(traffic.pieces) * traffic.piece_us / std::max(traffic.ranks_per_node, 1);
  return messages * (traffic.network.receive_us + traffic.network.waiting_us * messages / 2) + merging * count;
}

// What falls as 1 / count, and by a step of each merge more: O(n log k) for n entries of k ranks.
double merging_lists(const NodeTraffic& traffic, double count) {
  const double entries = static_cast<double>(traffic.listed) / kPiecesOfEntry / count;
  const double ranks = std::max(2.0 * traffic.ranks_per_node / count, 1.0);  // each serves two at least
  return entries * traffic.piece_us * std::log2(ranks) / static_cast<double>(std::max<std::int64_t>(traffic.rounds, 1));
}

// Whether most ranks ask for something of another structure than the one before: they have lists, no common pattern.
bool irregular(std::span<const AccessSummary> summaries) {
  std::int64_t active = 0;
  std::int64_t changes = 0;
  std::uint64_t last = 0;
  for (const AccessSummary& each : summaries) {
    if (each.bytes == 0) continue;
    ++active;
    if (each.structure != last) ++changes;
    last = each.structure;
  }
  return 2 * changes > active && active > 1;
}

NodeTraffic traffic_of(const Facts& facts, std::span<const AccessSummary> summaries, const Plan& plan) {
  const auto aggregators = static_cast<std::int64_t>(plan.aggregators.size());
  NodeTraffic traffic;
  traffic.ranks_per_node = (largest_group(plan.sharing_of.all()) + 1) / 2;  // each serves two
  traffic.cores_per_node = facts.machine.cores_per_node;
  traffic.nodes = group_count(plan.sharing_of.all());
  traffic.parcels = aggregators - aggregators / traffic.nodes;
  traffic.bytes = plan.traffic.between_nodes / (plan.rounds * traffic.nodes);
  traffic.rounds = plan.rounds;
  if (facts.wishes.merging != false) {
    traffic.pieces = plan.pieces / (plan.rounds * aggregators);
    if (irregular(summaries)) traffic.listed = plan.pieces / plan.active_ranks * largest_group(plan.sharing_of.all());
  }
  const model::MachineModel machine = model_of(facts);
  traffic.network = machine.network;
  traffic.piece_us = machine.memory.piece_us;
  return traffic;
}

int wished(int wanted, Plan& plan) {
  const int used = std::min(wanted, largest_group(plan.sharing_of.all()));
  if (used < wanted) {
    plan.replaced.push_back(
        fmt::format("{} local aggregators a node asked for, {} used: no node has more ranks", wanted, used));
  }
  return used;
}

int cheapest(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  const NodeTraffic traffic = traffic_of(facts, summaries, plan);
  if (traffic.nodes == 1) return 1;
  const int count = cheapest_local_aggregators(traffic);
  const auto cost = [&](int number) { return time_text(local_aggregators_cost(traffic, number)); };
  plan.local_aggregators_reason =
      fmt::format("{} a round leave a node for {} aggregators on {} other nodes; predicted: {} with {}, {} with {}",
                  bytes_text(traffic.bytes), traffic.parcels, traffic.nodes - 1, cost(count), count,
                  cost(count == 1 ? 2 : 1), count == 1 ? 2 : 1);
  return count;
}

}  // namespace

double local_aggregators_cost(const NodeTraffic& traffic, std::int64_t count) {
  const auto number = static_cast<double>(count);
  return sending(traffic) / number + receiving(traffic, number) + merging_lists(traffic, number);
}

int cheapest_local_aggregators(const NodeTraffic& traffic) {
  const std::int64_t worth_sending = traffic.bytes / (kLeastParcel * std::max<std::int64_t>(traffic.parcels, 1));
  std::int64_t most = std::min(traffic.ranks_per_node, traffic.cores_per_node);
  if (traffic.listed == 0) most = std::min(most, worth_sending);
  // The cost falls to its least and grows from there.
  std::int64_t count = 1;
  while (count < most && local_aggregators_cost(traffic, count + 1) < local_aggregators_cost(traffic, count)) ++count;
  return static_cast<int>(count);
}

void choose_local_aggregators(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  plan.local_aggregators = 1;
  if (plan.in_memory) {
    if (facts.wishes.local_aggregators) {
      plan.local_aggregators = wished(*facts.wishes.local_aggregators, plan);
      plan.local_aggregators_reason = "asked for by hint";
    } else if (plan.exchange == Exchange::kShared) {
      plan.local_aggregators = cheapest(facts, summaries, plan);
    }
  }
  plan.local_aggregator_of = local_aggregator_of(plan.sharing_of.all(), plan.local_aggregators);
}

int receives_of_a_round(const Plan& plan) { return static_cast<int>(parties_of(plan).size()); }

}  // namespace weir::plan
