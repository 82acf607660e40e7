#include "plan/plan.h"

#include <fmt/format.h>

#include <functional>

namespace weir::plan {

const char* name(Method method) {
  switch (method) {
    case Method::kNothing: return "nothing";
    case Method::kIndependent: return "independent";
  }
  return "unknown";
}

Plan make_plan(Direction direction, std::span<const AccessSummary> summaries) {
  Plan plan;
  bool refused = false;
  for (const AccessSummary& summary : summaries) {
    refused = refused || summary.failed != 0;
    plan.region = hull(plan.region, summary.file_extent);
    plan.bytes += summary.bytes;
    plan.active_ranks += summary.bytes > 0 ? 1 : 0;
  }
  if (refused) return {Method::kNothing, "a rank's arguments were refused", {}, 0, 0};
  if (plan.bytes == 0) {
    plan.reason = "no rank has bytes to move";
    return plan;
  }
  plan.method = Method::kIndependent;
  plan.reason = fmt::format("every rank {} its own pieces", direction == Direction::kRead ? "reads" : "writes");
  return plan;
}

std::string print(const Plan& plan) {
  return fmt::format("{}: {} bytes of {} ranks in [{}, {}); {}", name(plan.method), plan.bytes, plan.active_ranks,
                     plan.region.begin, plan.region.end, plan.reason);
}

std::size_t hash(const Plan& plan) { return std::hash<std::string>{}(print(plan)); }

}  // namespace weir::plan
