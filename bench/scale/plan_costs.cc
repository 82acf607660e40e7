#include "scale/plan_costs.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "exec/call/kept_calls.h"
#include "plan/plan.h"
#include "scale/allocations.h"
#include "sys/waiting.h"

namespace weir::scale {

namespace {

constexpr std::int64_t kBlock = 4096;
constexpr std::int64_t kBlocks = 4;
constexpr int kRepeats = 5;

plan::Facts facts_of(const Shape& shape) {
  plan::Facts facts;
  facts.direction = Direction::kWrite;
  for (int rank = 0; rank < shape.ranks; ++rank) facts.machine.node_of.push_back(rank / shape.ranks_per_node);
  facts.machine.sharing_of = facts.machine.node_of;
  facts.machine.most_per_node.assign(static_cast<std::size_t>(shape.nodes()), plan::kAnyNumber);
  facts.storage = {kBlock, shape.nodes(), LockProtocol::kNone, true};
  facts.wishes.method = plan::Method::kTwoPhase;
  return facts;
}

std::vector<plan::AccessSummary> summaries_of(const Shape& shape) {
  std::vector<plan::AccessSummary> summaries;
  for (std::int64_t rank = 0; rank < shape.ranks; ++rank) {
    const std::int64_t begin = rank * kBlock;
    const Extent extent = {begin, begin + (kBlocks - 1) * shape.ranks * kBlock + kBlock};
    summaries.push_back({extent, kBlocks * kBlock, kBlocks, 1, begin, 0, 1});
  }
  return summaries;
}

std::chrono::nanoseconds best_time(const std::function<void()>& work) {
  std::chrono::nanoseconds best = std::chrono::nanoseconds::max();
  for (int i = 0; i < kRepeats; ++i) {
    const auto begin = sys::thread_time();
    work();
    best = std::min(best, sys::thread_time() - begin);
  }
  return best;
}

// Looks a call up among as many as are kept, of which it is the oldest.
void look_up(const std::shared_ptr<const plan::Facts>& facts, const plan::Plan& plan,
             const plan::AccessSummary& summary, PlanCost& cost) {
  exec::KeptCalls kept;
  exec::Asked asked{{exec::CallKind::kAccess, Direction::kWrite}, false, facts, summary};
  const auto shared_plan = std::make_shared<plan::Plan>(plan);
  for (std::size_t i = 0; i < exec::KeptCalls::kMost; ++i) {
    auto call = std::make_shared<exec::KeptCall>();
    call->asked = asked;
    call->asked.summary.bytes += static_cast<std::int64_t>(i);
    call->plan = shared_plan;
    kept.keep(call);
  }
  const Allocations before = allocations_of_thread();
  bool found = true;
  cost.look_up = best_time([&] { found = found && kept.find(kept.offer(asked, nullptr), nullptr).has_value(); });
  cost.look_up_allocations = allocations_of_thread().count - before.count;
  if (!found) std::abort();
}

}  // namespace

PlanCost plan_cost(const Shape& shape) {
  const auto facts = std::make_shared<const plan::Facts>(facts_of(shape));
  const std::vector<plan::AccessSummary> summaries = summaries_of(shape);
  PlanCost cost;
  plan::Plan plan;
  const Allocations before = allocations_of_thread();
  cost.make = best_time([&] { plan = plan::make_plan(*facts, summaries); });
  cost.make_allocated_bytes = (allocations_of_thread().bytes - before.bytes) / kRepeats;
  cost.aggregators = static_cast<int>(plan.aggregators.size());
  look_up(facts, plan, summaries.front(), cost);
  return cost;
}

}  // namespace weir::scale
