// Schedules of small plans, against counting every byte: all numbers of aggregators and exchanges, sparse and dense,
// both directions.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "exec/call/inspected.h"
#include "exec/stage/parcel_ship.h"
#include "exec/stage/trade_ship.h"

namespace weir::exec {
namespace {

TEST(Inspect, ARankKnowsItsAggregatorsAndWhatItHasForThem) {
  for_each_rank([](const Inspected& inspected, int rank) {
    const plan::Plan& plan = inspected.plan();
    const Schedule& schedule = inspected.of(rank);
    std::vector<std::size_t> near;
    for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
      EXPECT_EQ(schedule.rounds[a], plan::round_count(plan.domains[a], plan.round_size));
      EXPECT_EQ(schedule.aggregator == a, plan.aggregators[a] == rank);
      if (inspected.planned.near(rank, plan.aggregators[a])) near.push_back(a);
    }
    ASSERT_EQ(schedule.near, near);
    for (std::int64_t round = 0; round < plan.rounds; ++round) {
      for (std::size_t i = 0; i < near.size(); ++i) {
        EXPECT_EQ(schedule.near_bytes.at(i, round), inspected.planned.bytes(rank, near[i], round));
      }
      if (!schedule.aggregator) continue;
      EXPECT_EQ(schedule.own_bytes(round), inspected.planned.bytes(rank, *schedule.aggregator, round));
    }
  });
}

// Who brings each byte of a window to the aggregator, by its place.
std::map<std::int64_t, std::set<int>> coverage(const SmallPlan& planned, std::size_t aggregator, std::int64_t round) {
  std::map<std::int64_t, std::set<int>> senders;
  for (int rank = 0; rank < planned.ranks(); ++rank) {
    const bool near = planned.near(rank, planned.plan().aggregators[aggregator]);
    for (const std::int64_t offset : planned.offsets(rank)) {
      const Landing& landing = planned.landing(offset);
      if (landing.aggregator != aggregator || landing.round != round) continue;
      senders[landing.place].insert(near ? rank : planned.sender_of(rank));
    }
  }
  return senders;
}

TEST(Inspect, AnAggregatorKnowsWhoComesToItsWindowsAndWhichAreNotTiled) {
  for_each_window([](const Inspected& inspected, int rank, std::int64_t round) {
    const plan::Plan& plan = inspected.plan();
    const Schedule& schedule = inspected.of(rank);
    const std::size_t mine = *schedule.aggregator;
    int users = 0;
    for (int other = 0; other < inspected.planned.ranks(); ++other) {
      const bool comes = inspected.planned.bytes(other, mine, round) > 0 || !*plan.sparse || other == rank;
      users += inspected.planned.near(rank, other) && comes ? 1 : 0;
    }
    const auto senders = coverage(inspected.planned, mine, round);
    std::int64_t bytes = 0;
    for (const auto& [place, of_place] : senders) bytes += std::ssize(of_place);
    const bool tiled = std::ssize(senders) == window_of(plan, mine, round).bytes() && std::ssize(senders) == bytes;
    const auto index = static_cast<std::size_t>(round);
    EXPECT_EQ(schedule.window_users[index], users) << "round " << round;
    EXPECT_EQ(schedule.window_bytes[index], bytes) << "round " << round;
    EXPECT_EQ(schedule.window_marked[index], plan.direction == Direction::kWrite && bytes > 0 && !tiled)
        << "round " << round;
  });
}

TEST(Inspect, ParcelsHoldTheBytesOfALocalAggregatorsRanksForEachFarAggregator) {
  for_each_rank([](const Inspected& inspected, int rank) {
    const plan::Plan& plan = inspected.plan();
    const Schedule& schedule = inspected.of(rank);
    const bool local_aggregator = inspected.planned.local_aggregator_of(rank) == rank;
    ASSERT_EQ(std::ssize(schedule.parcels),
              local_aggregator && inspected.planned.several_groups() ? plan.rounds : std::int64_t{0});
    for (std::int64_t round = 0; round < std::ssize(schedule.parcels); ++round) {
      const std::vector<Parcel>& parcels = schedule.parcels[static_cast<std::size_t>(round)];
      expect_apart(parcels, schedule.parcel_buffer_bytes);
      std::size_t found = 0;
      for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
        const std::int64_t bytes = inspected.together(rank, a, round);
        const bool sent = bytes > 0 || (inspected.sends_empty_parcels() && round < schedule.rounds[a]);
        if (inspected.planned.near(rank, plan.aggregators[a]) || !sent) continue;
        ASSERT_LT(found, parcels.size()) << "round " << round;
        EXPECT_EQ(parcels[found].peer, plan.aggregators[a]) << "round " << round;
        EXPECT_EQ(parcels[found].bytes, bytes) << "round " << round;
        ++found;
      }
      EXPECT_EQ(found, parcels.size()) << "round " << round;
    }
  });
}

// The rank's visits in a round; none where all meet in memory.
std::vector<Visit> visits_of(const Inspected& inspected, int rank, std::int64_t round) {
  if (!inspected.planned.several_groups()) return {};
  const auto visits = inspected.of(rank).visits.of(round);
  return {visits.begin(), visits.end()};
}

