#include "plan/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

Facts with_method(Facts facts, Method method = Method::kTwoPhase) {
  facts.wishes.method = method;
  return facts;
}

std::string plan_text(const Facts& facts, const Summaries& summaries) { return print(make_plan(facts, summaries)); }

const Facts kFourOnOneNode = facts_of(Direction::kWrite, 1, 4);

TEST(PlanText, OfNothing) {
  EXPECT_EQ(plan_text(kFourOnOneNode, Summaries(4)),
            "nothing write: 0 bytes in 0 pieces of 0 ranks in [0, 0); no rank has bytes to move");
}

TEST(PlanText, OfRefusedArguments) {
  Summaries summaries = interleaved(4, 64, 100);
  summaries[2] = {};
  summaries[2].failed = 1;
  EXPECT_EQ(plan_text(kFourOnOneNode, summaries),
            "nothing write: 0 bytes in 0 pieces of 0 ranks in [0, 0); a rank's arguments were refused");
}

TEST(PlanText, OfSegmentsThatAreMovedAlready) {
  Summaries summaries = segmented(4, 16 * kMiB);
  for (AccessSummary& summary : summaries) summary.moved = 1;
  const Plan plan = make_plan(kFourOnOneNode, summaries);
  EXPECT_TRUE(plan.moved);
  EXPECT_TRUE(plan.large_pieces);
  EXPECT_EQ(
      print(plan),
      "independent write: 67108864 bytes in 4 pieces of 4 ranks in [0, 67108864); the pieces are large, as before: "
      "every rank has moved its own before meeting the others");
}

TEST(Plan, LeavesOutWhatIsMovedAlready) {
  Summaries summaries = interleaved(4, 64, 100);
  Summaries others = summaries;
  summaries[1].moved = 1;
  others[1] = {};
  EXPECT_EQ(make_plan(kFourOnOneNode, summaries), make_plan(kFourOnOneNode, others));
  EXPECT_FALSE(make_plan(kFourOnOneNode, summaries).moved);
}

TEST(Plan, WhoMovesAhead) {
  const AccessSummary large = segmented(4, kMiB)[0];
  const Storage local = kFourOnOneNode.storage;
  EXPECT_TRUE(moves_ahead(local, true, large));
  EXPECT_FALSE(moves_ahead(local, false, large));
  EXPECT_FALSE(moves_ahead(local, true, {}));
  EXPECT_FALSE(moves_ahead(local, true, segmented(4, 4096)[0]));
  AccessSummary pieces = large;
  pieces.file_pieces = 2;
  EXPECT_FALSE(moves_ahead(local, true, pieces));
  Storage shared = local;
  shared.network = true;
  EXPECT_FALSE(moves_ahead(shared, true, large));
}

TEST(PlanText, OfLargeSegments) {
  EXPECT_EQ(plan_text(kFourOnOneNode, segmented(4, 16 * kMiB)),
            "independent write: 67108864 bytes in 4 pieces of 4 ranks in [0, 67108864); the pieces are large");
}

TEST(PlanText, OfOneRankAlone) {
  Summaries summaries(4);
  summaries[3] = summary({100, 5000}, 400, 40);
  EXPECT_EQ(plan_text(kFourOnOneNode, summaries),
            "independent write: 400 bytes in 40 pieces of 1 ranks in [100, 5000); only one rank has bytes to move");
}

