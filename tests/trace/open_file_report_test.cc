// What an open file counts and keeps for its report, with ranks as threads.
#include <gtest/gtest.h>

#include "driver/fault.h"
#include "driver/memory.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::FaultDriver;
using driver::MemoryDriver;
using driver::Operation;
using trace::Counter;

std::int64_t total(const trace::FileReport& report, Counter counter) { return value_of(report.totals, counter); }

TEST(OpenFileReport, AnAccessThatGetsNoLockIsAFailure) {
  MemoryDriver memory;
  run_file_ranks(2, [&](Rank& rank) {
    FaultDriver faults(memory, {{{Operation::kLock, 0, ENOLCK}}});
    auto file = rank.open(rank.number() == 1 ? static_cast<driver::FileDriver&>(faults) : memory);
    EXPECT_TRUE(file->set_atomic(true).ok());
    EXPECT_EQ(write_explicit(*file, 100 * rank.number(), pattern(100)).status.ok(), rank.number() == 0);
    const trace::FileReport report = file->report().value();
    EXPECT_EQ(total(report, Counter::kIndependentWrites), 2);
    EXPECT_EQ(total(report, Counter::kFailures), 1);
    EXPECT_EQ(total(report, Counter::kBytesWritten), 100);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFileReport, RanksWithoutBytesTakePartToo) {
  MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_TRUE(write_explicit(*file, 0, pattern(rank.number() == 0 ? 10 : 0), true).status.ok());
    EXPECT_TRUE(write_explicit(*file, 0, pattern(0), true).status.ok());
    const trace::FileReport report = file->report().value();
    EXPECT_EQ(total(report, Counter::kCollectiveWrites), 6);
    EXPECT_EQ(total(report, Counter::kBytesWritten), 10);
    const trace::DirectionTally& tally = report.calls.of(Direction::kWrite);
    EXPECT_EQ(tally.calls(), 2);
    EXPECT_EQ(tally.calls(plan::Method::kNothing), 1);
    EXPECT_TRUE(tally.last && tally.last->bytes == 10);
    EXPECT_TRUE(file->close().ok());
  });
}

// Four blocks of 1024 bytes, read by one rank alone, and by both through one aggregator.
TEST(OpenFileReport, AdviceIsCounted) {
  MemoryDriver driver({.prefetch_slots = 1, .storage = {.lock_bytes = 1024, .file_system = "memory"}});
  put_file(driver, pattern(4096));
  hints::HintSet hints;
  EXPECT_TRUE(hints.set(hints::Id::kWeirMethod, "two_phase").ok());
  EXPECT_TRUE(hints.set(hints::Id::kCbNodes, "1").ok());
  EXPECT_TRUE(hints.set(hints::Id::kCbBufferSize, "1024").ok());
  EXPECT_TRUE(hints.set(hints::Id::kWeirMaxAcc, "1").ok());
  run_file_ranks(2, [&](Rank& rank) {
    auto file = rank.open(driver, kReadWriteMode, "f", hints);
    Bytes alone(rank.number() == 0 ? 4096 : 0);
    EXPECT_TRUE(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, false, alone)).status.ok());
    trace::FileReport report = file->report().value();
    EXPECT_EQ(total(report, Counter::kRangesAsked), 2) << "one request: the rest is not worth any advice";
    EXPECT_EQ(total(report, Counter::kRangesTaken), 1);
    EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), 2, 16), 1).ok());
    Bytes together(2048);
    EXPECT_TRUE(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, true, together)).status.ok());
    report = file->report().value();
    EXPECT_EQ(total(report, Counter::kRangesAsked), 2 + 2 + 2 + 2 + 1) << "two in each round, one in the last";
    EXPECT_EQ(total(report, Counter::kRangesTaken), 1 + 4);
    EXPECT_TRUE(file->close().ok());
  });
}

