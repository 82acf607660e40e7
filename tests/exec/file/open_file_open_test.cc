// Opening and closing a file together.
#include <gtest/gtest.h>

#include <cerrno>

#include "driver/fault.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::FaultDriver;
using driver::MemoryDriver;
using driver::Operation;

bool exists(MemoryDriver& driver, const std::string& path = "f") { return driver.contents(path).ok(); }

// All ranks try to open; returns what they say. What opens is closed again.
ErrorClass open_class(driver::FileDriver& driver, int ranks, AccessMode mode) {
  Outcomes outcomes;
  ErrorClass of_rank_0 = ErrorClass::kOk;
  run_file_ranks(ranks, [&](Rank& rank) {
    auto file = rank.try_open(driver, mode);
    outcomes.add(file.status());
    if (rank.number() == 0) of_rank_0 = file.status().error_class();
    if (file.ok()) {
      EXPECT_TRUE(file.value()->close().ok());
    }
  });
  outcomes.expect(ranks, of_rank_0);
  return of_rank_0;
}

TEST(OpenFileOpen, CreatesAndFindsAgain) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver;
    EXPECT_EQ(open_class(driver, ranks, kReadOnlyMode), ErrorClass::kNoSuchFile);
    EXPECT_EQ(open_class(driver, ranks, kReadWriteMode), ErrorClass::kNoSuchFile);
    EXPECT_FALSE(exists(driver));
    EXPECT_EQ(open_class(driver, ranks, kCreateMode), ErrorClass::kOk);
    EXPECT_EQ(open_class(driver, ranks, kCreateMode), ErrorClass::kOk);
    EXPECT_EQ(open_class(driver, ranks, kReadOnlyMode), ErrorClass::kOk);
    EXPECT_TRUE(exists(driver));
  }
}

TEST(OpenFileOpen, ExclusiveMeansNewForAllRanksTogether) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver;
    EXPECT_EQ(open_class(driver, ranks, kCreateNewMode), ErrorClass::kOk);
    EXPECT_EQ(open_class(driver, ranks, kCreateNewMode), ErrorClass::kFileExists);
    EXPECT_TRUE(exists(driver));
  }
}

TEST(OpenFileOpen, EveryBadModeIsRefusedByAll) {
  const AccessMode bad[] = {
      {},
      {.read_only = true, .write_only = true},
      {.read_only = true, .read_write = true},
      {.write_only = true, .read_write = true},
      {.read_only = true, .create = true},
      {.read_only = true, .exclusive = true},
      {.read_write = true, .sequential = true},
      {.read_write = true, .create = true, .unknown_bits = true},
  };
  for (const AccessMode& mode : bad) {
    MemoryDriver driver;
    EXPECT_EQ(open_class(driver, 3, mode), ErrorClass::kAmode) << code_of(mode);
    EXPECT_FALSE(exists(driver));
  }
}

TEST(OpenFileOpen, GoodModesOpen) {
  const AccessMode good[] = {
      {.read_only = true},
      {.write_only = true},
      {.read_write = true, .create = true, .unique_open = true, .append = true},
      {.read_only = true, .sequential = true},
      {.write_only = true, .create = true, .sequential = true},
      {.read_only = true, .append = true},
  };
  for (const AccessMode& mode : good) {
    MemoryDriver driver;
    put_file(driver, pattern(10));
    EXPECT_EQ(open_class(driver, 3, mode), ErrorClass::kOk) << code_of(mode);
    EXPECT_EQ(driver.contents("f").value(), pattern(10));
  }
}

TEST(OpenFileOpen, ModesThatDifferAreFoundOnAllRanks) {
  for (int ranks : {2, 3, 7, 16}) {
    for (int odd_one = 0; odd_one < ranks; odd_one += ranks / 2) {
      MemoryDriver driver;
      Outcomes outcomes;
      run_file_ranks(ranks, [&](Rank& rank) {
        outcomes.add(rank.try_open(driver, rank.number() == odd_one ? kCreateNewMode : kCreateMode).status());
      });
      outcomes.expect(ranks, ErrorClass::kNotSame);
      EXPECT_FALSE(exists(driver));
    }
  }
}

