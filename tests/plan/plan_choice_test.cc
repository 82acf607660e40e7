// What planning chooses, and that wishes are followed or their replacement is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/built_in.h"
#include "plan/cost.h"
#include "plan/plan.h"
#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

bool is_cyclic(DomainKind kind) { return kind == DomainKind::kStaticCyclic || kind == DomainKind::kGroupCyclic; }

TEST(PlanChoice, LargeSegmentsGoIndependentlyWhereNoLocksAreInTheWay) {
  for (const Storage& storage : {Storage{}, striped(), tokens()}) {
    for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
      for (const int nodes : {1, 2}) {
        const bool locked = storage.network && direction == Direction::kWrite && nodes > 1;
        if (locked) continue;
        Facts facts = facts_of(direction, nodes, 4);
        facts.storage = storage;
        const Plan plan = make_plan(facts, segmented(4 * nodes, 16 * kMiB));
        EXPECT_EQ(plan.method, Method::kIndependent);
        EXPECT_TRUE(plan.large_pieces);
      }
    }
  }
}

// Calls that come to all servers keep each other waiting; those of a stripe do not.
TEST(PlanChoice, LargeSegmentsUnderServerLocksGoTheCheaperWay) {
  Facts facts = facts_of(Direction::kWrite, 16, 4);
  facts.storage = striped();
  const Summaries wide = segmented(64, 16 * kMiB);
  const Plan together = make_plan(facts, wide);
  EXPECT_EQ(together.method, Method::kTwoPhase);
  EXPECT_FALSE(together.large_pieces);
  EXPECT_NE(together.reason.find("predicted for independent access"), std::string::npos) << together.reason;
  EXPECT_LT(together.predicted.total_us(), independent_cost(facts, total_of(wide)).total_us() / 2);
  // Without conflicts, and where a client is as fast as all servers, nothing is gained by another copy.
  facts.model = model::built_in(true, LockProtocol::kServer);
  facts.model->locks.revoke_us = 0;
  facts.model->storage.client_mb_s = 1e6;
  EXPECT_EQ(make_plan(facts, wide).method, Method::kIndependent);
}

// Where pieces end in blocks these have two owners, each of whom waits for what the other wrote.
TEST(PlanChoice, LargeSegmentsUnderTokensGoAloneWhereTheyAreWholeBlocks) {
  Facts facts = facts_of(Direction::kWrite, 16, 4);
  facts.storage = tokens();
  EXPECT_EQ(make_plan(facts, segmented(64, 16 * kMiB)).method, Method::kIndependent);
  const Totals whole = total_of(segmented(64, 16 * kMiB));
  const Totals parts = total_of(segmented(64, 16 * kMiB + 4 * kKiB));
  EXPECT_GT(independent_cost(facts, parts).total_us(), 1.2 * independent_cost(facts, whole).total_us());
}

TEST(PlanChoice, TinyInterleavedPiecesGoThroughAggregators) {
  for (const Storage& storage : {Storage{}, striped(), tokens()}) {
    for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
      for (const int nodes : {1, 4}) {
        Facts facts = facts_of(direction, nodes, 4);
        facts.storage = storage;
        EXPECT_EQ(make_plan(facts, interleaved(4 * nodes, 8, 100000)).method, Method::kTwoPhase);
      }
    }
  }
}

TEST(PlanChoice, ServerLocksGetGroupCyclicDomainsForWritesOnly) {
  for (const int nodes : {1, 2, 4, 16}) {
    Facts facts = facts_of(Direction::kWrite, nodes, 4);
    facts.storage = striped();
    facts.wishes.method = Method::kTwoPhase;
    EXPECT_EQ(make_plan(facts, interleaved(4 * nodes, kKiB, 10000)).domain_kind, DomainKind::kGroupCyclic);
    facts.direction = Direction::kRead;
    EXPECT_FALSE(is_cyclic(make_plan(facts, interleaved(4 * nodes, kKiB, 10000)).domain_kind));
  }
}

