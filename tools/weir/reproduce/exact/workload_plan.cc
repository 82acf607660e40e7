#include "reproduce/exact/workload_plan.h"

#include "plan/summary.h"
#include "workloads/views.h"

namespace weir::tool::reproduce {

bench::Settled settled(const std::string& text, int ranks, std::int64_t bytes) {
  return bench::settle(bench::parse_spec(text).value(), {.ranks = ranks, .bytes = bytes}).value();
}

std::vector<layout::Layout> first_requests(const bench::Settled& workload) {
  std::vector<layout::Layout> requests;
  for (int rank = 0; rank < workload.shape.ranks; ++rank) {
    requests.push_back(bench::request_of(bench::share_of(workload, rank).accesses.front(), 0));
  }
  return requests;
}

plan::Plan plan_of(const plan::Facts& facts, const std::vector<layout::Layout>& requests) {
  std::vector<plan::AccessSummary> summaries;
  for (const layout::Layout& request : requests) summaries.push_back(plan::summary_of(request));
  return plan::make_plan(facts, summaries);
}

}  // namespace weir::tool::reproduce