TEST(PlanText, OfSmallPiecesOnOneNode) {
  EXPECT_EQ(plan_text(kFourOnOneNode, interleaved(4, 64, 10000)),
            "two_phase write: 2560000 bytes in 40000 pieces of 4 ranks in [0, 2560000); 28.7 ms predicted "
            "for independent access, 713 us for two-phase; 1 aggregators [0] (a local file system takes one "
            "write to a file at a time); even domains (no locks to keep to); 3 rounds of 1048576 bytes (as "
            "large as caches hold), 2 in flight; shared exchange (ranks of a node share memory), 1 local aggregators a "
            "node, sparse "
            "or dense as counted");
  EXPECT_EQ(plan_text(facts_of(Direction::kRead, 1, 4), interleaved(4, 64, 10000)),
            "two_phase read: 2560000 bytes in 40000 pieces of 4 ranks in [0, 2560000); 7.17 ms predicted "
            "for independent access, 296 us for two-phase; 4 aggregators [0 1 2 3] (4 cores); even domains "
            "(no locks to keep to); 1 rounds of 1048576 bytes (as large as caches hold), 2 in flight; shared exchange "
            "(ranks of a "
            "node share memory), 1 local aggregators a node, sparse or dense as counted");
}

TEST(PlanText, OfSmallPiecesOnFourNodes) {
  EXPECT_EQ(plan_text(facts_of(Direction::kWrite, 4, 4), interleaved(16, 64, 100000)),
            "two_phase write: 102400000 bytes in 1600000 pieces of 16 ranks in [0, 102400000); 1.15 s "
            "predicted for independent access, 46.4 ms for two-phase; 4 aggregators [0 4 8 12] (4 nodes, 1 "
            "servers); aligned domains (no two aggregators share 4096 bytes), about 76799808 bytes between "
            "nodes, 76799808 with aggregators in rank order; 7 rounds of 4194304 bytes (predicted: 4.0 MiB 46.4 ms, "
            "2.0 MiB 46.7 ms, 1.0 MiB 47.2 ms), 4 in flight; shared "
            "exchange (ranks of a node share memory), 2 local aggregators a node (2.6 MiB a round leave a "
            "node for 3 aggregators on 3 other nodes; predicted: 1.61 ms with 2, 2.86 ms with 1), sparse or "
            "dense as counted; merging try (to be counted)");
}

TEST(PlanText, OnAStripedFileSystem) {
  Facts facts = facts_of(Direction::kWrite, 4, 4);
  facts.storage = striped();
  EXPECT_EQ(plan_text(facts, interleaved(16, 64, 100000)),
            "two_phase write: 102400000 bytes in 1600000 pieces of 16 ranks in [0, 102400000); 70.1 s "
            "predicted for independent access, 30.2 ms for two-phase; 8 aggregators [0 2 4 6 8 10 12 14] (4 "
            "nodes, 8 servers); group_cyclic domains (predicted: group_cyclic 30.2 ms, static_cyclic 30.2 "
            "ms, aligned 33.8 ms, even 37.3 ms), about 76800000 bytes between nodes, 76800000 with "
            "aggregators in rank order; 13 rounds of 1048576 bytes (predicted: 1.0 MiB 30.2 ms, 2.0 MiB 30.3 ms, 512.0 "
            "KiB 31.8 ms), 4 in flight; shared exchange (ranks of a "
            "node share memory), 2 local aggregators a node (1.4 MiB a round leave a node for 6 aggregators "
            "on 3 other nodes; predicted: 806 us with 2, 1.51 ms with 1), sparse or dense as counted; "
            "merging try (to be counted)");
  facts.direction = Direction::kRead;
  EXPECT_EQ(plan_text(facts, interleaved(16, 64, 100000)),
            "two_phase read: 102400000 bytes in 1600000 pieces of 16 ranks in [0, 102400000); 70.1 s "
            "predicted for independent access, 30.2 ms for two-phase; 8 aggregators [0 2 4 6 8 10 12 14] (4 "
            "nodes, 8 servers); aligned domains (predicted: aligned 30.2 ms, even 30.2 ms, group_cyclic 39 "
            "ms, static_cyclic 39 ms), about 76799808 bytes between nodes, 76799808 with aggregators in "
            "rank order; 13 rounds of 1048576 bytes (predicted: 1.0 MiB 30.2 ms, 2.0 MiB 30.3 ms, 512.0 KiB 31.8 ms), "
            "4 in flight; shared exchange (ranks of a node share "
            "memory), 2 local aggregators a node (1.4 MiB a round leave a node for 6 aggregators on 3 other "
            "nodes; predicted: 806 us with 2, 1.51 ms with 1), sparse or dense as counted; merging try (to "
            "be counted)");
}

