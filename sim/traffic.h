// Traffic: who has bytes for whom in which round of a collective call: from the plan and the ranks' own layouts.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/extent.h"
#include "layout/layout.h"
#include "plan/plan.h"

namespace weir::sim {

// What each rank asks for in a call: the bytes of the file, ascending.
using Requests = std::function<layout::Layout(int rank)>;

// What a party has for an aggregator in one round. A party is who exchanges messages: a local aggregator for the ranks
// that it serves, or a rank for itself.
struct Parcel {
  int party = 0;       // its rank
  int aggregator = 0;  // its number in the plan
  std::int64_t bytes = 0;
  std::int64_t pieces = 0;
  bool in_memory = false;  // the party's ranks reach the aggregator's window: no message is needed
};

struct Party {
  int rank = 0;
  int ranks = 1;  // that it serves
  std::int64_t bytes = 0;
  std::int64_t pieces = 0;           // of the ranks, apart
  std::int64_t structure_bytes = 0;  // what describes them to aggregators
  double merged = 1;                 // of a piece, what is left of it where pieces are merged
};

struct Traffic {
  std::vector<Party> parties;                 // ascending by rank
  std::vector<std::vector<Parcel>> of_round;  // of the rounds that are played, ascending by party
  std::int64_t rounds = 0;                    // that there are
};

// The first `most_rounds` rounds of a plan through aggregators. Bytes are counted exactly; the pieces of a rank are
// taken to be equally long, and where there are many parties, those of a few say how many are left by merging.
// Settles whether requests are merged.
Traffic traffic_of(plan::Plan& plan, const Requests& requests, std::int64_t most_rounds);

// A part of a window: one of its blocks.
struct Block {
  Extent extent;
  int aggregator = 0;
  std::int64_t round = 0;
};

// All blocks of the first `rounds` rounds, in file order.
std::vector<Block> blocks_of(const plan::Plan& plan, std::int64_t rounds);

}  // namespace weir::sim
