// Ranks on several nodes that share a file through its agents.
#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "agent/agent_file.h"
#include "agent/shipped_pieces.h"
#include "comm/collectives.h"
#include "comm/ranks.h"
#include "driver/fault.h"
#include "driver/memory.h"
#include "driver/support.h"
#include "layout/random_types.h"

namespace weir::agent {
namespace {

struct Shape {
  int ranks;
  int ranks_per_node;
  std::vector<int> agents;
  bool line = true;  // agents can be asked at any time
};

std::vector<int> all_of(int ranks) {
  std::vector<int> agents;
  for (int rank = 0; rank < ranks; ++rank) agents.push_back(rank);
  return agents;
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> shapes = {{2, 1, all_of(2)}, {4, 2, all_of(4)}, {7, 3, all_of(7)}, {4, 2, {0}},
                                 {4, 1, {1, 3}},    {6, 2, {2, 3}},    {4, 2, {1, 2}},    {7, 1, all_of(7)}};
    for (std::size_t i = 0, count = shapes.size(); i < count; ++i) {
      shapes.push_back(shapes[i]);
      shapes.back().line = false;
    }
    return shapes;
  }();
  return all;
}

// Runs `body` on every rank with its file.
template <typename Body>
void with_files(driver::FileDriver& driver, const Shape& shape, std::int64_t blocks, const Body& body) {
  const comm::LineGroups line = comm::tested_line(shape.ranks, shape.ranks_per_node);
  comm::run_tested_ranks(shape.ranks, shape.ranks_per_node, [&](comm::ThreadComm& comm) {
    AgentFile file(driver::open_or_fail(driver, "f"), comm,
                   shape.line ? line.of(comm.rank()) : std::function<comm::Line()>());
    EXPECT_TRUE(file.follow({true, TableShape::of(kBlock, blocks * kBlock), {shape.agents}}).ok());
    EXPECT_TRUE(file.on());
    EXPECT_EQ(file.can_ask(), shape.line);
    body(comm, file);
  });
}

void expect_reads(driver::File& file, std::int64_t offset, const Bytes& expected) {
  Bytes bytes(expected.size());
  const IoOutcome outcome = access(file, Direction::kRead, offset, bytes);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
  EXPECT_EQ(outcome.bytes_moved, std::ssize(expected));
  EXPECT_EQ(bytes, expected);
}

TEST(AgentNodes, ARankReadsWhatItWroteAndAfterSettlingWhatAllWrote) {
  for (const Shape& shape : shapes()) {
    for (const std::int64_t blocks : {1, 3, 1000}) {
      for (const std::int64_t piece : {1, 8, 100}) {
        MemoryDriver driver;
        const Bytes all = pattern(20 * kBlock + 5);
        with_files(driver, shape, blocks, [&](comm::ThreadComm& comm, AgentFile& file) {
          for_own_pieces(comm, piece, all, [&](std::int64_t at, Bytes mine) {
            EXPECT_EQ(access(file, Direction::kWrite, at, mine).bytes_moved, std::ssize(mine));
            expect_reads(file, at, mine);
          });
          for_own_pieces(comm, piece, all, [&](std::int64_t at, const Bytes& mine) { expect_reads(file, at, mine); });
          EXPECT_TRUE(file.settle().ok());
          EXPECT_EQ(file.size().value(), std::ssize(all));
          expect_reads(file, 0, all);
          EXPECT_TRUE(file.close_together().ok());
        });
        EXPECT_EQ(driver.contents("f").value(), all)
            << shape.ranks << " ranks, blocks " << blocks << ", piece " << piece;
      }
    }
  }
}

// What ranks of all nodes wrote to a block meets at its agent, which writes it as a whole.
void expect_whole_blocks(const Shape& shape) {
  constexpr std::int64_t kBlocks = 40;
  MemoryDriver driver;
  const Bytes all = pattern(kBlocks * kBlock);
  with_files(driver, shape, 1000, [&](comm::ThreadComm& comm, AgentFile& file) {
    for_own_pieces(comm, 4, all, [&](std::int64_t at, Bytes mine) {
      EXPECT_TRUE(access(file, Direction::kWrite, at, mine).status.ok());
    });
    EXPECT_TRUE(file.settle().ok());
    std::array<std::int64_t, 4> done = {file.home_counters().stored, file.home_counters().runs,
                                        file.ship_counters().questions, file.ship_counters().bytes};
    EXPECT_TRUE(comm::reduce_all(comm, comm::Reduction::kSum, done).ok());
    EXPECT_EQ(done[0], kBlocks);
    EXPECT_EQ(done[1], 0);
    EXPECT_EQ(done[2], 4) << "each rank ships to one agent, in one message";
    EXPECT_EQ(done[3], kBlocks * kBlock / 2);
    EXPECT_TRUE(file.close_together().ok());
  });
  EXPECT_EQ(driver.contents("f").value(), all);
}

TEST(AgentNodes, BlocksAreWrittenOnceAndAsAWhole) {
  expect_whole_blocks({4, 2, all_of(4)});
  expect_whole_blocks({4, 2, all_of(4), false});
}

// A hole before bytes that only this rank's node knows of reads as zeros, whoever is its agent.
TEST(AgentNodes, WhatWasWrittenIsBeforeTheEndInAllBlocks) {
  for (const Shape& shape : shapes()) {
    MemoryDriver driver;
    with_files(driver, shape, 4, [&](comm::ThreadComm& comm, AgentFile& file) {
      Bytes last = {std::byte{7}};
      if (comm.rank() == comm.size() - 1) {
        EXPECT_TRUE(access(file, Direction::kWrite, 10 * kBlock, last).status.ok());
        EXPECT_EQ(file.size().value(), 10 * kBlock + 1);
        for (std::int64_t block = 0; block < 10; ++block) expect_reads(file, block * kBlock + 3, Bytes(5));
      }
      EXPECT_TRUE(file.settle().ok());
      EXPECT_EQ(file.size().value(), 10 * kBlock + 1);
      EXPECT_TRUE(file.close_together().ok());
    });
  }
}

// Rank r owns the bytes whose number is r modulo the ranks; every rank writes and reads parts of them at random, with
// meetings now and then.
TEST(AgentNodes, RandomAccesses) {
  const auto seed = layout::test_seed();
  constexpr std::int64_t kBytes = 700;
  for (const Shape& shape : shapes()) {
    MemoryDriver driver;
    Bytes model(kBytes);
    with_files(driver, shape, 5, [&](comm::ThreadComm& comm, AgentFile& file) {
      std::mt19937_64 random(seed + static_cast<std::uint64_t>(comm.rank()));
      Bytes known(kBytes);  // own bytes, and others' as of the last meeting
      for (int meeting = 0; meeting < 6; ++meeting) {
        for (int i = 0; i < 60; ++i) {
          const auto at = static_cast<std::int64_t>(random() % (kBytes / comm.size())) * comm.size() + comm.rank();
          Bytes one = {static_cast<std::byte>(random())};
          EXPECT_TRUE(access(file, Direction::kWrite, at, one).status.ok());
          known[static_cast<std::size_t>(at)] = one[0];
          expect_reads(file, at, one);
        }
        for (std::int64_t at = comm.rank(); at < kBytes; at += comm.size()) {
          model[static_cast<std::size_t>(at)] = known[static_cast<std::size_t>(at)];
        }
        EXPECT_TRUE(file.settle().ok());
        known = model;
        Bytes whole(kBytes);
        const IoOutcome outcome = access(file, Direction::kRead, 0, whole);
        EXPECT_TRUE(outcome.status.ok());
        EXPECT_TRUE(std::equal(whole.begin(), whole.begin() + outcome.bytes_moved, known.begin())) << "seed " << seed;
        EXPECT_TRUE(comm::barrier(comm).ok());
      }
      EXPECT_TRUE(file.close_together().ok());
    });
  }
}

// Whichever write to the file fails: either a call says so, or the bytes are there.
void expect_all_losses_told(const Shape& shape) {
  constexpr std::int64_t kBytes = 12 * kBlock;
  for (std::int64_t fault = 0;; ++fault) {
    MemoryDriver memory;
    driver::FaultDriver driver(memory, {.faults = {{.operation = driver::Operation::kWrite,
                                                    .first_call = fault,
                                                    .error_number = ENOSPC,
                                                    .bytes_before = 3,
                                                    .call_count = 1000}}});
    const Bytes all = pattern(kBytes);
    std::atomic<int> told = 0;
    std::atomic<int> closes_told = 0;
    with_files(driver, shape, 3, [&](comm::ThreadComm& comm, AgentFile& file) {
      for_own_pieces(comm, 7, all, [&](std::int64_t at, Bytes mine) {
        if (!access(file, Direction::kWrite, at, mine).status.ok()) ++told;
      });
      if (!file.settle().ok()) ++told;
      const Status closed = file.close_together();
      if (!closed.ok()) ++closes_told;
      EXPECT_TRUE(closed.ok() || closed.text().find("bytes that were written before are lost") != std::string::npos)
          << closed.text();
    });
    if (driver.strikes() == 0) {
      EXPECT_EQ(told + closes_told, 0);
      EXPECT_EQ(memory.contents("f").value(), all);
      break;
    }
    EXPECT_GT(told, 0) << "fault at write " << fault;
    EXPECT_EQ(closes_told % shape.ranks, 0) << "all ranks or none";
  }
}

TEST(AgentNodes, NoLossGoesUntold) {
  expect_all_losses_told({4, 2, all_of(4)});
  expect_all_losses_told({4, 2, all_of(4), false});
}

// Ranks that go one by one, without closing: what was written is in the file, and agents answer those who come later.
TEST(AgentNodes, RanksThatLeaveLoseNothing) {
  for (const Shape& shape : shapes()) {
    MemoryDriver driver;
    const Bytes all = pattern(20 * kBlock);
    with_files(driver, shape, 4, [&](comm::ThreadComm& comm, AgentFile& file) {
      for_own_pieces(comm, 5, all, [&](std::int64_t at, Bytes mine) {
        EXPECT_TRUE(access(file, Direction::kWrite, at, mine).status.ok());
      });
      EXPECT_TRUE(file.leave().ok());
      EXPECT_TRUE(file.stay().ok());
    });
    EXPECT_EQ(driver.contents("f").value(), all) << shape.ranks << " ranks";
  }
}

TEST(AgentNodes, SwitchedOnAndOffAndBoundOtherwise) {
  MemoryDriver driver;
  const Bytes all = pattern(10 * kBlock);
  with_files(driver, {4, 2, {0}}, 4, [&](comm::ThreadComm& comm, AgentFile& file) {
    const std::vector<AgentSettings> changes = {
        {}, {true, TableShape::of(2 * kBlock, 8 * kBlock), {all_of(4)}}, {true, TableShape::of(32, 64), {{1, 3}}}, {}};
    for (const AgentSettings& wanted : changes) {
      for_own_pieces(comm, 5, all, [&](std::int64_t at, Bytes mine) {
        EXPECT_TRUE(access(file, Direction::kWrite, at, mine).status.ok());
      });
      EXPECT_TRUE(file.follow(wanted).ok());
      EXPECT_EQ(file.on(), wanted.on);
      EXPECT_EQ(driver.contents("f").value(), all) << "while the file is open";
      EXPECT_TRUE(comm::barrier(comm).ok());
    }
    EXPECT_TRUE(file.close_together().ok());
  });
}

// What was written before and after an aggregator of another node acted, by whatever way, is seen by its rank.
TEST(AgentNodes, AggregatorsSeeWhatWasWrittenAndAreSeen) {
  for (const Shape& shape : shapes()) {
    MemoryDriver driver;
    const Bytes first = pattern(20 * kBlock);
    const Bytes second(first.size(), std::byte{9});
    with_files(driver, shape, 4, [&](comm::ThreadComm& comm, AgentFile& file) {
      for_own_pieces(comm, 8, first, [&](std::int64_t at, Bytes mine) {
        EXPECT_TRUE(access(file, Direction::kWrite, at, mine).status.ok());
        expect_reads(file, at, mine);
      });
      EXPECT_TRUE(file.begin_together().ok());
      EXPECT_TRUE(comm::barrier(comm).ok());
      if (comm.rank() == 0) {
        expect_reads(file.through(), 0, first);
        Bytes all = second;
        EXPECT_TRUE(access(file.through(), Direction::kWrite, 0, all).status.ok());
      }
      EXPECT_TRUE(comm::barrier(comm).ok());
      file.end_together(comm.rank() == 0 ? std::ssize(second) : 0);
      for_own_pieces(comm, 8, second, [&](std::int64_t at, const Bytes& mine) { expect_reads(file, at, mine); });
      EXPECT_TRUE(file.close_together().ok());
    });
    EXPECT_EQ(driver.contents("f").value(), second);
  }
}

// More than one group of nodes, each with something for each other; some have nothing.
TEST(AgentNodes, ManyNodesShip) {
  for (const int writers : {1, 5, 13}) {
    MemoryDriver driver;
    const Bytes all = pattern(60 * kBlock);
    with_files(driver, {13, 1, all_of(13), false}, 200, [&](comm::ThreadComm& comm, AgentFile& file) {
      for (std::int64_t at = comm.rank(); comm.rank() < writers && at < std::ssize(all); at += writers) {
        Bytes one = driver::part(all, at, at + 1);
        EXPECT_TRUE(access(file, Direction::kWrite, at, one).status.ok());
      }
      EXPECT_TRUE(file.settle().ok());
      expect_reads(file, 0, all);
      std::array<std::int64_t, 2> done = {file.home_counters().stored + file.away_counters().stored,
                                          file.home_counters().runs + file.away_counters().runs};
      EXPECT_TRUE(comm::reduce_all(comm, comm::Reduction::kSum, done).ok());
      EXPECT_EQ(done, (std::array<std::int64_t, 2>{60, 0}));
      EXPECT_TRUE(file.close_together().ok());
    });
    EXPECT_EQ(driver.contents("f").value(), all) << writers << " writers";
  }
}

}  // namespace
}  // namespace weir::agent
