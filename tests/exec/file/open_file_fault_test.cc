// Collective calls when the file system fails on one rank: every rank learns it, nobody hangs.
#include <gtest/gtest.h>

#include <cerrno>

#include "driver/fault.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::Fault;
using driver::FaultDriver;
using driver::MemoryDriver;
using driver::Operation;
using layout::FileView;
using layout::Layout;

constexpr int kSteps = 5;

// A small program: writes and reads, with and without holes, in the order of all ranks.
driver::IoOutcome run_step(OpenFile& file, int step, Bytes& buffer) {
  switch (step) {
    case 0: return run_transfer(file, transfer_of(Direction::kWrite, Positioning::kExplicit, true, buffer));
    case 1: return run_transfer(file, transfer_of(Direction::kRead, Positioning::kExplicit, true, buffer));
    case 2: return run_transfer(file, transfer_of(Direction::kWrite, Positioning::kOrdered, true, buffer));
    case 3: return run_transfer(file, transfer_of(Direction::kWrite, Positioning::kIndividual, true, buffer));
    default: return run_transfer(file, transfer_of(Direction::kRead, Positioning::kIndividual, true, buffer));
  }
}

// Every rank touches the file itself, so that faults of every rank strike; aggregators are collective_fault_test's.
hints::HintSet independent_access() {
  hints::HintSet hints;
  EXPECT_TRUE(hints.set(hints::Id::kWeirMethod, "independent").ok());
  return hints;
}

// Runs the program on `ranks` ranks, the fault striking rank `failing`; how often it struck.
std::int64_t run_program(int ranks, int failing, const Fault& fault, bool atomic, ErrorClass expected) {
  MemoryDriver memory;
  FaultDriver faults(memory, {{fault}});
  std::vector<Outcomes> outcomes(kSteps);
  std::vector<bool> failed(kSteps);
  run_file_ranks(ranks, [&](Rank& rank) {
    driver::FileDriver& driver = rank.number() == failing ? static_cast<driver::FileDriver&>(faults) : memory;
    auto file = rank.open(driver, kCreateMode, "f", independent_access());
    EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), ranks, 4), 1).ok());
    if (atomic) {
      EXPECT_TRUE(file->set_atomic(true).ok());
    }
    Bytes buffer = pattern(5000, rank.number());  // more pieces than one batch takes
    for (int step = 0; step < kSteps; ++step) {
      Status status = run_step(*file, step, buffer).status;
      outcomes[static_cast<std::size_t>(step)].add(status);
      if (rank.number() == 0 && !status.ok()) failed[static_cast<std::size_t>(step)] = true;
    }
    EXPECT_TRUE(file->close().ok());
  });
  std::int64_t failures = 0;
  for (std::size_t step = 0; step < kSteps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    outcomes[step].expect(ranks, failed[step] ? expected : ErrorClass::kOk);
    failures += failed[step] ? 1 : 0;
  }
  EXPECT_EQ(failures, faults.strikes());
  return faults.strikes();
}

TEST(OpenFileFault, EveryTransferOfEveryRankFailsOnce) {
  for (int ranks : {1, 2, 4}) {
    for (int failing = 0; failing < ranks; ++failing) {
      std::int64_t k = 0;
      for (; k < 1000; ++k) {
        SCOPED_TRACE("rank " + std::to_string(failing) + " transfer " + std::to_string(k));
        const int error_number = k % 2 == 0 ? EIO : ENOSPC;
        const ErrorClass expected = k % 2 == 0 ? ErrorClass::kIo : ErrorClass::kNoSpace;
        if (run_program(ranks, failing, {Operation::kTransfer, k, error_number, k % 3}, false, expected) == 0) break;
        if (HasFailure()) return;
      }
      EXPECT_GE(k, kSteps);
    }
  }
}

TEST(OpenFileFault, EveryLockOfEveryRankFailsOnce) {
  for (int failing = 0; failing < 3; ++failing) {
    std::int64_t k = 0;
    for (; k < 1000; ++k) {
      if (run_program(3, failing, {Operation::kLock, k, ENOLCK}, true, ErrorClass::kIo) == 0) break;
      if (HasFailure()) return;
    }
    EXPECT_EQ(k, kSteps);
  }
}

TEST(OpenFileFault, SixteenRanksAndOneFailure) {
  EXPECT_EQ(run_program(16, 11, {Operation::kWrite, 0, EDQUOT}, false, ErrorClass::kQuota), 1);
  EXPECT_EQ(run_program(16, 15, {Operation::kRead, 0, EIO}, false, ErrorClass::kIo), 1);
}