// Domains are the cheapest by the machine's locks: where calling one back costs nothing, contiguous ones are no dearer.
TEST(PlanChoice, DomainsFollowTheModel) {
  Facts facts = facts_of(Direction::kWrite, 16, 4);
  facts.storage = striped();
  facts.wishes.method = Method::kTwoPhase;
  const Summaries summaries = interleaved(64, kKiB, 10000);
  EXPECT_EQ(make_plan(facts, summaries).domain_kind, DomainKind::kGroupCyclic);
  facts.model = model::built_in(true, LockProtocol::kServer);
  EXPECT_EQ(make_plan(facts, summaries).domain_kind, DomainKind::kGroupCyclic) << "as without a model";
  facts.model->locks.revoke_us = 0;
  facts.model->storage.seek_us = 0;
  facts.wishes.aggregators = 16;
  EXPECT_EQ(consistency_cost(facts, total_of(summaries), {DomainKind::kAligned, 16, kMiB}),
            16 * facts.model->locks.grant_us);
  const Plan plan = make_plan(facts, summaries);
  EXPECT_NE(plan.domains_reason.find("predicted: "), std::string::npos) << plan.domains_reason;
}

// Two aggregators of one server take its stripes from each other, unless each has its own part of them.
TEST(Cost, ServersThatAreSharedInTurnCostMoreThanInGroups) {
  Facts facts = facts_of(Direction::kWrite, 64, 1);
  facts.storage = striped();
  const Totals totals = total_of(interleaved(64, 64, 100000));
  const auto cost = [&](DomainKind kind, int aggregators) {
    return consistency_cost(facts, totals, {kind, aggregators, kMiB});
  };
  EXPECT_EQ(cost(DomainKind::kStaticCyclic, 8), cost(DomainKind::kGroupCyclic, 8));
  EXPECT_GT(cost(DomainKind::kStaticCyclic, 16), 5 * cost(DomainKind::kGroupCyclic, 16));
  EXPECT_GT(cost(DomainKind::kAligned, 16), cost(DomainKind::kGroupCyclic, 16));
  EXPECT_GT(cost(DomainKind::kEven, 16), cost(DomainKind::kAligned, 16));
}

// One manager has to be asked for every block where they lie in turn.
TEST(Cost, TokensSuitAlignedDomainsBest) {
  Facts facts = facts_of(Direction::kWrite, 64, 1);
  facts.storage = tokens();
  const Totals totals = total_of(interleaved(64, 64, 1000000));
  for (const int aggregators : {2, 3, 16, 64}) {
    const auto cost = [&](DomainKind kind) { return consistency_cost(facts, totals, {kind, aggregators, kMiB}); };
    for (const DomainKind other : {DomainKind::kEven, DomainKind::kStaticCyclic, DomainKind::kGroupCyclic}) {
      EXPECT_GT(cost(other), cost(DomainKind::kAligned)) << name(other) << " with " << aggregators;
    }
  }
}

TEST(Cost, ReadsLoseReadAheadWithCyclicDomainsOnly) {
  Facts facts = facts_of(Direction::kRead, 4, 4);
  facts.storage = striped();
  const Totals totals = total_of(interleaved(16, 64, 100000));
  EXPECT_EQ(consistency_cost(facts, totals, {DomainKind::kAligned, 4, kMiB}), 0);
  EXPECT_EQ(consistency_cost(facts, totals, {DomainKind::kEven, 4, kMiB}), 0);
  EXPECT_GT(consistency_cost(facts, totals, {DomainKind::kStaticCyclic, 4, kMiB}), 0);
}

// While one core writes a local file, the others copy; readers need all of them for both.
TEST(Cost, CopyingGoesOnBesideWritesOfALocalFile) {
  const Totals totals = total_of(interleaved(4, 64, 1000000));
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    Facts facts = facts_of(direction, 1, 4);
    const Steps steps = two_phase_cost(facts, totals, {DomainKind::kEven, 1, kMiB});
    EXPECT_EQ(steps.overlap > 0.9, direction == Direction::kWrite);
    facts.machine.cores_per_node = 1;
    EXPECT_EQ(two_phase_cost(facts, totals, {DomainKind::kEven, 1, kMiB}).overlap, 0);
    facts.machine.cores_per_node = 4;
    EXPECT_EQ(two_phase_cost(facts, total_of(interleaved(4, 64, 2)), {DomainKind::kEven, 1, kMiB}).overlap, 0)
        << "one round";
    Totals holes = totals;
    holes.bytes /= 2;
    EXPECT_EQ(two_phase_cost(facts, holes, {DomainKind::kEven, 1, kMiB}).overlap, 0);
    facts.wishes.depth = 1;
    EXPECT_EQ(two_phase_cost(facts, totals, {DomainKind::kEven, 1, kMiB}).overlap, 0);
  }
}