TEST(PlanText, OfWishesThatAreFollowed) {
  Facts facts = facts_of(Direction::kWrite, 2, 4);
  facts.wishes.method = Method::kTwoPhase;
  facts.wishes.domains = DomainKind::kStaticCyclic;
  facts.wishes.aggregators = 4;
  facts.wishes.local_aggregators = 2;
  facts.wishes.exchange = Exchange::kShared;
  facts.wishes.sparse = false;
  facts.wishes.most_window_bytes = 64 * kKiB;
  facts.wishes.window_asked = true;
  facts.wishes.depth = 3;
  EXPECT_EQ(plan_text(facts, interleaved(8, kKiB, 1000)),
            "two_phase write: 8192000 bytes in 8000 pieces of 8 ranks in [0, 8192000); asked for by hint; 4 "
            "aggregators [0 2 4 6] (asked for by hint); static_cyclic domains (asked for by hint), about 4096000 "
            "bytes between nodes, 4096000 with aggregators in rank order; 32 rounds of "
            "65536 bytes (asked for by hint), 3 in flight; shared exchange (asked for by hint), 2 local aggregators a "
            "node (asked for by "
            "hint), dense; merging try (to be counted)");
}

TEST(PlanText, OfReadsThatPrefetch) {
  Facts facts = with_method(facts_of(Direction::kRead, 1, 2));
  const std::string without = plan_text(facts, interleaved(2, kKiB, 10));
  facts.wishes.max_acc = 4;
  EXPECT_EQ(plan_text(facts, interleaved(2, kKiB, 10)), without + "; prefetching 4 blocks of 4096 bytes at once");
  facts.direction = Direction::kWrite;
  EXPECT_EQ(make_plan(facts, interleaved(2, kKiB, 10)).prefetch, Prefetch{});
}

TEST(PlanText, OfWishesThatCannotBeFollowed) {
  Facts facts = with_method(facts_of(Direction::kWrite, 1, 3));
  facts.wishes.exchange = Exchange::kPairwise;
  facts.wishes.domains = DomainKind::kGroupCyclic;
  facts.wishes.aggregators = 7;
  facts.wishes.local_aggregators = 2;
  EXPECT_EQ(plan_text(facts, interleaved(3, kKiB, 10)),
            "two_phase write: 30720 bytes in 30 pieces of 3 ranks in [0, 30720); asked for by hint; 2 aggregators"
            " [0 1] (pairwise exchange ends on every rank of the greatest power of two); static_cyclic domains "
            "(asked for by hint); 1 rounds of 1048576 bytes (as large as caches hold), 2 in flight; pairwise exchange "
            "(asked for by hint), "
            "1 local aggregators a node, sparse or dense as counted; local aggregators asked for, but pairwise "
            "exchange has every rank send "
            "for itself; 7 aggregators asked for, pairwise exchange has 2; group_cyclic domains asked for, pairwise "
            "exchange has static_cyclic ones");
}

TEST(PlanText, OfAtomicAccessAndOfPiecesThatDoNotAscend) {
  Facts facts = with_method(kFourOnOneNode);
  facts.atomic = true;
  EXPECT_EQ(plan_text(facts, interleaved(4, 64, 100)),
            "independent write: 25600 bytes in 400 pieces of 4 ranks in [0, 25600); atomic mode locks every "
            "rank's bytes; two_phase asked for, replaced by independent access");
  Summaries summaries = interleaved(4, 64, 100);
  summaries[1].ascending = 0;
  EXPECT_EQ(plan_text(kFourOnOneNode, summaries),
            "independent write: 25600 bytes in 400 pieces of 4 ranks in [0, 25600); the pieces of some rank do "
            "not ascend in the file");
}