TEST(OpenFileFault, AllTransfersFailing) {
  MemoryDriver memory;
  FaultDriver faults(memory, {{{Operation::kTransfer, 0, ENOSPC, 0, 1000000}}});
  std::vector<Outcomes> outcomes(kSteps);
  run_file_ranks(7, [&](Rank& rank) {
    auto file = rank.open(faults);
    Bytes buffer = pattern(100);
    for (int step = 0; step < kSteps; ++step) {
      driver::IoOutcome outcome = run_step(*file, step, buffer);
      outcomes[static_cast<std::size_t>(step)].add(outcome.status);
      EXPECT_EQ(outcome.bytes_moved, 0);
    }
    EXPECT_TRUE(file->close().ok());
  });
  for (const Outcomes& step : outcomes) {
    step.expect(7, ErrorClass::kNoSpace);
    EXPECT_NE(step.text().find("on rank 0"), std::string::npos) << step.text();  // the lowest one is told
  }
}

TEST(OpenFileFault, TheTextNamesPathOffsetErrnoAndRank) {
  MemoryDriver memory;
  Outcomes outcomes;
  run_file_ranks(4, [&](Rank& rank) {
    FaultDriver faults(memory, {{{Operation::kWrite, 0, EIO, 5}}});
    driver::FileDriver& driver = rank.number() == 2 ? static_cast<driver::FileDriver&>(faults) : memory;
    auto file = rank.open(driver);
    outcomes.add(write_explicit(*file, 100 * rank.number(), pattern(100), true).status);
    EXPECT_TRUE(file->close().ok());
  });
  outcomes.expect(4, ErrorClass::kIo);
  EXPECT_EQ(outcomes.text(), "write of 'f' at offset 205: EIO (input/output error) (on rank 2)");
}

// The ranks that could write did, and their counts say so; the one that could not counts what arrived.
TEST(OpenFileFault, CountsAreEachRanksOwn) {
  MemoryDriver memory;
  run_file_ranks(3, [&](Rank& rank) {
    FaultDriver faults(memory, {{{Operation::kWrite, 0, EIO, 5}}});
    driver::FileDriver& driver = rank.number() == 1 ? static_cast<driver::FileDriver&>(faults) : memory;
    auto file = rank.open(driver);
    driver::IoOutcome outcome = write_explicit(*file, 100 * rank.number(), pattern(100, rank.number()), true);
    EXPECT_EQ(outcome.bytes_moved, rank.number() == 1 ? 5 : 100);
    EXPECT_TRUE(file->close().ok());
  });
  const Bytes bytes = memory.contents("f").value();
  EXPECT_EQ(driver::part(bytes, 0, 100), pattern(100, 0));
  EXPECT_EQ(driver::part(bytes, 100, 105), driver::part(pattern(100, 1), 0, 5));
  EXPECT_EQ(driver::part(bytes, 105, 200), Bytes(95));
  EXPECT_EQ(driver::part(bytes, 200, 300), pattern(100, 2));
}

TEST(OpenFileFault, AFullDiskIsToldToAll) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver({.capacity_bytes = 100 * ranks - 1});
    Outcomes outcomes;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      outcomes.add(write_explicit(*file, 100 * rank.number(), pattern(100), true).status);
      EXPECT_TRUE(file->close().ok());
    });
    outcomes.expect(ranks, ErrorClass::kNoSpace);
  }
}

TEST(OpenFileFault, AFailureOfAnIndependentAccessIsItsRanksOwn) {
  MemoryDriver memory;
  run_file_ranks(3, [&](Rank& rank) {
    FaultDriver faults(memory, {{{Operation::kWrite, 0, EIO}}});
    driver::FileDriver& driver = rank.number() == 1 ? static_cast<driver::FileDriver&>(faults) : memory;
    auto file = rank.open(driver);
    const ErrorClass expected = rank.number() == 1 ? ErrorClass::kIo : ErrorClass::kOk;
    EXPECT_EQ(write_explicit(*file, 10 * rank.number(), pattern(10)).status.error_class(), expected);
    auto report = file->report();
    EXPECT_EQ(report.value().totals[static_cast<std::size_t>(trace::Counter::kFailures)], 1);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFileFault, SeekingToAnUnknownEndFails) {
  MemoryDriver memory;
  FaultDriver faults(memory, {{{Operation::kSize, 0, EIO, 0, 2}}});
  Outcomes shared;
  run_file_ranks(2, [&](Rank& rank) {
    auto file = rank.open(faults);
    if (rank.number() == 1) {
      EXPECT_EQ(file->seek(0, Whence::kEnd).error_class(), ErrorClass::kIo);
    }
    shared.add(file->seek_shared(0, Whence::kEnd));
    EXPECT_EQ(file->shared_position().value(), 0);
    EXPECT_TRUE(file->close().ok());
  });
  shared.expect(2, ErrorClass::kIo);
}

}  // namespace
}  // namespace weir::exec