// Rank `failing` of `ranks` cannot open; the others can.
Outcomes& open_failing_on(int failing, int ranks, MemoryDriver& memory, AccessMode mode, Outcomes& outcomes) {
  run_file_ranks(ranks, [&](Rank& rank) {
    FaultDriver faults(memory, {{{Operation::kOpen, 0, EACCES}}});
    driver::FileDriver& driver = rank.number() == failing ? static_cast<driver::FileDriver&>(faults) : memory;
    outcomes.add(rank.try_open(driver, mode).status());
  });
  return outcomes;
}

TEST(OpenFileOpen, FailsEverywhereWhenItFailsOnOneRankAndRemovesWhatItCreated) {
  for (int ranks : {1, 2, 3, 7}) {
    for (int failing = 0; failing < ranks; ++failing) {
      MemoryDriver memory;
      Outcomes outcomes;
      open_failing_on(failing, ranks, memory, kCreateMode, outcomes).expect(ranks, ErrorClass::kAccess);
      EXPECT_FALSE(exists(memory)) << "rank " << failing;
      EXPECT_NE(outcomes.text().find("'f'"), std::string::npos) << outcomes.text();
      EXPECT_NE(outcomes.text().find("EACCES"), std::string::npos) << outcomes.text();
      EXPECT_NE(outcomes.text().find("on rank " + std::to_string(failing)), std::string::npos) << outcomes.text();
    }
  }
}

TEST(OpenFileOpen, FailsEverywhereAndKeepsAFileThatWasThere) {
  for (AccessMode mode : {kCreateMode, kReadWriteMode}) {
    mode.delete_on_close = true;
    for (int failing = 0; failing < 4; ++failing) {
      MemoryDriver memory;
      put_file(memory, pattern(100));
      Outcomes outcomes;
      open_failing_on(failing, 4, memory, mode, outcomes).expect(4, ErrorClass::kAccess);
      ASSERT_TRUE(exists(memory)) << "rank " << failing;
      EXPECT_EQ(memory.contents("f").value(), pattern(100));
    }
  }
}

TEST(OpenFileOpen, AppendNeedsTheSizeOnAllRanksOrNone) {
  MemoryDriver memory;
  FaultDriver faults(memory, {{{Operation::kSize, 0, EIO}}});
  AccessMode mode = kCreateMode;
  mode.append = true;
  EXPECT_EQ(open_class(faults, 4, mode), ErrorClass::kIo);
  EXPECT_FALSE(exists(memory));
}

// Nothing of a failed open is left behind: the same ranks open the file next.
TEST(OpenFileOpen, CanBeTriedAgain) {
  MemoryDriver memory;
  FaultDriver faults(memory, {{{Operation::kOpen, 2, ENFILE}}});
  Outcomes first;
  run_file_ranks(4, [&](Rank& rank) {
    first.add(rank.try_open(faults, kCreateMode).status());
    rank.meet();
    EXPECT_TRUE(rank.open(faults)->close().ok());
  });
  first.expect(4, ErrorClass::kIo);
  EXPECT_TRUE(exists(memory));
}

TEST(OpenFileOpen, AppendStartsAtTheEnd) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver;
    put_file(driver, pattern(123));
    AccessMode mode = kReadWriteMode;
    mode.append = true;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver, mode);
      EXPECT_EQ(file->position().value(), 123);
      EXPECT_EQ(file->shared_position().value(), 123);
      rank.meet();
      Bytes mine = pattern(10, rank.number());
      auto outcome = run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kOrdered, true, mine));
      EXPECT_EQ(outcome.bytes_moved, 10);
      EXPECT_TRUE(file->close().ok());
    });
    Bytes expected = pattern(123);
    for (int rank = 0; rank < ranks; ++rank) {
      for (std::byte b : pattern(10, rank)) expected.push_back(b);
    }
    EXPECT_EQ(driver.contents("f").value(), expected);
  }
}

TEST(OpenFileOpen, DeletesOnCloseButNotBefore) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver;
    AccessMode mode = kCreateMode;
    mode.delete_on_close = true;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver, mode);
      rank.meet();
      EXPECT_TRUE(exists(driver));
      rank.meet();
      EXPECT_TRUE(file->close().ok());
      EXPECT_FALSE(exists(driver));
    });
  }
}

