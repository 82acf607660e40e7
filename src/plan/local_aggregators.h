// How many local aggregators a node has: from what they cost, where nobody wished for a number. Pure.
#pragma once

#include <cstdint>
#include <span>

#include "model/machine.h"
#include "plan/facts.h"
#include "plan/plan.h"

namespace weir::plan {

// What leaves a node in a round, and who receives it.
struct NodeTraffic {
  int ranks_per_node = 1;
  int cores_per_node = 1;
  int nodes = 1;
  std::int64_t bytes = 0;    // that leave a node
  std::int64_t parcels = 0;  // that each of its local aggregators sends: aggregators elsewhere
  std::int64_t pieces = 0;   // that come to an aggregator, before merging
  model::Network network = {};
  double piece_us = 0;
  std::int64_t listed = 0;  // pieces of all ranks of a node, where they are merged one by one before the first round
  std::int64_t rounds = 1;  // of the call
};

// What a round takes with `count` local aggregators a node, as far as it depends on their number, in microseconds. They
// share the work of sending what leaves the node and of merging lists before, which falls as 1 / count and faster; an
// aggregator receives a message from each of them, and they merge the pieces of fewer ranks each: both grow as count,
// and more where messages wait.
double local_aggregators_cost(const NodeTraffic& traffic, std::int64_t count);

// The number with the least cost, up to the ranks and cores of a node; where no lists are merged, no more than leave
// parcels that are worth a message of their own.
int cheapest_local_aggregators(const NodeTraffic& traffic);

// Sets the plan's local aggregators, as many as wished for or as cost least, with the reason. Pairwise exchange has one
// a node unless wished for. REQUIRES: the plan's exchange and groups; but for pairwise exchange, aggregators and
// rounds.
void choose_local_aggregators(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan);

// Messages that an aggregator gets in a round in which all ranks have bytes for it: one from each local aggregator,
// itself and its neighbours among them, though these need none where memory is shared.
int receives_of_a_round(const Plan& plan);

}  // namespace weir::plan