// What the file says counts more than what a model says of another one.
TEST(Cost, TheFileOverrulesTheModel) {
  Facts facts = facts_of(Direction::kWrite, 4, 4);
  facts.model = model::built_in(true, LockProtocol::kToken);
  facts.model->network.latency_us = 77;
  const model::MachineModel local = model_of(facts);
  EXPECT_FALSE(local.storage.behind_network);
  EXPECT_EQ(local.locks.protocol, LockProtocol::kNone);
  EXPECT_EQ(local.network.latency_us, 77);
  facts.storage = striped();
  EXPECT_EQ(model_of(facts).storage.servers, 8);
  EXPECT_EQ(model_of(facts).storage.block_bytes, kMiB);
  EXPECT_EQ(model_of(facts).locks, model::built_in(true, LockProtocol::kServer).locks);
}

TEST(PlanChoice, ThePredictionIsInThePlan) {
  for (const Storage& storage : {Storage{}, striped(), tokens()}) {
    for (const Summaries& summaries : {interleaved(16, 64, 1000), segmented(16, 16 * kMiB)}) {
      Facts facts = facts_of(Direction::kWrite, 4, 4);
      facts.storage = storage;
      const Plan plan = make_plan(facts, summaries);
      EXPECT_GT(plan.predicted.file_us, 0);
      EXPECT_GT(plan.predicted.inspect_us, 0);
      EXPECT_EQ(plan.predicted.exchange_us > 0, plan.method == Method::kTwoPhase);
    }
  }
}

TEST(PlanChoice, TokenLocksGetAlignedDomainsForWrites) {
  Facts facts = facts_of(Direction::kWrite, 4, 4);
  facts.storage = tokens();
  facts.wishes.method = Method::kTwoPhase;
  EXPECT_EQ(make_plan(facts, interleaved(16, kKiB, 10000)).domain_kind, DomainKind::kAligned);
}

TEST(PlanChoice, ReadsGetCyclicDomainsOnlyWhenForced) {
  for (const Storage& storage : {Storage{}, striped(), tokens()}) {
    Facts facts = facts_of(Direction::kRead, 4, 4);
    facts.storage = storage;
    facts.wishes.method = Method::kTwoPhase;
    EXPECT_FALSE(is_cyclic(make_plan(facts, interleaved(16, kKiB, 1000)).domain_kind));
    for (const DomainKind kind : {DomainKind::kStaticCyclic, DomainKind::kGroupCyclic}) {
      facts.wishes.domains = kind;
      EXPECT_EQ(make_plan(facts, interleaved(16, kKiB, 1000)).domain_kind, kind);
    }
  }
}

// The number of aggregators of cyclic domains fits the servers.
TEST(PlanChoice, CyclicAggregatorsDivideTheServersOrAreAMultiple) {
  for (int nodes = 1; nodes <= 12; ++nodes) {
    for (int servers = 1; servers <= 10; ++servers) {
      Facts facts = facts_of(Direction::kWrite, nodes, 2);
      facts.storage = {kMiB, servers, LockProtocol::kServer, true};
      facts.wishes.method = Method::kTwoPhase;
      facts.wishes.domains = DomainKind::kGroupCyclic;
      const auto count = std::ssize(make_plan(facts, interleaved(2 * nodes, kKiB, 100000)).aggregators);
      EXPECT_TRUE(count % servers == 0 || servers % count == 0) << count << " for " << servers;
    }
  }
}