// Plans that differ in all kinds of things.
std::vector<Plan> some_plans() {
  std::vector<Plan> plans;
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    for (const int nodes : {1, 2}) {
      for (const Storage& storage : {Storage{}, striped(), tokens()}) {
        Facts facts = facts_of(direction, nodes, 4);
        facts.storage = storage;
        for (const Summaries& summaries :
             {interleaved(4 * nodes, 64, 1000), interleaved(4 * nodes, 128, 1000), segmented(4 * nodes, kMiB)}) {
          plans.push_back(make_plan(with_method(facts), summaries));
          plans.push_back(make_plan(with_method(facts, Method::kIndependent), summaries));
        }
      }
    }
  }
  return plans;
}

TEST(Plan, IsMadeOfItsInputsAlone) {
  EXPECT_EQ(some_plans(), some_plans());
  const std::vector<Plan> first = some_plans();
  const std::vector<Plan> second = some_plans();
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(print(first[i]), print(second[i]));
    EXPECT_EQ(hash(first[i]), hash(second[i]));
  }
}

TEST(Plan, EqualOnesHaveEqualHashes) {
  const std::vector<Plan> plans = some_plans();
  for (const Plan& one : plans) {
    for (const Plan& other : plans) {
      EXPECT_TRUE(one != other || hash(one) == hash(other)) << print(one) << " / " << print(other);
    }
  }
}

TEST(Plan, EveryFieldCountsForEquality) {
  const Plan plan = make_plan(with_method(kFourOnOneNode), interleaved(4, 64, 1000));
  const std::vector<void (*)(Plan&)> changes = {
      [](Plan& p) { p.method = Method::kIndependent; },
      [](Plan& p) { p.reason += "."; },
      [](Plan& p) { p.direction = Direction::kRead; },
      [](Plan& p) { ++p.region.end; },
      [](Plan& p) { ++p.bytes; },
      [](Plan& p) { ++p.pieces; },
      [](Plan& p) { ++p.active_ranks; },
      [](Plan& p) { p.aggregators.push_back(3); },
      [](Plan& p) { p.domain_kind = DomainKind::kStaticCyclic; },
      [](Plan& p) { ++p.domains[0].extent.end; },
      [](Plan& p) { ++p.traffic.between_nodes; },
      [](Plan& p) { ++p.round_size.window_bytes; },
      [](Plan& p) { ++p.rounds; },
      [](Plan& p) { ++p.depth; },
      [](Plan& p) { p.exchange = Exchange::kDirect; },
      [](Plan& p) { p.in_memory = !p.in_memory; },
      [](Plan& p) {
        p.sharing_of = {1, 0, 0, 0};
      },
      [](Plan& p) {
        p.local_aggregator_of = {1, 0, 0, 0};
      },
      [](Plan& p) { ++p.local_aggregators; },
      [](Plan& p) { p.merging = Merging::kOn; },
      [](Plan& p) { p.sparse = true; },
      [](Plan& p) { ++p.pairs.turns_with_bytes; },
      [](Plan& p) { ++p.prefetch.max_acc; },
      [](Plan& p) { p.replaced.emplace_back("something"); },
      [](Plan& p) { ++p.predicted.copy_us; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Plan other = plan;
    changes[i](other);
    EXPECT_NE(other, plan) << "change " << i;
  }
}

// Only ranks' places count, not the order in which they are summed up.
TEST(Plan, TotalsDoNotDependOnTheOrderOfRanks) {
  Summaries summaries = interleaved(4, 64, 1000);
  summaries.push_back({});
  Facts facts = with_method(facts_of(Direction::kWrite, 1, 5));
  const Plan expected = make_plan(facts, summaries);
  for (int turn = 0; turn < 5; ++turn) {
    std::rotate(summaries.begin(), summaries.begin() + 1, summaries.end());
    EXPECT_EQ(make_plan(facts, summaries), expected);
  }
}

TEST(Plan, SumsAreSixtyFourBitsWide) {
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  for (const Method method : {Method::kIndependent, Method::kTwoPhase}) {
    const Plan plan = make_plan(with_method(kFourOnOneNode, method), segmented(4, kFar));
    EXPECT_EQ(plan.bytes, 4 * kFar);
    EXPECT_EQ(plan.region, (Extent{0, 4 * kFar}));
  }
  EXPECT_EQ(make_plan(kFourOnOneNode, segmented(4, kFar)).method, Method::kIndependent);
}

// Every kind of domains and storage, in both directions.
std::vector<Facts> facts_to_move_in() {
  std::vector<Facts> all;
  for (const Storage& storage : {Storage{}, tokens(), Storage{1000, 3, LockProtocol::kServer, true}}) {
    for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
      for (const int domains : {0, 1, 2, 3, 4}) {
        Facts facts = with_method(facts_of(direction, 2, 4));
        facts.storage = storage;
        if (domains > 0) facts.wishes.domains = static_cast<DomainKind>(domains - 1);
        facts.wishes.most_window_bytes = 5000;
        facts.wishes.max_acc = domains % 2;
        all.push_back(facts);
      }
    }
  }
  return all;
}

