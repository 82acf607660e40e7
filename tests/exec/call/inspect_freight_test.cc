// What aggregators expect from other nodes, in schedules of small plans, against counting every byte.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "exec/call/inspected.h"
#include "layout/oracle.h"

namespace weir::exec {
namespace {

// What an aggregator has in hand is what local aggregators have for it, no more and no less.
TEST(Inspect, TheFreightOfAnAggregatorIsTheParcelsOfOtherGroups) {
  for_each_window([](const Inspected& inspected, int rank, std::int64_t round) {
    std::map<int, std::int64_t> expected;  // bytes, by local aggregator
    for (int other = 0; other < inspected.planned.ranks(); ++other) {
      if (round >= std::ssize(inspected.of(other).parcels)) continue;
      for (const Parcel& parcel : inspected.of(other).parcels[static_cast<std::size_t>(round)]) {
        if (parcel.peer == rank) expected[other] = parcel.bytes;
      }
    }
    const std::vector<Parcel>& freight = inspected.of(rank).freight[static_cast<std::size_t>(round)];
    if (inspected.plan().exchange != plan::Exchange::kPairwise) {
      expect_apart(freight, inspected.of(rank).freight_buffer_bytes);
    }
    std::map<int, std::int64_t> found;
    for (const Parcel& parcel : freight) found[parcel.peer] = parcel.bytes;
    EXPECT_EQ(found, expected) << "round " << round;
    EXPECT_EQ(found.size(), freight.size()) << "round " << round;
  });
}

TEST(Inspect, EveryParcelOfTheFreightKnowsItsFarRanks) {
  for_each_window([](const Inspected& inspected, int rank, std::int64_t round) {
    const Schedule& schedule = inspected.of(rank);
    for (const Parcel& parcel : schedule.freight[static_cast<std::size_t>(round)]) {
      std::int64_t bytes = 0;
      for (std::size_t i = parcel.far_begin; i < parcel.far_end; ++i) {
        ASSERT_LT(i, schedule.far_ranks.size());
        EXPECT_EQ(schedule.far_ranks[i].local_aggregator, parcel.peer) << "round " << round;
        bytes += inspected.planned.bytes(schedule.far_ranks[i].rank, *schedule.aggregator, round);
      }
      if (parcel.bytes > 0 && inspected.planned.merged()) {
        EXPECT_EQ(parcel.far_end, parcel.far_begin + 1);
        EXPECT_EQ(schedule.far_ranks[parcel.far_begin].rank, parcel.peer);
        bytes = inspected.together(parcel.peer, *schedule.aggregator, round);
      }
      EXPECT_EQ(bytes, parcel.bytes) << "round " << round;
    }
  });
}

// The bytes of the rank that lie between the ends of a domain, counted from the begin of the region.
SmallPlan::Offsets offsets_in(const SmallPlan& planned, int rank, const plan::Domain& domain) {
  SmallPlan::Offsets inside;
  for (const std::int64_t offset : planned.offsets(rank)) {
    if (domain.extent.contains(offset)) inside.push_back(offset - planned.plan().region.begin);
  }
  return inside;
}

TEST(Inspect, AnAggregatorKnowsWhichBytesFarRanksWant) {
  for_each_rank([](const Inspected& inspected, int rank) {
    const Schedule& schedule = inspected.of(rank);
    std::map<std::pair<int, int>, SmallPlan::Offsets> expected;  // by local aggregator and rank
    for (int other = 0; schedule.aggregator && other < inspected.planned.ranks(); ++other) {
      if (inspected.planned.near(rank, other)) continue;
      const auto wanted = offsets_in(inspected.planned, other, inspected.plan().domains[*schedule.aggregator]);
      if (wanted.empty()) continue;
      auto& all = expected[{inspected.planned.local_aggregator_of(other), inspected.planned.sender_of(other)}];
      all.insert(all.end(), wanted.begin(), wanted.end());
      std::ranges::sort(all);
      all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    ASSERT_EQ(schedule.far_ranks.size(), expected.size());
    std::vector<std::pair<int, int>> order;
    for (const FarRank& far_rank : schedule.far_ranks) {
      order.emplace_back(far_rank.local_aggregator, far_rank.rank);
      ASSERT_TRUE(expected.contains(order.back()));
      const auto& wanted = expected[order.back()];
      EXPECT_EQ(layout::bytes_of(far_rank.requests.view().filetype()), wanted);
      EXPECT_EQ(far_rank.extent, (Extent{wanted.front(), wanted.back() + 1}));
    }
    // In trades, as they stand in a bundle.
    if (inspected.plan().exchange != plan::Exchange::kPairwise) {
      EXPECT_TRUE(std::ranges::is_sorted(order));
    }
    std::ranges::sort(order);
    EXPECT_EQ(std::ranges::adjacent_find(order), order.end());
    EXPECT_EQ(schedule.far_movers->size(), schedule.far_ranks.size());
  });
}

TEST(Inspect, InTradesEveryoneEndsWithWhatIsForItself) {
  for_each_rank([](const Inspected& inspected, int rank) {
    const plan::Plan& plan = inspected.plan();
    const Schedule& schedule = inspected.of(rank);
    const bool trades = plan.exchange == plan::Exchange::kPairwise && inspected.planned.several_groups();
    const bool is_party = trades && inspected.planned.local_aggregator_of(rank) == rank;
    EXPECT_EQ(!schedule.trades.steps().empty(), is_party);
    if (!trades || !schedule.aggregator.has_value()) return;
    for (std::int64_t round = 0; round < plan.rounds; ++round) {
      std::int64_t expected = 0;
      std::set<int> parties;
      for (int other = 0; other < inspected.planned.ranks(); ++other) {
        const std::int64_t bytes = inspected.planned.bytes(other, *schedule.aggregator, round);
        if (bytes == 0 || inspected.planned.near(rank, other)) continue;
        expected += bytes;
        parties.insert(inspected.planned.local_aggregator_of(other));
      }
      expected += std::ssize(parties) * Parcel::kHeaderBytes;
      const auto held = schedule.trades.held(schedule.trades.steps().size(), round);
      ASSERT_EQ(held.size(), 1U);
      EXPECT_EQ(held[0], expected) << "round " << round;
    }
  });
}

}  // namespace
}  // namespace weir::exec
