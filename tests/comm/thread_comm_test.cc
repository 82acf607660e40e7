#include "comm/thread_comm.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "comm/collectives.h"
#include "comm/ranks.h"

namespace weir::comm {
namespace {

std::span<const std::byte> bytes_of(const int& value) { return std::as_bytes(std::span(&value, 1)); }
std::span<std::byte> bytes_of(int& value) { return std::as_writable_bytes(std::span(&value, 1)); }

Status wait_for(Comm& comm, Ticket ticket) { return comm.wait(std::span(&ticket, 1)); }

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

// What holds however messages move.
class ThreadComms : public testing::TestWithParam<Delivery> {
 protected:
  static void run(int ranks, const std::function<void(ThreadComm&)>& body) { run(ranks, 0, body); }
  static void run(int ranks, int ranks_per_node, const std::function<void(ThreadComm&)>& body) {
    run_ranks(ranks, ranks_per_node, body, GetParam());
  }

 private:
  HangGuard watchdog_{testing::UnitTest::GetInstance()->current_test_info()->name()};
};
INSTANTIATE_TEST_SUITE_P(Deliveries, ThreadComms, testing::Values(Delivery::kEager, Delivery::kRendezvous),
                         [](const auto& delivery) { return name_of(delivery.param); });

TEST_P(ThreadComms, KnowsRanksAndNodes) {
  std::atomic<int> sum = 0;
  run(7, 3, [&](ThreadComm& comm) {
    EXPECT_EQ(comm.size(), 7);
    EXPECT_EQ(comm.topology().node_of, (std::vector<int>{0, 0, 0, 1, 1, 1, 2}));
    sum += comm.rank();
  });
  EXPECT_EQ(sum, 21);
}

TEST_P(ThreadComms, MessagesArriveInTheOrderSent) {
  run(2, [](ThreadComm& comm) {
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

TEST_P(ThreadComms, APostedReceiveIsMetWhileItsOwnerWaitsForSomethingElse) {
  run(2, [](ThreadComm& comm) {
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

TEST_P(ThreadComms, ASendWaitsForItsReceive) {
  std::atomic<bool> posted = false;
  std::atomic<bool> waits = false;
  run(2, [&](ThreadComm& comm) {
    int value = 5;
    if (comm.rank() == 0) {
      const Ticket ticket = comm.send(1, bytes_of(value));
      waits = true;
      waits.notify_one();
      ASSERT_TRUE(wait_for(comm, ticket).ok());
      EXPECT_TRUE(posted);
    } else {
      waits.wait(false);
      posted = true;
      const std::array tickets = {comm.receive(0, bytes_of(value))};
      ASSERT_TRUE(comm.wait(tickets).ok());
    }
  });
}

// Whichever side comes first; messages behind it are not touched by it.
TEST_P(ThreadComms, SizesThatDifferFailOnTheReceiverOnly) {
  run(2, [](ThreadComm& comm) {
    const std::array<std::byte, 4> out = {std::byte{7}};
    const std::array<std::size_t, 4> sizes = {3, 0, 5, 4};
    for (const std::size_t size : sizes) {
      if (comm.rank() == 0) {
        EXPECT_TRUE(wait_for(comm, comm.send(1, out)).ok());
        continue;
      }
      std::array<std::byte, 5> in = {};
      const Status status = wait_for(comm, comm.receive(0, std::span(in).first(size)));
      EXPECT_EQ(status.error_class(), size == out.size() ? ErrorClass::kOk : ErrorClass::kInternal);
      EXPECT_EQ(in[0], size == out.size() ? out[0] : std::byte{0});
    }
  });
}

TEST_P(ThreadComms, SizesThatDifferFailInReceiveAny) {
  run(2, [](ThreadComm& comm) {
    int value = 5;
    if (comm.rank() == 0) {
      EXPECT_TRUE(send_now(comm, 1, value).ok());
      EXPECT_TRUE(send_now(comm, 1, value).ok());
      return;
    }
    std::array<std::byte, 3> too_small = {};
    EXPECT_EQ(comm.receive_any(too_small).status().error_class(), ErrorClass::kInternal);
    int in = 0;
    EXPECT_EQ(comm.receive_any(bytes_of(in)).value(), 0);
    EXPECT_EQ(in, value);
  });
}

TEST_P(ThreadComms, EverybodySendsToEverybodyAtOnce) {
  constexpr int kRanks = 8;
  constexpr int kMessages = 20;
  run(kRanks, 2, [](ThreadComm& comm) {
    std::vector<std::vector<int>> in(kRanks, std::vector<int>(kMessages));
    std::vector<int> out(kMessages);
    for (int i = 0; i < kMessages; ++i) out[static_cast<std::size_t>(i)] = 100 * comm.rank() + i;
    std::vector<Ticket> tickets;
    for (std::size_t i = 0; i < kMessages; ++i) {
      for (int other = 0; other < kRanks; ++other) {
        tickets.push_back(comm.send(other, bytes_of(out[i])));
        tickets.push_back(comm.receive(other, bytes_of(in[static_cast<std::size_t>(other)][i])));
      }
    }
    EXPECT_TRUE(comm.wait(tickets).ok());
    for (int other = 0; other < kRanks; ++other) {
      for (int i = 0; i < kMessages; ++i) {
        EXPECT_EQ(in[static_cast<std::size_t>(other)][static_cast<std::size_t>(i)], 100 * other + i);
      }
    }
  });
}

TEST_P(ThreadComms, IsBusyUntilEverythingWasWaitedFor) {
  const ThreadGroup group(1, 0, GetParam());
  const auto comm = group.comm(0);
  const int out = 1;
  int in = 0;
  EXPECT_FALSE(comm->busy());
  const Ticket send = comm->send(0, bytes_of(out));
  const Ticket receive = comm->receive(0, bytes_of(in));
  EXPECT_TRUE(comm->busy());
  EXPECT_TRUE(wait_for(*comm, send).ok());
  EXPECT_TRUE(comm->busy());
  EXPECT_TRUE(wait_for(*comm, receive).ok());
  EXPECT_FALSE(comm->busy());
}

// A thread that drives the rank beside the one that waits, for as long as it lives.
class Beside {
 public:
  explicit Beside(ThreadComm& comm) : thread_([&comm](const std::stop_token& stop) { drive(comm, stop); }) {}

 private:
  static void drive(ThreadComm& comm, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (!comm.progress()) std::this_thread::yield();
    }
  }
  std::jthread thread_;
};

TEST_P(ThreadComms, ProgressMayBeMadeBesideAWait) {
  constexpr int kRounds = 200;
  run(3, [](ThreadComm& comm) {
    const Beside beside(comm);
    for (int round = 0; round < kRounds; ++round) {
      int in = -1;
      const Ticket receive = comm.receive((comm.rank() + 2) % 3, bytes_of(in));
      ASSERT_TRUE(send_now(comm, (comm.rank() + 1) % 3, round).ok());
      ASSERT_TRUE(wait_for(comm, receive).ok());
      EXPECT_EQ(in, round);
    }
  });
}

TEST_P(ThreadComms, ReceivesFromAnyone) {
  constexpr int kRanks = 9;
  constexpr int kRounds = 50;
  run(kRanks, [](ThreadComm& comm) {
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
TEST_P(ThreadComms, ManyGroupsAtATimeDoNotMix) {
  constexpr int kRanks = 5;
  constexpr int kGroups = 8;
  std::vector<ThreadGroup> groups;
  for (int group = 0; group < kGroups; ++group) groups.emplace_back(kRanks, 0, GetParam());
  run(kRanks, [&](ThreadComm& comm) {
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
