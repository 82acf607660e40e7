#include "plan/local_aggregators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "plan/aggregators.h"
#include "plan/exchange.h"

namespace weir::plan {

namespace {

// A core sends a byte in this time and receives a message in that; with these, 256 local aggregators in all are best
// for 56 aggregators with windows of 1 MiB on 16, 64 and 256 nodes of 64 ranks, as the paper on two-layer aggregation
// measured. A piece is placed in a window.
constexpr std::int64_t kNanosecondsPerByte = 1;
constexpr std::int64_t kMessage = 1'000;
constexpr std::int64_t kPiece = 4;
// A smaller parcel is not divided: its message costs more than its bytes.
constexpr std::int64_t kLeastParcel = 4096;

// What falls as 1 / count, and what grows as count.
double sending(const NodeTraffic& traffic) { return static_cast<double>(traffic.bytes * kNanosecondsPerByte); }
double receiving(const NodeTraffic& traffic) {
  return static_cast<double>((traffic.nodes - 1) * kMessage) +
         static_cast<double>(traffic.pieces * kPiece) / std::max(traffic.ranks_per_node, 1);
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
  plan.local_aggregators_reason = fmt::format("{} a round leave a node for {} aggregators on {} other nodes",
                                              bytes_text(traffic.bytes), traffic.parcels, traffic.nodes - 1);
  return count;
}

}  // namespace

double local_aggregators_cost(const NodeTraffic& traffic, std::int64_t count) {
  const auto number = static_cast<double>(count);
  return sending(traffic) / number + receiving(traffic) * number;
}

int cheapest_local_aggregators(const NodeTraffic& traffic) {
  const std::int64_t worth_sending = traffic.bytes / (kLeastParcel * std::max<std::int64_t>(traffic.parcels, 1));
  const std::int64_t most = std::min({static_cast<std::int64_t>(traffic.ranks_per_node),
                                      static_cast<std::int64_t>(traffic.cores_per_node), worth_sending});
  if (most <= 1) return 1;
  const double best = std::sqrt(sending(traffic) / std::max(receiving(traffic), 1.0));
  const auto below = static_cast<std::int64_t>(std::clamp(best, 1.0, static_cast<double>(most)));
  const std::int64_t above = std::min(below + 1, most);
  const bool more = local_aggregators_cost(traffic, above) < local_aggregators_cost(traffic, below);
  return static_cast<int>(more ? above : below);
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
