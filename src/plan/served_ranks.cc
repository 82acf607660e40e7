#include "plan/served_ranks.h"

#include <cstddef>

namespace weir::plan {

std::vector<int> served_with(const Plan& plan, int rank) {
  const int local_aggregator = plan.local_aggregator_of[static_cast<std::size_t>(rank)];
  std::vector<int> served;
  for (std::size_t other = 0; other < plan.local_aggregator_of.size(); ++other) {
    if (plan.local_aggregator_of[other] == local_aggregator) served.push_back(static_cast<int>(other));
  }
  return served;
}

}  // namespace weir::plan