// What rank 0 tells the user of three collective writes; other ranks must not tell anything.
std::vector<std::string> told_with(const hints::HintSet& hints) {
  MemoryDriver driver;
  std::vector<std::string> told;
  run_file_ranks(2, [&](Rank& rank) {
    OpenArguments arguments{"f", kCreateMode, hints};
    arguments.tell = [&](const std::vector<std::string>& lines) {
      EXPECT_EQ(rank.number(), 0);
      told.insert(told.end(), lines.begin(), lines.end());
    };
    auto file = OpenFile::open(driver, rank.wiring(), arguments).value();
    EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), 2, 4), 1).ok());
    for (int call = 0; call < 3; ++call) EXPECT_TRUE(write_explicit(*file, 0, pattern(400), true).status.ok());
    EXPECT_TRUE(file->close().ok());
  });
  return told;
}

TEST(OpenFileReport, WishesThatCannotBeFollowedAreToldOnce) {
  hints::HintSet hints;
  EXPECT_TRUE(told_with(hints).empty());
  EXPECT_TRUE(hints.set(hints::Id::kWeirMethod, "two_phase").ok());
  EXPECT_TRUE(hints.set(hints::Id::kWeirLocalAggregators, "2").ok());
  EXPECT_TRUE(told_with(hints).empty());
  EXPECT_TRUE(hints.set(hints::Id::kWeirLocalAggregators, "5").ok());
  EXPECT_EQ(told_with(hints), std::vector<std::string>{"not as wished: 5 local aggregators a node asked for, 2 used: "
                                                       "no node has more ranks"});
}

TEST(OpenFileReport, CallsThroughAggregatorsAreRecorded) {
  MemoryDriver driver;
  hints::HintSet hints;
  EXPECT_TRUE(hints.set(hints::Id::kWeirMethod, "two_phase").ok());
  run_file_ranks(4, [&](Rank& rank) {
    auto file = rank.open(driver, kCreateMode, "f", hints);
    EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), 4, 4), 1).ok());
    for (int call = 0; call < 2; ++call) EXPECT_TRUE(write_explicit(*file, 0, pattern(400), true).status.ok());
    const trace::FileReport report = file->report().value();
    EXPECT_EQ(total(report, Counter::kTwoPhase), 8);
    EXPECT_EQ(total(report, Counter::kPlansReused), 4);
    EXPECT_EQ(total(report, Counter::kPiecesWritten), 800);
    EXPECT_EQ(total(report, Counter::kBytesWritten), 3200);
    EXPECT_GE(total(report, Counter::kCollectiveTime), value_of(report.most, Counter::kCollectiveTime));
    const std::vector<trace::CallRecord> calls = report.calls.records();
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_FALSE(calls[0].plan_reused);
    EXPECT_TRUE(calls[1].plan_reused);
    EXPECT_EQ(calls[1].bytes, 1600);
    EXPECT_GE(calls[1].times.total, calls[1].times.agree);
    EXPECT_EQ(report.hints, (std::vector<trace::HintValue>{{"weir_method", "two_phase", true}}));
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFileReport, RefusedCallsAreFailuresOfAllRanks) {
  MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_FALSE(write_explicit(*file, rank.number() == 1 ? -1 : 0, pattern(10), true).status.ok());
    const trace::FileReport report = file->report().value();
    EXPECT_EQ(total(report, Counter::kCollectiveWrites), 3);
    EXPECT_EQ(total(report, Counter::kFailures), 3);
    EXPECT_TRUE(report.calls.records().at(0).failed);
    EXPECT_EQ(report.calls.records().at(0).reason, "a rank's arguments were refused");
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFileReport, HintsThatAreGivenAgainAreToldOnce) {
  MemoryDriver driver;
  run_file_ranks(2, [&](Rank& rank) {
    auto file = rank.open(driver);
    HintSources sources;
    sources.info = {{"cb_node", "3"}};
    for (int again = 0; again < 3; ++again) EXPECT_TRUE(file->settle_hints(sources, hints::When::kSetInfo).ok());
    const hints::Changes changes = file->report().value().hints_not_followed;
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].outcome, hints::Outcome::kUnknown);
    EXPECT_TRUE(file->close().ok());
  });
}

}  // namespace
}  // namespace weir::exec
