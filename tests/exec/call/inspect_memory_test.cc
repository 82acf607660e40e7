// A rank that runs out of memory while a plan is inspected.
#include <gtest/gtest.h>

#include "exec/call/scarce_new.h"
#include "exec/file_ranks.h"
#include "exec/small_plans.h"

namespace weir::exec {
namespace {

// What is wished for, beside what all plans here have.
struct Way {
  plan::Exchange exchange = plan::Exchange::kShared;
  Direction direction = Direction::kWrite;
  bool sparse = true;
  std::int64_t max_acc = 0;
  bool merging = false;
};

// A plan with so many rounds that its tables are large.
SmallPlan long_plan(const Way& way) {
  constexpr int kRanks = 4;
  plan::Facts facts;
  facts.direction = way.direction;
  facts.machine = {{0, 0, 1, 1}, {0, 0, 1, 1}, {plan::kAnyNumber, plan::kAnyNumber}};
  facts.wishes.sparse = way.sparse;
  facts.wishes.max_acc = way.max_acc;
  facts.wishes.method = plan::Method::kTwoPhase;
  facts.wishes.domains = plan::DomainKind::kEven;
  facts.wishes.exchange = way.exchange;
  facts.wishes.merging = way.merging;
  facts.wishes.aggregators = 2;
  facts.wishes.most_window_bytes = 4;
  std::vector<SmallPlan::Offsets> offsets(kRanks);
  for (std::int64_t offset = 0; offset < 1024; ++offset) {
    offsets[static_cast<std::size_t>(offset % kRanks)].push_back(offset);
  }
  return {facts, offsets};
}

// Inspects with `allowed` large allocations on rank `culprit`; whether that went well.
bool inspect_with(const SmallPlan& planned, int culprit, std::int64_t allowed) {
  Outcomes outcomes;
  comm::run_tested_ranks(planned.ranks(), 2, [&](comm::ThreadComm& comm) {
    SmallRank small(comm, planned);
    if (comm.rank() == culprit) scarce_new::allow(allowed);
    const Result<Schedule> schedule = small.inspect();
    scarce_new::allow(-1);
    outcomes.add(schedule.status());
  });
  const bool well = outcomes.text().empty();
  outcomes.expect(planned.ranks(), well ? ErrorClass::kOk : ErrorClass::kNoMemory);
  return well;
}

void expect_failures_of_all(const SmallPlan& planned) {
  for (int culprit = 0; culprit < planned.ranks(); ++culprit) {
    std::int64_t failures = 0;
    while (failures < 1000 && !inspect_with(planned, culprit, failures)) ++failures;
    EXPECT_GT(failures, 2) << name(planned.plan().exchange) << ", rank " << culprit;
    EXPECT_LT(failures, 1000);
  }
}

TEST(InspectMemory, OneRankWithoutMemoryIsAFailureOfAll) {
  for (const Way& way :
       {Way{}, Way{plan::Exchange::kDirect}, Way{plan::Exchange::kPairwise},
        Way{.exchange = plan::Exchange::kDirect, .sparse = false}, Way{.direction = Direction::kRead, .max_acc = 2}}) {
    expect_failures_of_all(long_plan(way));
  }
}

TEST(InspectMemory, OneRankWithoutMemoryToMergeIsAFailureOfAll) {
  const SmallPlan planned = long_plan({.merging = true});
  ASSERT_TRUE(planned.merged());
  expect_failures_of_all(planned);
}

}  // namespace
}  // namespace weir::exec