// Every wish is in the plan as it was, or something is told to have been replaced.
TEST(PlanChoice, AWishIsFollowedOrItsReplacementIsTold) {
  int told = 0;
  for (int number = 0; number < 4 * 3 * 5 * 6 * 3 * 2; ++number) {
    int rest = number;
    const auto take = [&rest](int base) { return std::exchange(rest, rest / base) % base; };
    const int nodes = 1 + take(2);
    Facts facts = facts_of(Direction::kWrite, nodes, 3);
    Wishes& wishes = facts.wishes;
    wishes.method = Method::kTwoPhase;
    wishes.domains = static_cast<DomainKind>(take(4));
    wishes.exchange = static_cast<Exchange>(take(3));
    wishes.aggregators = 1 + take(5) * 2;
    if (const int local = take(6); local > 0) wishes.local_aggregators = local;
    if (const int sparse = take(3); sparse > 0) wishes.sparse = sparse == 1;
    wishes.depth = 1 + number % 4;
    facts.storage.servers = 1 + number % 3;
    if (number % 7 == 0) facts.machine.sharing_of = {0, 1, 2, 3, 4, 5};
    if (number % 7 == 0) facts.machine.sharing_of.resize(facts.machine.node_of.size());
    const Plan plan = make_plan(facts, interleaved(3 * nodes, 100, 50));
    const bool followed =
        plan.method == *wishes.method && plan.domain_kind == *wishes.domains && plan.exchange == *wishes.exchange &&
        std::ssize(plan.aggregators) == *wishes.aggregators && plan.depth == wishes.depth &&
        (!wishes.local_aggregators || (plan.in_memory && plan.local_aggregators == *wishes.local_aggregators)) &&
        (!wishes.sparse || plan.sparse == *wishes.sparse);
    EXPECT_EQ(followed, plan.replaced.empty()) << print(plan);
    told += plan.replaced.empty() ? 0 : 1;
  }
  EXPECT_GT(told, 0);
}

TEST(PlanChoice, LocalAggregatorsAreNoMoreThanTheLargestNodeHasRanks) {
  Facts facts = facts_of(Direction::kWrite, 2, 4);
  facts.machine.node_of = facts.machine.sharing_of = {0, 0, 0, 0, 0, 1, 1, 1};
  facts.wishes.method = Method::kTwoPhase;
  for (const int wanted : {1, 4, 5, 6, 99}) {
    facts.wishes.local_aggregators = wanted;
    const Plan plan = make_plan(facts, interleaved(8, 100, 50));
    const auto first_ranks = plan.local_aggregator_of.all().first(5);
    const std::set<int> first_node(first_ranks.begin(), first_ranks.end());
    EXPECT_EQ(std::ssize(first_node), plan.local_aggregators);
    EXPECT_EQ(plan.local_aggregators, std::min(wanted, 5));
    std::vector<std::string> told;
    if (wanted > 5) {
      told = {std::to_string(wanted) + " local aggregators a node asked for, 5 used: no node has more ranks"};
    }
    EXPECT_EQ(plan.replaced, told);
  }
}

TEST(PlanChoice, TheWindowIsNeverLargerThanWished) {
  for (const std::int64_t most : {std::int64_t{1}, 100 * kKiB, kMiB, 64 * kMiB}) {
    Facts facts = facts_of(Direction::kWrite, 1, 4);
    facts.wishes.method = Method::kTwoPhase;
    facts.wishes.most_window_bytes = most;
    EXPECT_LE(make_plan(facts, interleaved(4, 64, 1000)).round_size.window_bytes, most);
    facts.storage.network = true;
    EXPECT_LE(make_plan(facts, interleaved(4, 64, 1000)).round_size.window_bytes, most);
    facts.wishes.window_asked = true;
    EXPECT_EQ(make_plan(facts, interleaved(4, 64, 1000)).round_size.window_bytes, most);
  }
}

TEST(PlanChoice, AWindowIsLargerThanWishedWhereRoundsWouldBeTooManyAndThatIsTold) {
  Facts facts = facts_of(Direction::kWrite, 1, 4);
  facts.wishes.method = Method::kTwoPhase;
  facts.wishes.most_window_bytes = 1;
  const Plan plan = make_plan(facts, interleaved(4, kMiB, 1000));
  EXPECT_LE(plan.rounds, 1 << 22);
  ASSERT_EQ(plan.replaced.size(), 1U);
  EXPECT_NE(plan.replaced[0].find("too many rounds"), std::string::npos) << plan.replaced[0];
}

