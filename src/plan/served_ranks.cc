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

layout::PieceCounts count_served_pieces(const Plan& plan, int rank,
                                        const std::function<layout::Layout(int rank)>& request_of) {
  std::vector<layout::Layout> requests;
  for (const int served : served_with(plan, rank)) requests.push_back(request_of(served));
  return layout::count_pieces(requests);
}

}  // namespace weir::plan
