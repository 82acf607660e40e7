// What a file is told by all ranks together: size, view, atomic mode, hints; and what it reports.
#include <gtest/gtest.h>

#include <cerrno>

#include "driver/fault.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::FaultDriver;
using driver::MemoryDriver;
using driver::Operation;

TEST(OpenFileFacts, SizesMustBeTheSame) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver;
    Outcomes resized;
    Outcomes grown;
    Outcomes differed;
    Outcomes reserved_differently;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      resized.add(file->set_size(100));
      EXPECT_EQ(file->size().value(), 100);
      rank.meet();
      grown.add(file->preallocate(150));
      EXPECT_EQ(file->size().value(), 150);
      rank.meet();
      EXPECT_TRUE(file->preallocate(10).ok());
      EXPECT_EQ(file->size().value(), 150);
      rank.meet();
      const bool odd = rank.number() == rank.size() - 1;
      differed.add(file->set_size(odd ? 7 : 8));
      reserved_differently.add(file->preallocate(odd ? 700 : 800));
      if (ranks > 1) {
        EXPECT_EQ(file->size().value(), 150);
      }
      EXPECT_TRUE(file->close().ok());
    });
    resized.expect(ranks, ErrorClass::kOk);
    grown.expect(ranks, ErrorClass::kOk);
    differed.expect(ranks, ranks == 1 ? ErrorClass::kOk : ErrorClass::kNotSame);
    reserved_differently.expect(ranks, ranks == 1 ? ErrorClass::kOk : ErrorClass::kNotSame);
  }
}

TEST(OpenFileFacts, SizesThatNoFileHas) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t bytes : {std::int64_t{-1}, kLowest}) {
    MemoryDriver driver;
    Outcomes set;
    Outcomes reserved;
    Outcomes extremes;
    run_file_ranks(2, [&](Rank& rank) {
      auto file = rank.open(driver);
      set.add(file->set_size(bytes));
      reserved.add(file->preallocate(bytes));
      extremes.add(file->set_size(rank.number() == 0 ? kLowest : kHighest));
      EXPECT_TRUE(file->close().ok());
    });
    set.expect(2, ErrorClass::kArgument);
    reserved.expect(2, ErrorClass::kArgument);
    extremes.expect(2, ErrorClass::kNotSame);
  }
}

TEST(OpenFileFacts, AFullDiskAndAReadOnlyFileAreToldToAll) {
  MemoryDriver driver({.capacity_bytes = 1000});
  Outcomes too_large;
  Outcomes not_allowed;
  Outcomes not_reserved;
  run_file_ranks(4, [&](Rank& rank) {
    auto file = rank.open(driver);
    too_large.add(file->set_size(1001));
    EXPECT_TRUE(file->close().ok());
    file = nullptr;
    file = rank.open(driver, kReadOnlyMode);
    not_allowed.add(file->set_size(10));
    not_reserved.add(file->preallocate(10));
    EXPECT_TRUE(file->sync().ok());
    EXPECT_TRUE(file->close().ok());
  });
  too_large.expect(4, ErrorClass::kNoSpace);
  not_allowed.expect(4, ErrorClass::kReadOnly);
  not_reserved.expect(4, ErrorClass::kReadOnly);
}

TEST(OpenFileFacts, AFailedSyncIsToldToAll) {
  for (int failing = 0; failing < 4; ++failing) {
    MemoryDriver memory;
    Outcomes outcomes;
    run_file_ranks(4, [&](Rank& rank) {
      FaultDriver faults(memory, {{{Operation::kSync, 0, ENOSPC}}});
      driver::FileDriver& driver = rank.number() == failing ? static_cast<driver::FileDriver&>(faults) : memory;
      auto file = rank.open(driver);
      outcomes.add(file->sync());
      EXPECT_TRUE(file->sync().ok());
      EXPECT_TRUE(file->close().ok());
    });
    outcomes.expect(4, ErrorClass::kNoSpace);
  }
}

TEST(OpenFileFacts, AViewThatOneRankCannotTakeIsTakenByNone) {
  for (int ranks : kRankCounts) {
    for (int bad = 0; bad < ranks; bad += 3) {
      MemoryDriver driver;
      Outcomes outcomes;
      run_file_ranks(ranks, [&](Rank& rank) {
        auto file = rank.open(driver);
        const layout::FileView old = interleaved_view(rank.number(), ranks, 8);
        EXPECT_TRUE(file->set_view({}, old, 1).ok());
        EXPECT_TRUE(file->seek(5, Whence::kSet).ok());
        Status mine = rank.number() == bad ? Status(ErrorClass::kDatatype, "bad type") : Status();
        outcomes.add(file->set_view(mine, layout::FileView(), 1));
        EXPECT_EQ(file->view(), old);
        EXPECT_EQ(file->position().value(), 5);
        EXPECT_TRUE(file->close().ok());
      });
      outcomes.expect(ranks, ErrorClass::kDatatype);
    }
  }
}

