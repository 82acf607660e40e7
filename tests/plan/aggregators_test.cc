#include "plan/aggregators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace weir::plan {
namespace {

using Ranks = std::vector<int>;

// `ranks` ranks, every `per_node` of them on a node.
Ranks nodes_of(int ranks, int per_node) {
  Ranks node_of;
  for (int rank = 0; rank < ranks; ++rank) node_of.push_back(rank / per_node);
  return node_of;
}

Ranks any(int nodes) { return Ranks(static_cast<std::size_t>(nodes), kAnyNumber); }

TEST(PlaceAggregators, TakesNodesInTurn) {
  const Ranks four_nodes = nodes_of(16, 4);
  EXPECT_EQ(place_aggregators(1, four_nodes, any(4)), (Ranks{0}));
  EXPECT_EQ(place_aggregators(2, four_nodes, any(4)), (Ranks{0, 4}));
  EXPECT_EQ(place_aggregators(4, four_nodes, any(4)), (Ranks{0, 4, 8, 12}));
  EXPECT_EQ(place_aggregators(5, four_nodes, any(4)), (Ranks{0, 2, 4, 8, 12}));
}

TEST(PlaceAggregators, KeepsEqualDistanceOnANode) {
  EXPECT_EQ(place_aggregators(2, nodes_of(8, 8), any(1)), (Ranks{0, 4}));
  EXPECT_EQ(place_aggregators(3, nodes_of(9, 9), any(1)), (Ranks{0, 3, 6}));
  EXPECT_EQ(place_aggregators(3, nodes_of(8, 8), any(1)), (Ranks{0, 2, 5}));
  EXPECT_EQ(place_aggregators(8, nodes_of(8, 4), any(2)), (Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(PlaceAggregators, StopsAtTheRanksThereAre) {
  EXPECT_EQ(place_aggregators(99, nodes_of(3, 1), any(3)), (Ranks{0, 1, 2}));
  EXPECT_EQ(place_aggregators(0, nodes_of(3, 1), any(3)), Ranks{});
}

TEST(PlaceAggregators, StopsAtTheLimitOfANode) {
  const Ranks two_nodes = nodes_of(8, 4);
  EXPECT_EQ(place_aggregators(6, two_nodes, Ranks{1, 2}), (Ranks{0, 4, 6}));
  EXPECT_EQ(place_aggregators(6, two_nodes, Ranks{0, kAnyNumber}), (Ranks{4, 5, 6, 7}));
  EXPECT_EQ(place_aggregators(2, two_nodes, Ranks{0, 1}), (Ranks{4}));
  EXPECT_EQ(place_aggregators(3, two_nodes, Ranks{9, 1}), (Ranks{0, 2, 4}));
}

TEST(PlaceAggregators, FollowsNodesWhoseRanksAreScattered) {
  const Ranks node_of = {0, 1, 0, 1, 2, 0};
  EXPECT_EQ(place_aggregators(3, node_of, any(3)), (Ranks{0, 1, 4}));
  EXPECT_EQ(place_aggregators(5, node_of, any(3)), (Ranks{0, 1, 2, 3, 4}));
}

// For all small machines: as many as wanted and possible, ascending, no node more than one ahead of a node with room.
TEST(PlaceAggregators, SpreadsOverNodesFirst) {
  for (int per_node = 1; per_node <= 4; ++per_node) {
    for (int nodes = 1; nodes <= 4; ++nodes) {
      const Ranks node_of = nodes_of(nodes * per_node, per_node);
      for (int wanted = 0; wanted <= nodes * per_node + 1; ++wanted) {
        const Ranks chosen = place_aggregators(wanted, node_of, any(nodes));
        EXPECT_EQ(std::ssize(chosen), std::min(wanted, nodes * per_node));
        EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
        EXPECT_EQ(std::set<int>(chosen.begin(), chosen.end()).size(), chosen.size());
        Ranks of_node(static_cast<std::size_t>(nodes), 0);
        for (const int rank : chosen) ++of_node[static_cast<std::size_t>(rank / per_node)];
        const auto [least, most] = std::minmax_element(of_node.begin(), of_node.end());
        EXPECT_LE(*most - *least, 1);
      }
    }
  }
}

TEST(FitToServers, IsTheLargestCountThatDividesTheServersOrIsAMultiple) {
  for (int most = 1; most <= 40; ++most) {
    for (int servers = 1; servers <= 20; ++servers) {
      int largest = 0;
      for (int count = 1; count <= most; ++count) {
        if (count % servers == 0 || servers % count == 0) largest = count;
      }
      EXPECT_EQ(fit_to_servers(most, servers), largest) << most << " aggregators, " << servers << " servers";
    }
  }
}

TEST(LocalAggregators, AreThoseOfTheFormula) {
  EXPECT_EQ(local_aggregators(5, 2), (Ranks{0, 3}));
  EXPECT_EQ(local_aggregators(4, 1), (Ranks{0}));
  EXPECT_EQ(local_aggregators(4, 2), (Ranks{0, 2}));
  EXPECT_EQ(local_aggregators(7, 3), (Ranks{0, 3, 5}));
}

TEST(LocalAggregators, HaveGroupsThatDifferByOneRankAtMostTheLargerOnesFirst) {
  for (int ranks = 1; ranks <= 12; ++ranks) {
    for (int wanted = 1; wanted <= 12; ++wanted) {
      Ranks chosen = local_aggregators(ranks, wanted);
      const int count = std::min(wanted, ranks);
      ASSERT_EQ(std::ssize(chosen), count);
      EXPECT_EQ(chosen.front(), 0);
      chosen.push_back(ranks);
      for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        EXPECT_EQ(chosen[at + 1] - chosen[at], ranks / count + (i < ranks % count ? 1 : 0)) << ranks << " " << wanted;
      }
    }
  }
}

TEST(LocalAggregators, CutsWhatCannotBe) {
  EXPECT_EQ(local_aggregators(3, 0), (Ranks{0}));
  EXPECT_EQ(local_aggregators(3, -5), (Ranks{0}));
  EXPECT_EQ(local_aggregators(3, 100), (Ranks{0, 1, 2}));
}

TEST(LocalAggregators, EveryRankHasOneOfItsOwnNode) {
  EXPECT_EQ(local_aggregator_of(nodes_of(5, 5), 2), (Ranks{0, 0, 0, 3, 3}));
  EXPECT_EQ(local_aggregator_of(nodes_of(8, 4), 1), (Ranks{0, 0, 0, 0, 4, 4, 4, 4}));
  EXPECT_EQ(local_aggregator_of(nodes_of(8, 4), 4), (Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(local_aggregator_of(nodes_of(6, 4), 3), (Ranks{0, 0, 2, 3, 4, 5}));
  EXPECT_EQ(local_aggregator_of(Ranks{0, 1, 0, 1, 0}, 1), (Ranks{0, 1, 0, 1, 0}));
}

const std::vector<std::string> kHosts = {"one", "two", "three"};

Ranks read_or_fail(std::string_view list) {
  Result<std::vector<int>> most = read_config_list(list, kHosts);
  EXPECT_TRUE(most.ok()) << list << ": " << most.status().text();
  return most.ok() ? most.value() : Ranks{};
}

TEST(ReadConfigList, TakesHostsAndNumbers) {
  EXPECT_EQ(read_or_fail("*:1"), (Ranks{1, 1, 1}));
  EXPECT_EQ(read_or_fail("*"), (Ranks{1, 1, 1}));
  EXPECT_EQ(read_or_fail("*:*"), (Ranks{kAnyNumber, kAnyNumber, kAnyNumber}));
  EXPECT_EQ(read_or_fail("one:2,two"), (Ranks{2, 1, 0}));
  EXPECT_EQ(read_or_fail("three:*"), (Ranks{0, 0, kAnyNumber}));
  EXPECT_EQ(read_or_fail(" two:3 ,\tone:0 , *:5 "), (Ranks{0, 3, 5}));
}

TEST(ReadConfigList, TheFirstEntryThatNamesAHostCounts) {
  EXPECT_EQ(read_or_fail("two:3,*:1,two:9"), (Ranks{1, 3, 1}));
  EXPECT_EQ(read_or_fail("*:4,one:1"), (Ranks{4, 4, 4}));
}

TEST(ReadConfigList, RefusesWhatItCannotRead) {
  for (const char* list :
       {"one:", "one:x", "one:-1", "one:1x", ":3", "one:1,,two:1", ",", "one:99999999999", "one:1 2", "  ", "*:1:2"}) {
    Result<std::vector<int>> most = read_config_list(list, kHosts);
    ASSERT_FALSE(most.ok()) << list;
    EXPECT_EQ(most.status().error_class(), ErrorClass::kInfo) << list;
  }
}

TEST(ReadNodeList, NamedNodesMayHoldAnyNumber) {
  const std::vector<std::string> hosts = {"a", "b", "c"};
  EXPECT_EQ(read_node_list("b", hosts).value(), (Ranks{0, kAnyNumber, 0}));
  EXPECT_EQ(read_node_list(" c , a,other", hosts).value(), (Ranks{kAnyNumber, 0, kAnyNumber}));
  EXPECT_EQ(read_node_list("*", hosts).value(), any(3));
  for (const char* list : {"", "d", "a:2"}) {
    EXPECT_EQ(read_node_list(list, hosts).status().error_class(), ErrorClass::kInfo) << list;
  }
}

TEST(ReadConfigList, RefusesAListThatLeavesNoNode) {
  for (const char* list : {"", "elsewhere:4", "*:0", "one:0,two:0"}) {
    Result<std::vector<int>> most = read_config_list(list, kHosts);
    ASSERT_FALSE(most.ok()) << list;
    EXPECT_EQ(most.status().error_class(), ErrorClass::kInfo) << list;
    EXPECT_NE(most.status().text().find("names no node"), std::string::npos) << most.status().text();
  }
}

}  // namespace
}  // namespace weir::plan