TEST(Inspect, VisitsAreToTheFarAggregatorsThatARankHasBytesFor) {
  for_each_rank([](const Inspected& inspected, int rank) {
    const plan::Plan& plan = inspected.plan();
    for (std::int64_t round = 0; round < plan.rounds; ++round) {
      std::vector<std::size_t> visited;
      for (const Visit& visit : visits_of(inspected, rank, round)) visited.push_back(visit.aggregator);
      std::vector<std::size_t> expected;
      for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
        const bool far = !inspected.planned.near(rank, plan.aggregators[a]);
        if (far && inspected.planned.bytes(rank, a, round) > 0) expected.push_back(a);
      }
      EXPECT_EQ(visited, expected) << "round " << round;
    }
  });
}

// Merged ones they fill from the begin, each at the places of its bytes.
TEST(Inspect, TheRanksOfALocalAggregatorFillItsParcelsOneAfterTheOther) {
  for_each_rank([](const Inspected& inspected, int rank) {
    const plan::Plan& plan = inspected.plan();
    const Schedule& schedule = inspected.of(rank);
    EXPECT_EQ(schedule.merged != nullptr, inspected.planned.merged());
    for (std::int64_t round = 0; round < std::ssize(schedule.parcels); ++round) {
      std::map<std::size_t, std::int64_t> end;  // of what ranks before have filled, by aggregator
      int users = 0;
      for (int other = 0; other < inspected.planned.ranks(); ++other) {
        if (inspected.planned.local_aggregator_of(other) != rank) continue;
        const std::vector<Visit> visits = visits_of(inspected, other, round);
        users += !visits.empty() || (!*plan.sparse && schedule.near.size() < plan.aggregators.size()) ? 1 : 0;
        for (const Visit& visit : visits) {
          const auto place = end.try_emplace(visit.aggregator, visit.place.parcel + Parcel::kHeaderBytes).first;
          EXPECT_EQ(visit.place.mine, place->second) << "round " << round;
          if (inspected.planned.merged()) continue;
          place->second += inspected.planned.bytes(other, visit.aggregator, round);
        }
      }
      EXPECT_EQ(schedule.parcel_users[static_cast<std::size_t>(round)], users) << "round " << round;
      for (const Parcel& parcel : schedule.parcels[static_cast<std::size_t>(round)]) {
        if (parcel.bytes == 0) continue;
        const std::size_t a = *plan::aggregator_number(plan, parcel.peer);
        const std::int64_t bytes = inspected.planned.merged() ? 0 : parcel.bytes;
        EXPECT_EQ(end[a], parcel.begin + Parcel::kHeaderBytes + bytes) << "round " << round;
      }
    }
  });
}

// Every rank and aggregator that meet in memory, every local aggregator and aggregator that do not.
TEST(Inspect, AllRanksKnowHowManyPairsHaveBytes) {
  for (const Inspected& inspected : all_inspected()) {
    const plan::Plan& plan = inspected.plan();
    plan::Pairs expected;
    for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
      const std::int64_t rounds = plan::round_count(plan.domains[a], plan.round_size);
      for (int rank = 0; rank < inspected.planned.ranks(); ++rank) {
        const bool near = inspected.planned.near(rank, plan.aggregators[a]);
        if (!near && inspected.planned.local_aggregator_of(rank) != rank) continue;
        std::int64_t turns = 0;
        for (std::int64_t round = 0; round < rounds; ++round) {
          const std::int64_t bytes =
              near ? inspected.planned.bytes(rank, a, round) : inspected.together(rank, a, round);
          turns += bytes > 0 ? 1 : 0;
        }
        ++expected.possible;
        expected.with_bytes += turns > 0 ? 1 : 0;
        expected.possible_turns += rounds;
        expected.turns_with_bytes += turns;
      }
    }
    for (const Schedule& schedule : inspected.schedules) {
      ASSERT_EQ(schedule.pairs, expected) << inspected.planned.text();
    }
  }
}

// The bytes of a buffer that holds the parcels, the next of which could begin at a line of its own; in trades there are
// no gaps.
std::int64_t room_for(const std::vector<std::vector<Parcel>>& rounds, bool trades) {
  std::int64_t room = 0;
  for (const std::vector<Parcel>& parcels : rounds) {
    if (parcels.empty()) continue;
    const Parcel& last = parcels.back();
    room = std::max(room, round_up<std::int64_t>(last.begin + Parcel::kHeaderBytes + last.bytes, trades ? 1 : 64));
  }
  return room;
}

TEST(Inspect, AllRanksKnowTheLargestRoundAndHaveRoomForTheirOwn) {
  for_each_rank([](const Inspected& inspected, int rank) {
    const bool trades = inspected.plan().exchange == plan::Exchange::kPairwise;
    std::int64_t parcels = 0;
    std::int64_t messages = 0;
    for (const Schedule& schedule : inspected.schedules) {
      parcels = std::max(parcels, room_for(schedule.parcels, trades));
      messages = std::max({messages, parcels, room_for(schedule.freight, trades)});
    }
    const Schedule& schedule = inspected.of(rank);
    EXPECT_EQ(schedule.parcel_buffer_bytes, parcels);
    EXPECT_EQ(schedule.most_message_bytes, trades ? 0 : messages);
    if (!trades) {
      EXPECT_EQ(schedule.freight_buffer_bytes, room_for(schedule.freight, trades));
    }
    const std::size_t buffers = trades ? TradeShip::kBuffers : ParcelShip::freight_rounds(inspected.plan());
    EXPECT_GE(inspected.freight_on_hand[static_cast<std::size_t>(rank)],
              static_cast<std::int64_t>(buffers) * schedule.freight_buffer_bytes);
  });
}

}  // namespace
}  // namespace weir::exec
