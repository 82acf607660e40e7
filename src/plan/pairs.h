// Pairs: who could have bytes for whom in a call, and who has. What sparse access is decided by.
#pragma once

#include <cstdint>

namespace weir::plan {

struct Plan;

// A pair is an aggregator and a rank that meets it in memory, itself too, or a local aggregator that it exchanges
// parcels with. A turn is a pair in one of the aggregator's rounds.
struct Pairs {
  std::int64_t possible = 0;
  std::int64_t with_bytes = 0;  // in some round
  std::int64_t possible_turns = 0;
  std::int64_t turns_with_bytes = 0;

  bool operator==(const Pairs&) const = default;
};

// The pairs and turns that are possible; those with bytes are not counted. REQUIRES a plan with aggregators.
Pairs possible_pairs(const Plan& plan);

// Notes what was counted. Where no hint has decided it, the plan is dense when every turn has bytes, else sparse.
void settle_sparse(Plan& plan, const Pairs& counted);

}  // namespace weir::plan
