#include "plan/locality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

using Places = std::vector<std::size_t>;

// The most that any assignment keeps: all orders of the places are tried.
std::int64_t most_kept(const Holdings& holdings, Places order) {
  std::ranges::sort(order);
  std::int64_t most = 0;
  do {
    most = std::max(most, holdings.kept(order));
  } while (std::ranges::next_permutation(order).found);
  return most;
}

bool same_places(Places a, Places b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}

// All holdings of three domains on two or three places, in small numbers.
TEST(AssignDomains, KeepsHalfOfTheMostAndNoLessThanTheOrder) {
  int exact = 0;
  int all = 0;
  for (const Places& order : {Places{0, 1, 2}, Places{0, 0, 1}, Places{1, 0, 1}, Places{0, 1, 0}}) {
    const std::size_t places = std::ranges::max(order) + 1;
    int numbers = 1;
    for (std::size_t i = 0; i < 3 * places; ++i) numbers *= 3;
    for (int number = 0; number < numbers; ++number) {
      Holdings holdings(3, places);
      int rest = number;
      for (std::size_t domain = 0; domain < 3; ++domain) {
        for (std::size_t place = 0; place < places; ++place)
          holdings.at(domain, place) = std::exchange(rest, rest / 3) % 3;
      }
      const Places given = assign_domains(holdings, order);
      ASSERT_TRUE(same_places(given, order));
      const std::int64_t kept = holdings.kept(given);
      const std::int64_t most = most_kept(holdings, order);
      ASSERT_GE(2 * kept, most);
      ASSERT_GE(kept, holdings.kept(order));
      ASSERT_TRUE(kept > holdings.kept(order) || given == order);
      exact += kept == most ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(exact, all * 95 / 100);
}

TEST(AssignDomains, KeepsTheBoundWithMoreDomainsAndLargeNumbers) {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    Places order;
    for (int domain = 0; domain < 6; ++domain) order.push_back(random() % 4);
    Holdings holdings(6, 4);
    for (std::size_t domain = 0; domain < 6; ++domain) {
      for (std::size_t place = 0; place < 4; ++place) holdings.at(domain, place) = random() % 1000;
    }
    const Places given = assign_domains(holdings, order);
    ASSERT_TRUE(same_places(given, order)) << i;
    ASSERT_GE(2 * holdings.kept(given), most_kept(holdings, order)) << i;
    ASSERT_GE(holdings.kept(given), holdings.kept(order)) << i;
  }
}

// The slow answer for ranks whose extents are full: byte by byte.
std::int64_t between_by_bytes(const LocalityInput& input, std::span<const int> aggregators) {
  std::int64_t bytes = 0;
  for (std::size_t rank = 0; rank < input.summaries.size(); ++rank) {
    const Extent extent = input.summaries[rank].file_extent;
    for (std::int64_t offset = extent.begin; offset < extent.end; ++offset) {
      for (std::size_t i = 0; i < aggregators.size(); ++i) {
        if (!input.domains[i].extent.contains(offset)) continue;
        bytes += input.node_of[static_cast<std::size_t>(aggregators[i])] != input.node_of[rank] ? 1 : 0;
      }
    }
  }
  return bytes;
}

// Small calls, all orders of the aggregators tried: what is chosen keeps to the bound, and what is told is true.
TEST(Locality, OfSmallCallsAgainstAllAssignments) {
  std::mt19937 random(7);
  int gained = 0;
  for (int i = 0; i < 1500; ++i) {
    const int nodes = 2 + static_cast<int>(random() % 3);
    const Machine machine = machine_of(nodes, 2);
    Summaries summaries;
    for (int rank = 0; rank < 2 * nodes; ++rank) {
      const std::int64_t begin = random() % 60;
      const std::int64_t bytes = random() % 30;
      summaries.push_back(bytes == 0 ? AccessSummary() : summary({begin, begin + bytes}, bytes, 1));
    }
    const Extent region = total_of(summaries).region;
    if (region.empty()) continue;
    const int count = 1 + static_cast<int>(random() % 5);
    const DomainKind kind = random() % 2 == 0 ? DomainKind::kEven : DomainKind::kAligned;
    std::vector<int> aggregators = place_aggregators(count, machine.node_of, machine.most_per_node);
    const auto domains = make_domains({kind, region, static_cast<int>(aggregators.size()), 4, 1});
    const LocalityInput input{summaries, machine.node_of, domains};
    const std::vector<int> in_order = aggregators;
    const Traffic traffic = bring_domains_home(input, aggregators);
    ASSERT_TRUE(std::ranges::is_permutation(aggregators, in_order)) << i;
    ASSERT_EQ(traffic.in_rank_order, between_by_bytes(input, in_order)) << i;
    ASSERT_EQ(traffic.between_nodes, between_by_bytes(input, aggregators)) << i;
    ASSERT_EQ(traffic.between_nodes, between_nodes(input, aggregators)) << i;
    const std::int64_t bytes = total_of(summaries).bytes;
    std::int64_t least = bytes;
    std::vector<int> order = in_order;
    do {
      least = std::min(least, between_by_bytes(input, order));
    } while (std::ranges::next_permutation(order).found);
    ASSERT_LE(traffic.between_nodes, traffic.in_rank_order) << i;
    // Half of what can be kept is kept, but for gains too small to count.
    ASSERT_GE(2 * (bytes - traffic.between_nodes) + traffic.in_rank_order / 32, bytes - least) << i;
    gained += traffic.between_nodes < traffic.in_rank_order ? 1 : 0;
  }
  EXPECT_GT(gained, 300);
}

// Ranks of the last node have the begin of the file.
Summaries backwards(int ranks, std::int64_t block_bytes) {
  Summaries summaries = segmented(ranks, block_bytes);
  std::ranges::reverse(summaries);
  return summaries;
}

TEST(Locality, DomainsGoToTheNodesThatHaveThem) {
  Facts facts = facts_of(Direction::kWrite, 4, 4);
  facts.wishes.method = Method::kTwoPhase;
  const Plan plan = make_plan(facts, backwards(16, 64 * kKiB));
  EXPECT_EQ(plan.aggregators, (std::vector<int>{12, 8, 4, 0}));
  EXPECT_EQ(plan.traffic, (Traffic{16 * 64 * kKiB, 0}));
  EXPECT_EQ(make_plan(facts, segmented(16, 64 * kKiB)).aggregators, (std::vector<int>{0, 4, 8, 12}));
  EXPECT_EQ(make_plan(facts, segmented(16, 64 * kKiB)).traffic, Traffic{});
}

TEST(Locality, AggregatorsOfANodeOwnAscendingDomains) {
  Facts facts = facts_of(Direction::kWrite, 2, 4);
  facts.wishes.method = Method::kTwoPhase;
  facts.wishes.aggregators = 4;
  EXPECT_EQ(make_plan(facts, backwards(8, 64 * kKiB)).aggregators, (std::vector<int>{4, 6, 0, 2}));
}

TEST(Locality, EvenlySpreadBytesLeaveRankOrder) {
  for (const int nodes : {2, 3, 16}) {
    Facts facts = facts_of(Direction::kWrite, nodes, 4);
    facts.wishes.method = Method::kTwoPhase;
    const Plan plan = make_plan(facts, interleaved(4 * nodes, 100, 10000));
    EXPECT_TRUE(std::ranges::is_sorted(plan.aggregators)) << print(plan);
    EXPECT_EQ(plan.traffic.between_nodes, plan.traffic.in_rank_order);
    const std::int64_t most = plan.bytes / nodes * (nodes - 1);
    EXPECT_LT(std::abs(plan.traffic.in_rank_order - most), plan.bytes / 1000) << print(plan);
  }
}

TEST(Locality, CyclicDomainsAndTradesKeepTheirOwners) {
  for (const DomainKind kind : {DomainKind::kStaticCyclic, DomainKind::kGroupCyclic}) {
    Facts facts = facts_of(Direction::kWrite, 4, 2);
    facts.storage.servers = 2;
    facts.wishes.method = Method::kTwoPhase;
    facts.wishes.domains = kind;
    facts.wishes.aggregators = 4;
    const Plan plan = make_plan(facts, backwards(8, 64 * kKiB));
    EXPECT_EQ(plan.aggregators, (std::vector<int>{0, 2, 4, 6}));
    // Each aggregator has a fourth of every rank's bytes; in groups, those of the two first nodes half of half.
    EXPECT_EQ(plan.traffic.in_rank_order, kind == DomainKind::kStaticCyclic ? 6 * 64 * kKiB : 8 * 64 * kKiB);
    EXPECT_EQ(plan.traffic.between_nodes, plan.traffic.in_rank_order);
  }
  Facts facts = facts_of(Direction::kWrite, 4, 2);
  facts.wishes.method = Method::kTwoPhase;
  facts.wishes.exchange = Exchange::kPairwise;
  EXPECT_EQ(make_plan(facts, backwards(8, 64 * kKiB)).aggregators,
            make_plan(facts, segmented(8, 64 * kKiB)).aggregators);
}

TEST(Locality, MovesWithTheCall) {
  for (const DomainKind kind : {DomainKind::kEven, DomainKind::kAligned}) {
    Facts facts = facts_of(Direction::kWrite, 4, 4);
    facts.wishes.method = Method::kTwoPhase;
    facts.wishes.domains = kind;
    facts.wishes.aggregators = 4;
    const Summaries first = moved(backwards(16, 1000), 777);
    const Plan plan = make_plan(facts, first);
    EXPECT_LT(plan.traffic.between_nodes, plan.traffic.in_rank_order);
    for (const std::int64_t distance : {std::int64_t{4096}, std::int64_t{1} << 50}) {
      ASSERT_TRUE(moves_by(plan, distance));
      EXPECT_EQ(make_plan(facts, moved(first, distance)), moved(plan, distance));
    }
  }
}

TEST(Locality, PlansSayWhatPassesBetweenNodes) {
  Facts facts = facts_of(Direction::kWrite, 2, 2);
  facts.wishes.method = Method::kTwoPhase;
  const std::string text = print(make_plan(facts, backwards(4, 64 * kKiB)));
  EXPECT_EQ(
      text,
      "two_phase write: 262144 bytes in 4 pieces of 4 ranks in [0, 262144); asked for by hint; 2 aggregators [2 0] "
      "(2 nodes, 1 servers); aligned domains (no two aggregators share 4096 bytes), about 0 bytes between nodes, "
      "262144 with aggregators in rank order; 1 rounds of 524288 bytes (smaller ones do not pay for their messages), 4 "
      "in flight; shared exchange (ranks of a "
      "node share memory), 1 local aggregators a node (0 B a round leave a node for 1 aggregators on 1 other nodes; "
      "predicted: 1 us with 1, 2 us with 2), "
      "sparse or dense as counted; merging off (ranks have few pieces)");
}

}  // namespace
}  // namespace weir::plan
