// The hint weir_io: every way moves the same bytes, and one that cannot be had is told.
#include <gmock/gmock.h>

#include <atomic>
#include <cerrno>

#include "driver/posix.h"
#include "exec/collective_combination.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::PosixDriver;
using driver::TemporaryFolder;
using testing::HasSubstr;

constexpr int kRanks = 4;
constexpr std::int64_t kBlock = 100;
constexpr std::int64_t kBytes = 40 * kBlock;

// A view whose blocks lie apart: between those of the ranks, one is nobody's.
layout::FileView view_of(const Rank& rank) { return interleaved_view(rank.number(), kRanks + 1, kBlock); }

trace::FileReport report_of(OpenFile& file) {
  Result<trace::FileReport> report = file.report();
  EXPECT_TRUE(report.ok());
  return report.ok() ? report.value() : trace::FileReport();
}

// All ranks write and read, alone and together.
void write_and_read(Rank& rank, OpenFile& file) {
  ASSERT_TRUE(file.set_view({}, view_of(rank), 1).ok());
  int seed = rank.number();
  for (const bool collective : {false, true}) {
    Bytes wanted = pattern(kBytes, seed += kRanks);
    ASSERT_TRUE(write_explicit(file, 0, wanted, collective).status.ok());
    rank.meet();
    Bytes read(kBytes);
    const Transfer transfer = transfer_of(Direction::kRead, Positioning::kExplicit, collective, read);
    ASSERT_TRUE(run_transfer(file, transfer).status.ok());
    EXPECT_EQ(read, wanted);
    rank.meet();
  }
}

TEST(OpenFileIo, EveryWayMovesTheSameBytes) {
  for (const char* way : {"auto", "buffered", "direct", "uring"}) {
    TemporaryFolder folder;
    PosixDriver driver;
    const Combination hints{{{"weir_io", way}, {"weir_method", "two_phase"}}, 0};
    run_file_ranks(kRanks, [&](Rank& rank) {
      auto file = rank.open(driver, kCreateMode, folder.file("f"), hints.hint_set());
      write_and_read(rank, *file);
      const trace::FileReport report = report_of(*file);
      const bool flies = std::string(way) == "uring" && report.io_replaced.empty();
      EXPECT_EQ(trace::value_of(report.totals, trace::Counter::kCallsInFlight) > 0, flies) << way;
      EXPECT_TRUE(file->close().ok());
    });
  }
}

// A kernel without rings.
class NoRings final : public driver::Syscalls {
 public:
  std::unique_ptr<driver::Ring> make_ring(int& error_number) override {
    error_number = ENOSYS;
    return nullptr;
  }
};

TEST(OpenFileIo, AWayThatCannotBeHadIsToldOnce) {
  TemporaryFolder folder;
  PosixDriver driver(std::make_shared<NoRings>());
  const Combination hints{{{"weir_io", "uring"}}, 0};
  std::atomic<int> told = 0;
  run_file_ranks(kRanks, [&](Rank& rank) {
    OpenArguments arguments{folder.file("f"), kCreateMode, hints.hint_set()};
    arguments.tell = [&](const std::vector<std::string>& lines) {
      told += static_cast<int>(lines.size());
      EXPECT_THAT(lines.front(), HasSubstr("not as wished: weir_io=uring"));
      EXPECT_THAT(lines.front(), HasSubstr("ENOSYS"));
    };
    auto file = OpenFile::open(driver, rank.wiring(), arguments);
    ASSERT_TRUE(file.ok());
    write_and_read(rank, *file.value());
    const trace::FileReport report = report_of(*file.value());
    EXPECT_THAT(report.io_replaced, HasSubstr("ENOSYS"));
    EXPECT_EQ(trace::value_of(report.totals, trace::Counter::kCallsInFlight), 0);
    EXPECT_TRUE(file.value()->close().ok());
  });
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace weir::exec
