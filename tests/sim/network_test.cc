#include "sim/network.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/events.h"
#include "sim/toy_machine.h"

namespace weir::sim {
namespace {

// A network whose messages are taken as they come; notes when.
class Wire {
 public:
  explicit Wire(const model::MachineModel& machine, int ranks = 8, int ranks_per_node = 1)
      : network_(machine, ranks, ranks_per_node, events_) {
    network_.set_users({.arrived = [this](std::size_t number) { network_.take(number); },
                        .taken = [this](const Message&) { taken_.push_back(events_.now()); }});
  }

  std::vector<Micros> play(const std::vector<Message>& messages) {
    for (const Message& message : messages) network_.send(message);
    while (events_.step()) {
    }
    return taken_;
  }

  const Network& network() const { return network_; }

 private:
  EventQueue events_;
  Network network_;
  std::vector<Micros> taken_;
};

TEST(Network, OneMessageTakesCostsLatencyAndBytesOverBandwidth) {
  EXPECT_EQ(Wire(toy_machine()).play({{.from = 0, .to = 1, .bytes = 5000}}), (std::vector<Micros>{2 + 10 + 5 + 3}));
}

TEST(Network, CopiesAndPiecesTakeTimeOfTheCores) {
  model::MachineModel machine = toy_machine();
  machine.network.core_mb_s = 100;
  machine.memory.piece_us = 0.5;
  const std::vector<Micros> taken = Wire(machine).play({{.from = 0, .to = 1, .bytes = 1000, .pieces = 4}});
  EXPECT_EQ(taken, (std::vector<Micros>{(2 + 10) + 10 + 1 + (3 + 10 + 2)}));
}

TEST(Network, MessagesToOneReceiverAreTakenOneAfterTheOther) {
  std::vector<Message> messages;
  for (int rank = 1; rank < 8; ++rank) messages.push_back({.from = rank, .to = 0});
  const std::vector<Micros> taken = Wire(toy_machine()).play(messages);
  ASSERT_EQ(taken.size(), 7U);
  for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], 2 + 10 + 3 * static_cast<double>(i + 1));
}

TEST(Network, EveryMessageThatWaitsCostsTheOthers) {
  model::MachineModel machine = toy_machine();
  machine.network.waiting_us = 1;
  std::vector<Message> messages;
  for (int rank = 1; rank < 5; ++rank) messages.push_back({.from = rank, .to = 0});
  // The first is taken before it is known that others come at the same time.
  const double first = 12 + 3;
  EXPECT_EQ(Wire(machine).play(messages), (std::vector<Micros>{first, first + 3 + 2, first + 8 + 1, first + 12}));
}

TEST(Network, MessagesOfOneSenderLeaveOneAfterTheOther) {
  const std::vector<Micros> taken = Wire(toy_machine()).play({{.from = 0, .to = 1}, {.from = 0, .to = 2}});
  EXPECT_EQ(taken, (std::vector<Micros>{15, 17}));
}

TEST(Network, ALinkIsSharedByTheRanksOfItsNode) {
  const std::vector<Micros> taken =
      Wire(toy_machine(), 8, 4).play({{.from = 0, .to = 4, .bytes = 10'000}, {.from = 1, .to = 5, .bytes = 10'000}});
  EXPECT_EQ(taken, (std::vector<Micros>{2 + 10 + 10 + 3, 2 + 10 + 20 + 3}));
}

TEST(Network, RanksOfANodeNeedNoLink) {
  EXPECT_EQ(Wire(toy_machine(), 8, 4).play({{.from = 0, .to = 1, .bytes = 10'000}}), (std::vector<Micros>{2 + 3}));
}

TEST(Network, CoresThatRanksShareAreSlower) {
  model::MachineModel machine = toy_machine();
  machine.nodes.cores_per_node = 2;
  EXPECT_EQ(Wire(machine, 8, 4).play({{.from = 0, .to = 4}}), (std::vector<Micros>{4 + 10 + 6}));
}

TEST(EventQueue, ActionsOfOneTimeHappenInTheOrderInWhichTheyWereAskedFor) {
  EventQueue events;
  std::vector<int> seen;
  for (int i = 0; i < 100; ++i) events.at(i % 3, [&seen, i] { seen.push_back(i); });
  while (events.step()) {
  }
  ASSERT_EQ(seen.size(), 100U);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_LE(seen[i - 1] % 3, seen[i] % 3);
    if (seen[i - 1] % 3 == seen[i] % 3) {
      EXPECT_LT(seen[i - 1], seen[i]);
    }
  }
}

}  // namespace
}  // namespace weir::sim
