// What the paper on file domains shows with numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

// 150 bytes from offset 10 on, four aggregators with a buffer of 16 bytes.
TEST(DomainsPaper, FourEvenDomainsOf150BytesAreServedInThreeRoundsOf16) {
  Facts facts = facts_of(Direction::kWrite, 1, 4);
  facts.wishes.method = Method::kTwoPhase;
  facts.wishes.domains = DomainKind::kEven;
  facts.wishes.aggregators = 4;
  facts.wishes.most_window_bytes = 16;
  const Plan plan = make_plan(facts, moved({summary({0, 150}, 150, 1), {}, {}, {}}, 10));
  std::vector<Extent> extents;
  for (const Domain& domain : plan.domains) extents.push_back(domain.extent);
  EXPECT_EQ(extents, (std::vector<Extent>{{10, 48}, {48, 86}, {86, 124}, {124, 160}}));
  EXPECT_EQ(plan.rounds, 3);
  for (const Domain& domain : plan.domains) {
    ASSERT_EQ(round_count(domain, plan.round_size), 3);
    std::int64_t bytes = 0;
    for (std::int64_t round = 0; round < 3; ++round) {
      const Window window = window_of(domain, plan.round_size, round);
      EXPECT_LE(window.bytes(), 16);
      bytes += window.bytes();
    }
    EXPECT_EQ(bytes, domain.extent.bytes());
  }
}

// Eight aggregators, four servers, the first block is 7 modulo 8.
TEST(DomainsPaper, GroupsOfEightAggregatorsOnFourServersBeginAtTheFirstBlocksAggregator) {
  constexpr std::int64_t kLock = 512 * kKiB;
  const Extent region = {7 * kLock, 23 * kLock};
  const std::vector<Domain> domains = make_domains({DomainKind::kGroupCyclic, region, 8, kLock, 4});
  std::vector<std::vector<int>> owners;  // of the two halves of the region, by block
  for (std::int64_t block = 7; block < 23; ++block) {
    if ((block - 7) % 8 == 0) owners.emplace_back();
    for (std::size_t a = 0; a < domains.size(); ++a) {
      const bool turn = (block * kLock - domains[a].first_block) % domains[a].stride_bytes == 0;
      if (domains[a].extent.contains(block * kLock) && turn) owners.back().push_back(static_cast<int>(a));
    }
  }
  EXPECT_EQ(owners, (std::vector<std::vector<int>>{{7, 0, 1, 2, 7, 0, 1, 2}, {3, 4, 5, 6, 3, 4, 5, 6}}));
}

// BTIO on Jaguar: 64 servers, one aggregator for each node of four ranks. Ranks are 16, 64, 256 and others whose number
// of nodes neither divides the servers nor is a multiple.
TEST(DomainsPaper, AggregatorsOfBtioAreFittedToSixtyFourServers) {
  struct Case {
    int ranks;
    std::int64_t aggregators;
  };
  for (const Case& each : {Case{16, 4}, Case{36, 8}, Case{49, 8}, Case{64, 16}, Case{100, 16}, Case{144, 32},
                           Case{256, 64}, Case{576, 128}, Case{1024, 256}}) {
    Facts facts = facts_of(Direction::kWrite, (each.ranks + 3) / 4, 4);
    for (std::vector<int>* of : {&facts.machine.node_of, &facts.machine.sharing_of}) {
      of->resize(static_cast<std::size_t>(each.ranks));
    }
    std::ranges::fill(facts.machine.most_per_node, 1);
    facts.storage = {512 * kKiB, 64, LockProtocol::kServer, true};
    const Plan plan = make_plan(facts, interleaved(each.ranks, 40 * 162 / 4, 40000));
    EXPECT_EQ(plan.domain_kind, DomainKind::kGroupCyclic);
    EXPECT_EQ(std::ssize(plan.aggregators), each.aggregators) << print(plan);
  }
}

}  // namespace
}  // namespace weir::plan