TEST(OpenFileFacts, ViewsMustHaveTheSameSignature) {
  MemoryDriver driver;
  Outcomes outcomes;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    outcomes.add(file->set_view({}, interleaved_view(rank.number(), 3, 8), rank.number() == 1 ? 7 : 8));
    EXPECT_EQ(file->view(), layout::FileView());
    EXPECT_TRUE(file->close().ok());
  });
  outcomes.expect(3, ErrorClass::kNotSame);
}

TEST(OpenFileFacts, ANewViewSetsAllPointersToItsBeginning) {
  MemoryDriver driver;
  run_file_ranks(4, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_TRUE(file->seek(5, Whence::kSet).ok());
    EXPECT_TRUE(file->seek_shared(9, Whence::kSet).ok());
    EXPECT_TRUE(file->set_view({}, layout::FileView(), 1).ok());
    EXPECT_EQ(file->position().value(), 0);
    EXPECT_EQ(file->shared_position().value(), 0);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFileFacts, AtomicModeIsSetByAll) {
  MemoryDriver driver;
  Outcomes differed;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_FALSE(file->atomic());
    differed.add(file->set_atomic(rank.number() == 2));
    EXPECT_FALSE(file->atomic());
    EXPECT_TRUE(file->set_atomic(true).ok());
    EXPECT_TRUE(file->atomic());
    EXPECT_TRUE(file->set_atomic(false).ok());
    EXPECT_FALSE(file->atomic());
    EXPECT_TRUE(file->close().ok());
  });
  differed.expect(3, ErrorClass::kNotSame);
}

// Where a driver cannot tell whether its locks reach other nodes, atomic mode is refused rather than pretended.
TEST(OpenFileFacts, AtomicModeOnSeveralNodesNeedsLocksThatReachThem) {
  MemoryDriver driver({.tells_locks = false});
  Outcomes outcomes;
  run_file_ranks(4, 2, [&](Rank& rank) {
    auto file = rank.open(driver);
    outcomes.add(file->set_atomic(true));
    EXPECT_FALSE(file->atomic());
    EXPECT_TRUE(file->close().ok());
  });
  outcomes.expect(4, ErrorClass::kUnsupportedOperation);
}

TEST(OpenFileFacts, OverlappingAtomicWritesAreEntire) {
  for (int ranks : {2, 4, 16}) {
    MemoryDriver driver;
    // Many pieces, so that a write takes several transfers.
    const layout::FileView view(0, 1, layout::Layout::contiguous(1), 2);
    constexpr std::int64_t kBytes = 3000;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      EXPECT_TRUE(file->set_atomic(true).ok());
      EXPECT_TRUE(file->set_view({}, view, 1).ok());
      for (int round = 0; round < 3; ++round) {
        Bytes mine(kBytes, static_cast<std::byte>(rank.number() + 1));
        EXPECT_EQ(write_explicit(*file, 0, mine, round == 1).bytes_moved, kBytes);
        Bytes found(kBytes);
        EXPECT_EQ(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, false, found)).bytes_moved,
                  kBytes);
        EXPECT_EQ(found, Bytes(kBytes, found[0]));
      }
      EXPECT_TRUE(file->close().ok());
    });
    const Bytes bytes = driver.contents("f").value();
    ASSERT_EQ(std::ssize(bytes), 2 * kBytes - 1);
    for (std::size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(bytes[i], i % 2 == 0 ? bytes[0] : std::byte{0});
  }
}

std::int64_t total(const trace::FileReport& report, trace::Counter counter) {
  return report.totals[static_cast<std::size_t>(counter)];
}