TEST(PlanChoice, AMethodThatIsAskedForIsTaken) {
  for (const Method method : {Method::kIndependent, Method::kTwoPhase}) {
    Facts facts = facts_of(Direction::kWrite, 1, 4);
    facts.wishes.method = method;
    EXPECT_EQ(make_plan(facts, interleaved(4, 8, 100000)).method, method);
    EXPECT_EQ(make_plan(facts, segmented(4, 16 * kMiB)).method, method);
  }
}

TEST(Cost, GrowsWithPiecesAndBytes) {
  for (const Storage& storage : {Storage{}, striped(), tokens()}) {
    for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
      Facts facts = facts_of(direction, 4, 4);
      facts.storage = storage;
      double alone_before = 0;
      double together_before = 0;
      for (std::int64_t pieces = 1000; pieces <= 1000000; pieces *= 10) {
        const Totals totals = total_of(interleaved(16, 64, pieces));
        const double alone = independent_cost(facts, totals).total_us();
        const double together = two_phase_cost(facts, totals, {DomainKind::kAligned, 4, 16 * kMiB}).total_us();
        EXPECT_GT(alone, alone_before);
        EXPECT_GT(together, together_before);
        alone_before = alone;
        together_before = together;
      }
    }
  }
}

// The same bytes in fewer, larger pieces are never dearer.
TEST(Cost, FallsWithTheSizeOfPieces) {
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    const Facts facts = facts_of(direction, 1, 4);
    for (std::int64_t block = 8; block < 8 * kKiB; block *= 2) {
      const Totals small = total_of(interleaved(4, block, 8 * kMiB / block));
      const Totals large = total_of(interleaved(4, 2 * block, 8 * kMiB / block / 2));
      EXPECT_GE(independent_cost(facts, small).total_us(), independent_cost(facts, large).total_us());
      const TwoPhaseShape shape{DomainKind::kEven, 2, kMiB};
      EXPECT_GE(two_phase_cost(facts, small, shape).total_us(), two_phase_cost(facts, large, shape).total_us());
    }
  }
}

// As long as each has a server of its own.
TEST(Cost, MoreAggregatorsDoNotMakeAccessDearer) {
  Facts facts = facts_of(Direction::kWrite, 16, 4);
  facts.storage = striped();
  const Totals totals = total_of(interleaved(64, 64, 100000));
  for (int aggregators = 1; aggregators < 8; aggregators *= 2) {
    const TwoPhaseShape fewer{DomainKind::kStaticCyclic, aggregators, 16 * kMiB};
    const TwoPhaseShape more{DomainKind::kStaticCyclic, 2 * aggregators, 16 * kMiB};
    EXPECT_GE(two_phase_cost(facts, totals, fewer).total_us(), two_phase_cost(facts, totals, more).total_us());
  }
}

// Three ranks with any extents in eight bytes, or none: interleaved is what two of them have a byte in common of.
TEST(Totals, AreInterleavedWhereTwoExtentsOverlap) {
  std::vector<Extent> extents = {{}};
  for (std::int64_t begin = 0; begin < 8; ++begin) {
    for (std::int64_t end = begin + 1; end <= 8; ++end) extents.push_back({begin, end});
  }
  const auto summary_of = [](const Extent& extent) {
    AccessSummary summary;
    summary.file_extent = extent;
    summary.bytes = extent.bytes();
    return summary;
  };
  for (const Extent& a : extents) {
    for (const Extent& b : extents) {
      for (const Extent& c : extents) {
        const bool overlap = !intersection(a, b).empty() || !intersection(a, c).empty() || !intersection(b, c).empty();
        const AccessSummary summaries[] = {summary_of(a), summary_of(b), summary_of(c)};
        ASSERT_EQ(total_of(summaries).interleaved, overlap);
      }
    }
  }
}

}  // namespace
}  // namespace weir::plan
