// Engines that files leave for the next: which one a file gets, and what becomes of it.
#include "exec/file/node_engine.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "comm/collectives.h"
#include "comm/ranks.h"
#include "sys/asleep.h"

namespace weir::exec {
namespace {

using Choice = EnginePool::Choice;

// The engine of one rank alone.
EngineLease made(EnginePool& pool, Choice choice) {
  const auto comm = comm::self_comm();
  EngineLease lease = pool.take(choice, nullptr);
  EXPECT_TRUE(lease.ensure(*comm).ok());
  return lease;
}

TEST(EnginePool, TheNextFileGetsTheEngineOfTheLast) {
  const auto pool = std::make_shared<EnginePool>();
  const Choice first = pool->choose();
  EXPECT_TRUE(first.make);
  EngineLease lease = made(*pool, first);
  const Collective* engine = lease->collective.get();
  lease.give_back();
  const Choice second = pool->choose();
  EXPECT_EQ(second.place, first.place);
  EXPECT_FALSE(second.make);
  EXPECT_EQ(pool->take(second, nullptr)->collective.get(), engine);
}

TEST(EnginePool, FilesOpenAtATimeHaveEnginesOfTheirOwn) {
  const auto pool = std::make_shared<EnginePool>();
  std::array<EngineLease, EnginePool::kPlaces + 1> leases;
  std::array<bool, EnginePool::kPlaces> taken = {};
  for (std::size_t i = 0; i < leases.size(); ++i) {
    const Choice choice = pool->choose();
    EXPECT_TRUE(choice.make);
    leases[i] = made(*pool, choice);
    if (choice.place == EnginePool::kNoPlace) {
      EXPECT_EQ(i, taken.size()) << "there was a place left";
      continue;
    }
    EXPECT_FALSE(std::exchange(taken[static_cast<std::size_t>(choice.place)], true));
  }
}

TEST(EnginePool, AnEngineWithoutPlaceGoesWithItsFile) {
  const auto pool = std::make_shared<EnginePool>();
  std::array<EngineLease, EnginePool::kPlaces> kept;
  for (EngineLease& lease : kept) lease = made(*pool, pool->choose());
  EngineLease extra = made(*pool, pool->choose());
  extra.give_back();
  EXPECT_FALSE(extra);
  EXPECT_EQ(pool->choose().place, EnginePool::kNoPlace) << "all places are in use";
}

TEST(EnginePool, WhatIsChosenIsNotChosenAgainBeforeItIsTaken) {
  const auto pool = std::make_shared<EnginePool>();
  made(*pool, pool->choose()).give_back();
  const Choice kept = pool->choose();
  EXPECT_FALSE(kept.make);
  const Choice other = pool->choose();
  EXPECT_NE(other.place, kept.place);
  EXPECT_TRUE(other.make);
}

TEST(EnginePool, ADiscardedEngineIsNobodysAndItsPlaceIsFree) {
  const auto pool = std::make_shared<EnginePool>();
  const Choice first = pool->choose();
  EngineLease lease = made(*pool, first);
  lease.discard();
  const Choice second = pool->choose();
  EXPECT_EQ(second.place, first.place);
  EXPECT_TRUE(second.make);
}

// Rank 0 has given its engine back and chosen it again; on this rank another thread is still closing.
TEST(EnginePool, WhoComesBeforeItsOwnCloseWaitsForIt) {
  const auto pool = std::make_shared<EnginePool>();
  EngineLease first = made(*pool, {0, true});
  const Collective* engine = first->collective.get();
  sys::Sleeper waiter;
  std::atomic<const Collective*> got = nullptr;
  std::jthread opening([&] {
    waiter.announce();
    got = pool->take({0, false}, nullptr)->collective.get();
  });
  waiter.wait_until_asleep();
  EXPECT_EQ(got, nullptr);
  first.give_back();
  opening.join();
  EXPECT_EQ(got, engine);
}

TEST(NodeEngine, RanksOfANodeShareMemoryAndMeetAtABoard) {
  comm::run_tested_ranks(4, [](comm::ThreadComm& comm) {
    auto engine = NodeEngine::make(comm);
    ASSERT_TRUE(engine.ok());
    EXPECT_NE(engine.value()->memory, nullptr);
    EXPECT_NE(engine.value()->board, nullptr);
    EXPECT_TRUE(engine.value()->collective->shares_memory());
    EXPECT_TRUE(comm::barrier(comm).ok());
  });
}

TEST(NodeEngine, RanksAloneOnTheirNodesShareNothing) {
  comm::run_tested_ranks(3, 1, [](comm::ThreadComm& comm) {
    auto engine = NodeEngine::make(comm);
    ASSERT_TRUE(engine.ok());
    EXPECT_EQ(engine.value()->memory, nullptr);
    EXPECT_EQ(engine.value()->board, nullptr);
    EXPECT_FALSE(engine.value()->collective->shares_memory());
  });
}

TEST(NodeEngine, RanksOfSeveralNodesShareMemoryWithTheirOwn) {
  comm::run_tested_ranks(4, 2, [](comm::ThreadComm& comm) {
    auto engine = NodeEngine::make(comm);
    ASSERT_TRUE(engine.ok());
    ASSERT_NE(engine.value()->memory, nullptr);
    EXPECT_NE(engine.value()->board, nullptr);
    // A word of the memory is the same for the ranks of a node, and another on the other node.
    const auto bytes = engine.value()->memory->bytes();
    std::atomic_ref word(*reinterpret_cast<std::int64_t*>(bytes.data()));
    word.fetch_add(comm.rank() + 1);
    EXPECT_TRUE(comm::barrier(comm).ok());
    EXPECT_EQ(word.load(), comm.rank() < 2 ? 1 + 2 : 3 + 4);
    EXPECT_TRUE(comm::barrier(comm).ok());
  });
}

}  // namespace
}  // namespace weir::exec