TEST(OpenFileFacts, TheReportSumsOverRanks) {
  for (int ranks : {1, 4, 7}) {
    MemoryDriver driver;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      EXPECT_EQ(write_explicit(*file, 100 * rank.number(), pattern(100), true).bytes_moved, 100);
      EXPECT_EQ(write_explicit(*file, 100 * rank.number(), pattern(50)).bytes_moved, 50);
      Bytes buffer(10);
      EXPECT_EQ(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kIndividual, false, buffer)).bytes_moved,
                10);
      for (int again = 0; again < 2; ++again) {  // asking changes nothing
        auto report = file->report();
        EXPECT_TRUE(report.ok());
        if (!report.ok()) break;
        EXPECT_EQ(report.value().path, "f");
        EXPECT_EQ(report.value().file_system, "memory");
        EXPECT_EQ(report.value().ranks, ranks);
        EXPECT_EQ(report.value().nodes, 1);
        EXPECT_EQ(total(report.value(), trace::Counter::kCollectiveWrites), ranks);
        EXPECT_EQ(total(report.value(), trace::Counter::kIndependentWrites), ranks);
        EXPECT_EQ(total(report.value(), trace::Counter::kIndependentReads), ranks);
        EXPECT_EQ(total(report.value(), trace::Counter::kBytesWritten), 150 * ranks);
        EXPECT_EQ(total(report.value(), trace::Counter::kBytesRead), 10 * ranks);
        EXPECT_EQ(total(report.value(), trace::Counter::kContiguous), 3 * ranks);
        EXPECT_EQ(total(report.value(), trace::Counter::kWriteCalls), 2 * ranks);
        EXPECT_EQ(total(report.value(), trace::Counter::kFileBytesWritten), 150 * ranks);
        EXPECT_EQ(total(report.value(), trace::Counter::kFileBytesRead), 10 * ranks);
        EXPECT_EQ(total(report.value(), trace::Counter::kFailures), 0);
        EXPECT_EQ(report.value().last_access, "contiguous: one piece in the file and in memory");
        EXPECT_EQ(report.value().calls.of(Direction::kWrite).calls(), 1);
        EXPECT_TRUE(report.value().calls.of(Direction::kWrite).last_plan());
        EXPECT_FALSE(report.value().calls.of(Direction::kRead).last_plan());
      }
      EXPECT_TRUE(file->close().ok());
    });
  }
}

// What was started before is in the report, though nobody has waited for it yet.
TEST(OpenFileFacts, TheReportWaitsForNonblockingAccesses) {
  MemoryDriver memory;
  FaultDriver slow(memory, {{}, std::chrono::milliseconds(30)});
  run_file_ranks(2, [&](Rank& rank) {
    auto file = rank.open(slow);
    Bytes mine = pattern(100);
    file->start(file->prepare(transfer_of(Direction::kWrite, Positioning::kExplicit, false, mine)),
                [](const driver::IoOutcome&) {});
    auto report = file->report();
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(total(report.value(), trace::Counter::kBytesWritten), 200);
    EXPECT_EQ(total(report.value(), trace::Counter::kFileBytesWritten), 200);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFileFacts, TwoFilesAtOnceDoNotMix) {
  MemoryDriver driver;
  constexpr int kRanks = 4;
  const comm::ThreadGroup groups[] = {comm::tested_group(kRanks), comm::tested_group(kRanks)};
  const comm::LineGroups lines[] = {comm::tested_line(kRanks), comm::tested_line(kRanks)};
  comm::run_tested_ranks(kRanks, [&](comm::ThreadComm& channel) {
    const int rank = channel.rank();
    auto open = [&](const std::string& path, int number) {
      Wiring wiring{groups[number].comm(rank), lines[number].of(rank)};
      return std::move(OpenFile::open(driver, std::move(wiring), {path, kCreateMode, {}})).value();
    };
    auto a = open("a", 0);
    auto b = open("b", 1);
    std::vector<Bytes> kept;
    for (int i = 0; i < 20; ++i) kept.push_back(pattern(8, 50 * i + rank));
    // Even ranks start with one file, odd ranks with the other: two files have no order between them.
    for (std::size_t i = 0; i < kept.size(); ++i) {
      OpenFile* first = rank % 2 == 0 ? a.get() : b.get();
      OpenFile* second = rank % 2 == 0 ? b.get() : a.get();
      const std::int64_t offset = static_cast<std::int64_t>(i) * 8 * kRanks + 8 * rank;
      for (OpenFile* file : {first, second}) {
        file->start(file->prepare(transfer_of(Direction::kWrite, Positioning::kExplicit, true, kept[i], offset)),
                    [](const driver::IoOutcome& outcome) { EXPECT_TRUE(outcome.status.ok()); });
      }
    }
    EXPECT_TRUE(a->close().ok());
    EXPECT_TRUE(b->close().ok());
  });
  EXPECT_EQ(driver.contents("a").value(), driver.contents("b").value());
  EXPECT_EQ(std::ssize(driver.contents("a").value()), 20 * 8 * kRanks);
}

}  // namespace
}  // namespace weir::exec