TEST(PlanMoves, TheSameCallFurtherOnHasThePlanMoved) {
  for (const Facts& facts : facts_to_move_in()) {
    const Summaries first = moved(interleaved(8, 64, 1000), 12345);
    const Plan plan = make_plan(facts, first);
    int moves = 0;
    for (const std::int64_t distance : {0, 1, 1000, 4096, 8192, 12000, 65536, 8388608, 96000, 1048576 * 375, -12000}) {
      if (!moves_by(plan, distance)) continue;
      ++moves;
      EXPECT_EQ(make_plan(facts, moved(first, distance)), moved(plan, distance)) << print(plan) << " by " << distance;
    }
    EXPECT_GT(moves, 1) << print(plan);
  }
}

// Where blocks belong to aggregators for good, a call moved by other than whole turns has other domains.
TEST(PlanMoves, CyclicDomainsMoveByWholeTurnsOnly) {
  Facts facts = with_method(facts_of(Direction::kWrite, 1, 4));
  facts.wishes.domains = DomainKind::kStaticCyclic;
  facts.wishes.aggregators = 2;
  const Plan plan = make_plan(facts, interleaved(4, 64, 1000));
  for (const std::int64_t distance : {1, 4096, 8192, 12288, 16384}) {
    EXPECT_EQ(moves_by(plan, distance), distance % 8192 == 0) << distance;
  }
}

TEST(PlanMoves, IndependentAccessMovesByAnyDistance) {
  const Plan plan = make_plan(with_method(kFourOnOneNode, Method::kIndependent), segmented(4, 1000));
  EXPECT_TRUE(moves_by(plan, 17));
  EXPECT_EQ(moved(plan, 17).region, (Extent{17, 4017}));
}

TEST(SameButMoved, TellsTheDistance) {
  const AccessSummary first = interleaved(4, 64, 1000)[1];
  const AccessSummary later = moved(Summaries{first}, 4096)[0];
  EXPECT_TRUE(same_but_moved(first, later, 4096));
  EXPECT_FALSE(same_but_moved(first, later, 4097));
  AccessSummary other_structure = later;
  other_structure.structure = 99;
  EXPECT_FALSE(same_but_moved(first, other_structure, 4096));
  EXPECT_FALSE(same_but_moved(first, {}, 0));
}

TEST(SameButMoved, NothingIsTheSameAnywhere) { EXPECT_TRUE(same_but_moved(AccessSummary(), AccessSummary(), 4096)); }

}  // namespace
}  // namespace weir::plan
