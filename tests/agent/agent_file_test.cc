// Ranks as threads that share a file through its agents.
#include "agent/agent_file.h"

#include <gtest/gtest.h>

#include "agent/shipped_pieces.h"
#include "comm/collectives.h"
#include "comm/ranks.h"
#include "driver/fault.h"
#include "driver/memory.h"
#include "driver/support.h"

namespace weir::agent {
namespace {

AgentSettings settings(std::int64_t blocks = 16) { return {true, TableShape::of(kBlock, blocks * kBlock)}; }

std::unique_ptr<AgentFile> open(driver::FileDriver& driver, comm::Comm& comm, const AgentSettings& wanted) {
  auto file = std::make_unique<AgentFile>(driver::open_or_fail(driver, "f"), comm, nullptr);
  EXPECT_TRUE(file->follow(wanted).ok());
  return file;
}

// Writes all pieces that are this rank's.
void write_interleaved(driver::File& file, const comm::Comm& comm, std::int64_t piece, const Bytes& all) {
  for_own_pieces(comm, piece, all, [&](std::int64_t at, Bytes mine) {
    EXPECT_EQ(access(file, Direction::kWrite, at, mine).bytes_moved, std::ssize(mine));
  });
}

TEST(AgentFile, InterleavedWritesOfAllRanksAreWholeBlocks) {
  constexpr std::int64_t kBytes = 100 * kBlock;
  for (const int ranks : {1, 2, 4, 7}) {
    for (const std::int64_t piece : {1, 3, 8, 100}) {
      MemoryDriver driver;
      const Bytes all = pattern(kBytes);
      comm::run_tested_ranks(ranks, [&](comm::ThreadComm& comm) {
        auto file = open(driver, comm, settings(1000));
        write_interleaved(*file, comm, piece, all);
        EXPECT_TRUE(comm::barrier(comm).ok());
        EXPECT_EQ(file->size().value(), kBytes);
        Bytes whole(kBytes);
        EXPECT_EQ(access(*file, Direction::kRead, 0, whole).bytes_moved, kBytes);
        EXPECT_EQ(whole, all);
        std::array<std::int64_t, 2> stored = {file->home_counters().stored, file->home_counters().runs};
        EXPECT_TRUE(comm::reduce_all(comm, comm::Reduction::kSum, stored).ok());
        if (piece <= 8) {
          EXPECT_EQ(stored, (std::array<std::int64_t, 2>{100, 0}));
        }
        EXPECT_TRUE(comm::barrier(comm).ok());
        EXPECT_TRUE(file->close().ok());
      });
      EXPECT_EQ(driver.contents("f").value(), all);
    }
  }
}

TEST(AgentFile, SwitchedOnAndOffAndCutOtherwise) {
  MemoryDriver driver;
  const Bytes all = pattern(10 * kBlock);
  comm::run_tested_ranks(3, [&](comm::ThreadComm& comm) {
    auto file = open(driver, comm, {});
    EXPECT_FALSE(file->on());
    for (const AgentSettings& wanted :
         {settings(), AgentSettings{}, AgentSettings{true, TableShape::of(2 * kBlock, 8 * kBlock)}, settings(1)}) {
      EXPECT_TRUE(file->follow(wanted).ok());
      EXPECT_EQ(file->on(), wanted.on);
      write_interleaved(*file, comm, 5, all);
      EXPECT_TRUE(comm::barrier(comm).ok());
    }
    EXPECT_TRUE(file->follow({}).ok());
    EXPECT_EQ(driver.contents("f").value(), all) << "while the file is open";
    EXPECT_TRUE(comm::barrier(comm).ok());
    EXPECT_TRUE(file->resize(0).ok());
    EXPECT_TRUE(comm::barrier(comm).ok());
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(AgentFile, AFileThatIsCutIsCut) {
  MemoryDriver driver;
  comm::run_tested_ranks(1, [&](comm::ThreadComm& comm) {
    auto file = open(driver, comm, settings());
    Bytes bytes = pattern(3 * kBlock + 10);
    EXPECT_TRUE(access(*file, Direction::kWrite, 0, bytes).status.ok());
    EXPECT_TRUE(file->settle().ok());
    EXPECT_TRUE(file->resize(100).ok());
    EXPECT_EQ(file->size().value(), 100);
    Bytes read(200);
    EXPECT_EQ(access(*file, Direction::kRead, 0, read).bytes_moved, 100);
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(driver.contents("f").value(), driver::part(pattern(3 * kBlock + 10), 0, 100));
}

// Whichever write to the file fails: either a call says so, or the bytes are there.
TEST(AgentFile, NoLossGoesUntold) {
  constexpr std::int64_t kBytes = 12 * kBlock;
  for (std::int64_t fault = 0;; ++fault) {
    MemoryDriver memory;
    driver::FaultDriver driver(memory, {.faults = {{.operation = driver::Operation::kWrite,
                                                    .first_call = fault,
                                                    .error_number = EIO,
                                                    .bytes_before = 3,
                                                    .call_count = 1000}}});
    const Bytes all = pattern(kBytes);
    std::atomic<int> told = 0;
    comm::run_tested_ranks(2, [&](comm::ThreadComm& comm) {
      auto file = open(driver, comm, settings(3));
      for (std::int64_t at = comm.rank() * 7; at < kBytes; at += 14) {
        Bytes mine = driver::part(all, at, std::min(at + 7, kBytes));
        if (!access(*file, Direction::kWrite, at, mine).status.ok()) ++told;
      }
      if (!file->settle().ok()) ++told;
      if (!file->close_together().ok()) ++told;
    });
    if (driver.strikes() == 0) {
      EXPECT_EQ(told, 0);
      EXPECT_EQ(memory.contents("f").value(), all);
      break;
    }
    EXPECT_GT(told, 0) << "fault at write " << fault;
  }
}

// A write that fails once and is tried again is told all the same, and nothing is lost that was accepted.
TEST(AgentFile, AFailureThatPassesIsToldAndLosesNothing) {
  MemoryDriver memory;
  driver::FaultDriver driver(memory, {.faults = {{.operation = driver::Operation::kWrite, .error_number = EIO}}});
  const Bytes all = pattern(kBlock);
  comm::run_tested_ranks(1, [&](comm::ThreadComm& comm) {
    auto file = open(driver, comm, settings());
    Bytes first = driver::part(all, 0, 32);
    Bytes second = driver::part(all, 32, 64);
    EXPECT_TRUE(access(*file, Direction::kWrite, 0, first).status.ok());
    EXPECT_TRUE(access(*file, Direction::kWrite, 32, second).status.ok()) << "it is full, and cannot be stored";
    const IoOutcome next = access(*file, Direction::kWrite, 32, second);
    EXPECT_EQ(next.status.error_class(), ErrorClass::kIo);
    EXPECT_EQ(next.bytes_moved, 0);
    EXPECT_TRUE(access(*file, Direction::kWrite, 32, second).status.ok()) << "told once";
    EXPECT_EQ(file->settle().error_class(), ErrorClass::kIo) << "and once to all ranks";
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(memory.contents("f").value(), all);
}

}  // namespace
}  // namespace weir::agent
