#include "comm/thread_comm.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "comm/collectives.h"

namespace weir::comm {
namespace {

std::span<const std::byte> bytes_of(const int& value) { return std::as_bytes(std::span(&value, 1)); }
std::span<std::byte> bytes_of(int& value) { return std::as_writable_bytes(std::span(&value, 1)); }

Status send_now(Comm& comm, int to, const int& value) {
  const std::array tickets = {comm.send(to, bytes_of(value))};
  return comm.wait(tickets);
}

TEST(Topology, NumbersNodesByTheirLowestRank) {
  const std::array labels = {7, 3, 7, 9, 3};
  const Topology topology = topology_of_labels(labels);
  EXPECT_EQ(topology.node_of, (std::vector<int>{0, 1, 0, 2, 1}));
  EXPECT_EQ(topology.node_count(), 3);
  EXPECT_EQ(topology.ranks_of(1), (std::vector<int>{1, 4}));
}

TEST(ThreadComm, KnowsRanksAndNodes) {
  std::atomic<int> sum = 0;
  run_ranks(7, 3, [&](ThreadComm& comm) {
    EXPECT_EQ(comm.size(), 7);
    EXPECT_EQ(comm.topology().node_of, (std::vector<int>{0, 0, 0, 1, 1, 1, 2}));
    sum += comm.rank();
  });
  EXPECT_EQ(sum, 21);
}

TEST(ThreadComm, MessagesArriveInTheOrderSent) {
  run_ranks(2, [](ThreadComm& comm) {
    std::vector<int> values(1000);
    std::vector<Ticket> tickets;
    if (comm.rank() == 0) std::iota(values.begin(), values.end(), 0);
    for (int& value : values) {
      tickets.push_back(comm.rank() == 0 ? comm.send(1, bytes_of(value)) : comm.receive(0, bytes_of(value)));
    }
    // Waiting in another order than posting is allowed.
    std::reverse(tickets.begin(), tickets.end());
    ASSERT_TRUE(comm.wait(tickets).ok());
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
  });
}

TEST(ThreadComm, APostedReceiveIsMetWhileItsOwnerWaitsForSomethingElse) {
  run_ranks(2, [](ThreadComm& comm) {
    const int other = 1 - comm.rank();
    int in = -1;
    const int out = comm.rank();
    const Ticket receive = comm.receive(other, bytes_of(in));
    ASSERT_TRUE(send_now(comm, other, out).ok());
    const std::array tickets = {receive};
    ASSERT_TRUE(comm.wait(tickets).ok());
    EXPECT_EQ(in, other);
  });
}

TEST(ThreadComm, ASendWaitsForItsReceive) {
  std::atomic<bool> posted = false;
  run_ranks(2, [&](ThreadComm& comm) {
    int value = 5;
    if (comm.rank() == 0) {
      ASSERT_TRUE(send_now(comm, 1, value).ok());
      EXPECT_TRUE(posted);
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      posted = true;
      const std::array tickets = {comm.receive(0, bytes_of(value))};
      ASSERT_TRUE(comm.wait(tickets).ok());
    }
  });
}

TEST(ThreadComm, SizesThatDifferAreAnError) {
  run_ranks(2, [](ThreadComm& comm) {
    int value = 5;
    std::array<std::byte, 3> too_small = {};
    if (comm.rank() == 0) {
      EXPECT_TRUE(send_now(comm, 1, value).ok());
    } else {
      const std::array tickets = {comm.receive(0, too_small)};
      EXPECT_EQ(comm.wait(tickets).error_class(), ErrorClass::kInternal);
    }
  });
}

TEST(ThreadComm, ReceivesFromAnyone) {
  constexpr int kRanks = 9;
  constexpr int kRounds = 50;
  run_ranks(kRanks, [](ThreadComm& comm) {
    if (comm.rank() != 0) {
      for (int round = 0; round < kRounds; ++round) ASSERT_TRUE(send_now(comm, 0, round).ok());
      return;
    }
    std::vector<int> next_round(kRanks);
    for (int i = 0; i < kRounds * (kRanks - 1); ++i) {
      int round = -1;
      const auto from = comm.receive_any(bytes_of(round));
      ASSERT_TRUE(from.ok());
      EXPECT_EQ(round, next_round[static_cast<std::size_t>(from.value())]++);
    }
  });
}

// Two files whose collectives interleave differently on each rank: each group is a channel of its own.
TEST(ThreadComm, ManyGroupsAtATimeDoNotMix) {
  constexpr int kRanks = 5;
  constexpr int kGroups = 8;
  std::vector<ThreadGroup> groups;
  for (int group = 0; group < kGroups; ++group) groups.emplace_back(kRanks);
  run_ranks(kRanks, [&](ThreadComm& comm) {
    std::vector<std::jthread> drivers;
    for (int i = 0; i < kGroups; ++i) {
      const int group = comm.rank() % 2 == 0 ? i : kGroups - 1 - i;
      drivers.emplace_back([&groups, group, rank = comm.rank()] {
        const auto own = groups[static_cast<std::size_t>(group)].comm(rank);
        for (int round = 0; round < 50; ++round) EXPECT_EQ(all_sum(*own, group).value(), kRanks * group);
      });
    }
  });
}

TEST(SelfComm, IsOneRankThatCanTalkToItself) {
  const auto comm = self_comm();
  EXPECT_EQ(comm->size(), 1);
  EXPECT_EQ(comm->topology().node_count(), 1);
  const int out = 42;
  int in = 0;
  const std::array tickets = {comm->send(0, bytes_of(out)), comm->receive(0, bytes_of(in))};
  ASSERT_TRUE(comm->wait(tickets).ok());
  EXPECT_EQ(in, 42);
  EXPECT_TRUE(barrier(*comm).ok());
  EXPECT_EQ(all_sum(*comm, 3).value(), 3);
}

}  // namespace
}  // namespace weir::comm
