#include "trace/report.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

namespace weir::trace {
namespace {

std::int64_t& at(FileReport& report, Counter counter) { return report.totals[static_cast<std::size_t>(counter)]; }

TEST(Report, OfAFileThatWasOnlyOpened) {
  FileReport report;
  report.path = "/data/out";
  report.file_system = "ext4";
  EXPECT_EQ(print(report),
            "weir: /data/out (ext4), 1 ranks on 1 node\n"
            "weir:   accesses by method: 0 contiguous, 0 list, 0 packed, 0 sieve\n");
}

TEST(Report, OfAFileThatWasWrittenAndRead) {
  FileReport report;
  report.path = "/data/out";
  report.file_system = "lustre";
  report.ranks = 64;
  report.nodes = 4;
  at(report, Counter::kIndependentWrites) = 3;
  at(report, Counter::kCollectiveWrites) = 128;
  at(report, Counter::kBytesWritten) = 20480;
  at(report, Counter::kPiecesWritten) = 1000;
  at(report, Counter::kWriteCalls) = 131;
  at(report, Counter::kFileBytesWritten) = 20 << 20;
  at(report, Counter::kCollectiveReads) = 64;
  at(report, Counter::kBytesRead) = 10239;
  at(report, Counter::kPiecesRead) = 64;
  at(report, Counter::kReadCalls) = 65;
  at(report, Counter::kFileBytesRead) = 10240;
  at(report, Counter::kContiguous) = 100;
  at(report, Counter::kList) = 90;
  at(report, Counter::kPacked) = 4;
  at(report, Counter::kSieve) = 1;
  at(report, Counter::kFailures) = 2;
  report.last_plan = "independent: 7 bytes";
  report.last_access = "list: 3 pieces in the file";
  EXPECT_EQ(print(report),
            "weir: /data/out (lustre), 64 ranks on 4 nodes\n"
            "weir:   written: 20.0 KiB in 1000 pieces by 3 independent and 128 collective accesses; "
            "131 file system calls moved 20.0 MiB\n"
            "weir:   read: 10239 B in 64 pieces by 0 independent and 64 collective accesses; "
            "65 file system calls moved 10.0 KiB\n"
            "weir:   accesses by method: 100 contiguous, 90 list, 4 packed, 1 sieve\n"
            "weir:   last plan: independent: 7 bytes\n"
            "weir:   last access of rank 0: list: 3 pieces in the file\n"
            "weir:   2 accesses failed\n");
}

TEST(Report, LeavesOutADirectionNobodyUsed) {
  FileReport report;
  at(report, Counter::kIndependentReads) = 1;
  EXPECT_EQ(print(report).find("written"), std::string::npos);
  EXPECT_NE(print(report).find("read: 0 B in 0 pieces"), std::string::npos);
}

TEST(Counters, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kCounters; ++i) {
    EXPECT_FALSE(name(static_cast<Counter>(i)).empty());
    names.insert(name(static_cast<Counter>(i)));
  }
  EXPECT_EQ(names.size(), kCounters);
}

TEST(Counters, LoseNothingBetweenThreads) {
  Counters counters;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 1000; ++j) counters.add(Counter::kBytesRead, 3);
      });
    }
  }
  EXPECT_EQ(counters.values()[static_cast<std::size_t>(Counter::kBytesRead)], 12000);
  EXPECT_EQ(counters.values()[static_cast<std::size_t>(Counter::kBytesWritten)], 0);
}

TEST(Counters, AreChosenByDirection) {
  EXPECT_EQ(by_direction(Direction::kRead, Counter::kList, Counter::kSieve), Counter::kList);
  EXPECT_EQ(by_direction(Direction::kWrite, Counter::kList, Counter::kSieve), Counter::kSieve);
}

}  // namespace
}  // namespace weir::trace
