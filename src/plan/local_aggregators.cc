#include "plan/local_aggregators.h"

#include <fmt/format.h>

#include <algorithm>

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

NodeTraffic traffic_of(const Facts& facts, const Plan& plan) {
  const auto aggregators = static_cast<std::int64_t>(plan.aggregators.size());
  NodeTraffic traffic;
  traffic.ranks_per_node = (largest_group(plan.sharing_of.all()) + 1) / 2;  // each serves two
  traffic.cores_per_node = facts.machine.cores_per_node;
  traffic.nodes = group_count(plan.sharing_of.all());
  traffic.parcels = aggregators - aggregators / traffic.nodes;
  traffic.bytes = plan.traffic.between_nodes / (plan.rounds * traffic.nodes);
  if (facts.wishes.merging != false) traffic.pieces = plan.pieces / (plan.rounds * aggregators);
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

int cheapest(const Facts& facts, Plan& plan) {
  const NodeTraffic traffic = traffic_of(facts, plan);
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
  return sending(traffic) / number + receiving(traffic, number);
}

int cheapest_local_aggregators(const NodeTraffic& traffic) {
  const std::int64_t worth_sending = traffic.bytes / (kLeastParcel * std::max<std::int64_t>(traffic.parcels, 1));
  const std::int64_t most = std::min({static_cast<std::int64_t>(traffic.ranks_per_node),
                                      static_cast<std::int64_t>(traffic.cores_per_node), worth_sending});
  // The cost falls to its least and grows from there.
  std::int64_t count = 1;
  while (count < most && local_aggregators_cost(traffic, count + 1) < local_aggregators_cost(traffic, count)) ++count;
  return static_cast<int>(count);
}

void choose_local_aggregators(const Facts& facts, Plan& plan) {
  plan.local_aggregators = 1;
  if (plan.in_memory) {
    if (facts.wishes.local_aggregators) {
      plan.local_aggregators = wished(*facts.wishes.local_aggregators, plan);
      plan.local_aggregators_reason = "asked for by hint";
    } else if (plan.exchange == Exchange::kShared) {
      plan.local_aggregators = cheapest(facts, plan);
    }
  }
  plan.local_aggregator_of = local_aggregator_of(plan.sharing_of.all(), plan.local_aggregators);
}

int receives_of_a_round(const Plan& plan) { return static_cast<int>(parties_of(plan).size()); }

}  // namespace weir::plan