TEST(OpenFileOpen, AFailedCloseIsToldToAll) {
  for (int failing = 0; failing < 3; ++failing) {
    MemoryDriver memory;
    Outcomes outcomes;
    run_file_ranks(3, [&](Rank& rank) {
      FaultDriver faults(memory, {{{Operation::kClose, 0, EDQUOT}}});
      driver::FileDriver& driver = rank.number() == failing ? static_cast<driver::FileDriver&>(faults) : memory;
      outcomes.add(rank.open(driver)->close());
    });
    outcomes.expect(3, ErrorClass::kQuota);
  }
}

TEST(OpenFileOpen, AFailedRemovalIsToldToAll) {
  MemoryDriver memory;
  FaultDriver faults(memory, {{{Operation::kRemove, 0, EACCES}}});
  AccessMode mode = kCreateMode;
  mode.delete_on_close = true;
  Outcomes outcomes;
  run_file_ranks(4, [&](Rank& rank) { outcomes.add(rank.open(faults, mode)->close()); });
  outcomes.expect(4, ErrorClass::kAccess);
}

// On several nodes the shared pointer is served by a thread of rank 0.
TEST(OpenFileOpen, OnSeveralNodes) {
  for (int ranks_per_node : {1, 2, 3}) {
    MemoryDriver driver;
    Outcomes outcomes;
    run_file_ranks(7, ranks_per_node, [&](Rank& rank) {
      auto file = rank.try_open(driver, kCreateMode);
      outcomes.add(file.status());
      if (file.ok()) {
        EXPECT_TRUE(file.value()->close().ok());
      }
    });
    outcomes.expect(7, ErrorClass::kOk);
  }
}

TEST(OpenFileOpen, FailsOnSeveralNodesWithoutHanging) {
  for (int failing = 0; failing < 4; ++failing) {
    MemoryDriver memory;
    Outcomes outcomes;
    run_file_ranks(4, 2, [&](Rank& rank) {
      FaultDriver faults(memory, {{{Operation::kOpen, 0, EACCES}}});
      driver::FileDriver& driver = rank.number() == failing ? static_cast<driver::FileDriver&>(faults) : memory;
      outcomes.add(rank.try_open(driver, kCreateMode).status());
    });
    outcomes.expect(4, ErrorClass::kAccess);
    EXPECT_FALSE(exists(memory));
  }
}

TEST(OpenFileOpen, AbandonClosesWithoutTheOthers) {
  for (int ranks : {1, 4}) {
    MemoryDriver driver;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      Bytes mine = pattern(10, rank.number());
      std::atomic<bool> done = false;
      file->start(
          file->prepare(transfer_of(Direction::kWrite, Positioning::kExplicit, false, mine, 10 * rank.number())),
          [&](driver::IoOutcome outcome) { done = outcome.status.ok(); });
      for (int turn = 0; turn < rank.size(); ++turn) {  // one after the other, the last rank first
        if (rank.size() - 1 - turn == rank.number()) {
          EXPECT_TRUE(file->abandon().ok());
          EXPECT_TRUE(done);
          EXPECT_TRUE(file->abandon().ok());
          file.reset();
        }
        rank.meet();
      }
    });
    EXPECT_EQ(std::ssize(driver.contents("f").value()), 10 * ranks);
  }
}

TEST(OpenFileOpen, AbandonDeletesWhatIsToBeDeletedOnClose) {
  MemoryDriver driver;
  AccessMode mode = kCreateMode;
  mode.delete_on_close = true;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver, mode);
    rank.meet();
    EXPECT_TRUE(file->abandon().ok());
  });
  EXPECT_FALSE(exists(driver));
}

TEST(OpenFileOpen, SixtyFourRanks) {
  MemoryDriver driver;
  EXPECT_EQ(open_class(driver, 64, kCreateNewMode), ErrorClass::kOk);
  EXPECT_EQ(open_class(driver, 64, kCreateNewMode), ErrorClass::kFileExists);
}

}  // namespace
}  // namespace weir::exec
