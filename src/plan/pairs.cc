#include "plan/pairs.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "plan/plan.h"

namespace weir::plan {

Pairs possible_pairs(const Plan& plan) {
  const auto groups = static_cast<std::size_t>(std::ranges::max(plan.sharing_of.all())) + 1;
  std::vector<std::int64_t> ranks_of(groups);
  std::vector<std::int64_t> parties_of(groups);
  std::int64_t parties = 0;
  for (std::size_t rank = 0; rank < plan.sharing_of.size(); ++rank) {
    const auto group = static_cast<std::size_t>(plan.sharing_of[rank]);
    const std::int64_t party = plan.local_aggregator_of[rank] == static_cast<int>(rank) ? 1 : 0;
    ++ranks_of[group];
    parties_of[group] += party;
    parties += party;
  }
  Pairs pairs;
  for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
    const auto group = static_cast<std::size_t>(plan.sharing_of[static_cast<std::size_t>(plan.aggregators[a])]);
    const std::int64_t others = ranks_of[group] + parties - parties_of[group];
    pairs.possible += others;
    pairs.possible_turns += others * round_count(plan.domains[a], plan.round_size);
  }
  return pairs;
}

void settle_sparse(Plan& plan, const Pairs& counted) {
  plan.pairs = counted;
  if (!plan.sparse) plan.sparse = counted.turns_with_bytes < counted.possible_turns;
}

}  // namespace weir::plan
