#include "sim/store.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/toy_machine.h"

namespace weir::sim {
namespace {

FileAccess access_of(Direction direction, int node, Extent bytes) {
  return {
      .direction = direction, .rank = node, .node = node, .extents = {bytes}, .more_calls = 0, .bytes = bytes.bytes()};
}

// When each access is done; those of a node follow each other.
class Disks {
 public:
  explicit Disks(const model::MachineModel& machine, int nodes = 4) : store_(machine, nodes, events_) {}

  Micros play(const std::vector<std::vector<FileAccess>>& of_nodes) {
    for (const std::vector<FileAccess>& accesses : of_nodes) go_on(accesses, 0);
    while (events_.step()) {
    }
    return events_.now();
  }
  const Store& store() const { return store_; }
  int done() const { return done_; }  // accesses

 private:
  void go_on(const std::vector<FileAccess>& accesses, std::size_t next) {
    if (next == accesses.size()) return;
    store_.access(accesses[next], [this, &accesses, next] {
      ++done_;
      go_on(accesses, next + 1);
    });
  }

  EventQueue events_;
  Store store_;
  int done_ = 0;
};

constexpr Micros kOne = 20 + 50 + 10;  // latency, request, a block's bytes

TEST(Store, ARequestTakesLatencyCostAndBytes) {
  EXPECT_EQ(Disks(toy_machine()).play({{access_of(Direction::kWrite, 0, {0, 1000})}}), kOne);
  EXPECT_EQ(Disks(toy_machine()).play({{access_of(Direction::kRead, 0, {0, 1000})}}), kOne);
}

TEST(Store, RequestsToOneServerWaitForEachOther) {
  const Micros time =
      Disks(toy_machine())
          .play({{access_of(Direction::kWrite, 0, {0, 1000})}, {access_of(Direction::kWrite, 1, {4000, 5000})}});
  EXPECT_EQ(time, kOne + 60);
}

TEST(Store, AReadAsksAllServersAtOnce) {
  EXPECT_EQ(Disks(toy_machine()).play({{access_of(Direction::kRead, 0, {0, 4000})}}), kOne);
}

TEST(Store, WhatANodeMayKeepBackIsNotWaitedFor) {
  model::MachineModel machine = toy_machine();
  machine.storage.dirty_bytes = 10'000;
  Disks run(machine);
  EXPECT_LT(run.play({{access_of(Direction::kWrite, 0, {0, 4000})}}), 1);
  EXPECT_EQ(run.store().clean_at(), kOne);
}

TEST(Store, TwoWritersInOneStripePassTheLockToAndFro) {
  model::MachineModel machine = toy_machine();
  machine.locks.revoke_us = 1000;
  machine.locks.protocol = LockProtocol::kServer;
  std::vector<std::vector<FileAccess>> of_nodes(2);
  for (int i = 0; i < 10; ++i) {
    for (int node = 0; node < 2; ++node)
      of_nodes[static_cast<std::size_t>(node)].push_back(
          access_of(Direction::kWrite, node, {node * 500, node * 500 + 500}));
  }
  Disks together(machine);
  const Micros time = together.play(of_nodes);
  EXPECT_EQ(together.store().counts().called_back, 19);
  Disks alone(machine);
  EXPECT_LT(alone.play({of_nodes[0]}) * 4, time);
  EXPECT_EQ(alone.store().counts().asked, 1);
}

// The second writer wants one stripe, the first is at a call of many stripes on another server by then.
TEST(Store, ASystemCallKeepsItsLocksToItsEnd) {
  model::MachineModel machine = toy_machine();
  machine.locks.protocol = LockProtocol::kServer;
  const std::vector<FileAccess> one = {access_of(Direction::kWrite, 1, {0, 1000})};
  FileAccess apart = access_of(Direction::kWrite, 0, {0, 1000});
  for (std::int64_t begin = 1000; begin < 20'000; begin += 1000) apart.extents.push_back({begin, begin + 1000});
  apart.bytes = 20'000;
  const auto second_done = [&](const FileAccess& first) {
    EventQueue events;
    Store store(machine, 2, events);
    Micros done = 0;
    store.access(first, [] {});
    events.after(60, [&] { store.access(one.front(), [&] { done = events.now(); }); });
    while (events.step()) {
    }
    return done;
  };
  EXPECT_GT(second_done(access_of(Direction::kWrite, 0, {0, 20'000})), 2 * second_done(apart));
}

TEST(Store, CallsThatWantEachOthersServersEnd) {
  model::MachineModel machine = toy_machine();
  machine.locks.protocol = LockProtocol::kServer;
  std::vector<std::vector<FileAccess>> of_nodes(4);
  for (int i = 0; i < 20; ++i) {
    for (int node = 0; node < 4; ++node) {
      const std::int64_t begin = (i * 4 + node) * 2500;
      of_nodes[static_cast<std::size_t>(node)].push_back(access_of(Direction::kWrite, node, {begin, begin + 3000}));
    }
  }
  Disks run(machine);
  run.play(of_nodes);
  EXPECT_EQ(run.done(), 80);
}

TEST(Store, UnderTokensANodeHasOnePoolForAllServers) {
  model::MachineModel machine = toy_machine();
  machine.storage.dirty_bytes = 1000;
  machine.locks.protocol = LockProtocol::kToken;
  Disks run(machine);
  EXPECT_LT(run.play({{access_of(Direction::kWrite, 0, {0, 1000}), access_of(Direction::kWrite, 0, {4000, 5000}),
                       access_of(Direction::kWrite, 0, {8000, 9000})}}),
            kOne);  // three blocks for one server are not waited for
}

TEST(Store, ALockThatIsCalledBackWaitsForDirtyData) {
  model::MachineModel machine = toy_machine();
  machine.locks.protocol = LockProtocol::kServer;
  machine.storage.dirty_bytes = 1 << 20;
  machine.storage.server_mb_s = 1;
  Disks run(machine);
  const Micros time =
      run.play({{access_of(Direction::kWrite, 0, {0, 1000})}, {access_of(Direction::kWrite, 1, {0, 1000})}});
  EXPECT_GT(time, 1000);  // the first writer's block
  EXPECT_EQ(run.store().counts().called_back, 1);
}

TEST(Store, ReadingOnHelpsSequentialAccessAndNotCyclic) {
  model::MachineModel machine = toy_machine();
  std::vector<FileAccess> sequential;
  std::vector<FileAccess> cyclic;
  for (std::int64_t i = 0; i < 32; ++i) {
    sequential.push_back(access_of(Direction::kRead, 0, {i * 1000, (i + 1) * 1000}));
    cyclic.push_back(access_of(Direction::kRead, 0, {i * 8000, i * 8000 + 1000}));
  }
  const Micros without = Disks(machine).play({sequential});
  machine.storage.read_ahead_bytes = 4000;
  Disks ahead(machine);
  EXPECT_LT(ahead.play({sequential}), without * 0.8);
  EXPECT_EQ(ahead.store().counts().unused_bytes, 0);
  Disks in_vain(machine);
  EXPECT_GE(in_vain.play({cyclic}), without);
  EXPECT_GT(in_vain.store().counts().unused_bytes, 0);
}

TEST(Store, ALocalFileTakesOneWriteAtATime) {
  model::MachineModel machine = toy_machine();
  machine.storage.behind_network = false;
  machine.storage.cache_mb_s = 100;
  const auto both = [&](Direction direction) {
    return Disks(machine).play({{access_of(direction, 0, {0, 1000})}, {access_of(direction, 1, {1000, 2000})}});
  };
  EXPECT_EQ(both(Direction::kWrite), 20);
  EXPECT_EQ(both(Direction::kRead), 10);
}

}  // namespace
}  // namespace weir::sim
