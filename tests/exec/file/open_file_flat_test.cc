// One contiguous buffer in one step: the same as preparing and running a transfer, or nothing at all.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "exec/file_ranks.h"
#include "layout/layout.h"

namespace weir::exec {
namespace {

using driver::MemoryDriver;
using layout::FileView;
using layout::Layout;

constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

FlatTransfer flat_of(Direction direction, Positioning positioning, std::int64_t offset, Bytes& memory) {
  return {direction, positioning, offset, memory.data(), std::ssize(memory)};
}

driver::IoOutcome in_one_step(OpenFile& file, Direction direction, Positioning positioning, std::int64_t offset,
                              Bytes& memory) {
  auto outcome = file.run_flat(flat_of(direction, positioning, offset, memory));
  EXPECT_TRUE(outcome.has_value());
  return outcome.has_value() ? std::move(*outcome) : driver::IoOutcome();
}

driver::IoOutcome in_two_steps(OpenFile& file, Direction direction, Positioning positioning, std::int64_t offset,
                               Bytes& memory) {
  return run_transfer(
      file, transfer_of(direction, positioning, false, memory, positioning == Positioning::kExplicit ? offset : 0));
}

// What a program sees of one access.
struct Seen {
  std::int64_t bytes_moved;
  Bytes memory;
  std::int64_t position;
  bool operator==(const Seen&) const = default;
};

// Writes and reads through a view, in either way, also behind the end of the file.
std::vector<Seen> access_all(const FileView& view, decltype(in_one_step)& access) {
  std::vector<Seen> seen;
  MemoryDriver driver;
  run_file_ranks(1, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_TRUE(file->set_view({}, view, 1).ok());
    for (const Positioning positioning : {Positioning::kExplicit, Positioning::kIndividual}) {
      for (const std::int64_t offset : {0, 3, 40}) {
        for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
          Bytes memory = pattern(direction == Direction::kWrite ? 24 : 48, static_cast<int>(seen.size()));
          const driver::IoOutcome outcome = access(*file, direction, positioning, offset, memory);
          EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
          seen.push_back({outcome.bytes_moved, memory, file->position().value()});
        }
      }
    }
    EXPECT_TRUE(file->close().ok());
  });
  return seen;
}

TEST(OpenFileFlat, IsTheSameAsTwoSteps) {
  const std::vector<FileView> views = {FileView(), FileView(10, 1, Layout::contiguous(1), 1),
                                       FileView(7, 4, Layout::contiguous(4), 4),
                                       FileView(0, 4, Layout::contiguous(12), 12)};
  for (const FileView& view : views) EXPECT_EQ(access_all(view, in_one_step), access_all(view, in_two_steps));
}

TEST(OpenFileFlat, CountsLikeAnyOther) {
  MemoryDriver driver;
  run_file_ranks(1, [&](Rank& rank) {
    auto file = rank.open(driver);
    Bytes memory = pattern(100);
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(file->run_flat(flat_of(Direction::kWrite, Positioning::kExplicit, 0, memory)).has_value());
    }
    EXPECT_TRUE(file->run_flat(flat_of(Direction::kRead, Positioning::kExplicit, 50, memory)).has_value());
    EXPECT_EQ(write_explicit(*file, 0, memory).bytes_moved, 100);
    Result<trace::FileReport> report = file->report();
    ASSERT_TRUE(report.ok());
    const auto total = [&](trace::Counter counter) { return trace::value_of(report.value().totals, counter); };
    EXPECT_EQ(total(trace::Counter::kIndependentWrites), 4);
    EXPECT_EQ(total(trace::Counter::kIndependentReads), 1);
    EXPECT_EQ(total(trace::Counter::kBytesWritten), 400);
    EXPECT_EQ(total(trace::Counter::kBytesRead), 50);
    EXPECT_EQ(total(trace::Counter::kPiecesWritten), 4);
    EXPECT_EQ(total(trace::Counter::kContiguous), 5);
    EXPECT_NE(report.value().last_access.find("contiguous"), std::string::npos);
    EXPECT_TRUE(file->close().ok());
  });
}

// Nothing is done: no byte moved, no pointer.
void expect_nothing(OpenFile& file, const FlatTransfer& transfer) {
  const Result<std::int64_t> before = file.position();
  EXPECT_FALSE(file.run_flat(transfer).has_value());
  EXPECT_EQ(file.position().value(), before.value());
}

TEST(OpenFileFlat, LeavesWhatIsRefusedToOthers) {
  MemoryDriver driver;
  put_file(driver, pattern(100));
  run_file_ranks(1, [&](Rank& rank) {
    Bytes memory = pattern(10);
    Bytes none;
    auto file = rank.open(driver);
    expect_nothing(*file, flat_of(Direction::kRead, Positioning::kExplicit, -1, memory));
    expect_nothing(*file, flat_of(Direction::kRead, Positioning::kExplicit, kHighest - 3, memory));
    expect_nothing(*file, flat_of(Direction::kRead, Positioning::kShared, 0, memory));
    expect_nothing(*file, flat_of(Direction::kRead, Positioning::kExplicit, 0, none));
    EXPECT_TRUE(file->set_view({}, FileView(0, 4, Layout::contiguous(4), 4), 1).ok());
    expect_nothing(*file, flat_of(Direction::kWrite, Positioning::kIndividual, 0, memory));
    expect_nothing(*file, flat_of(Direction::kRead, Positioning::kExplicit, kHighest / 4 + 1, memory));
    EXPECT_TRUE(file->set_view({}, FileView(0, 1, Layout::contiguous(4), 10), 1).ok());
    expect_nothing(*file, flat_of(Direction::kWrite, Positioning::kIndividual, 0, memory));
    EXPECT_TRUE(file->set_view({}, FileView(), 1).ok());
    EXPECT_TRUE(file->set_atomic(true).ok());
    expect_nothing(*file, flat_of(Direction::kWrite, Positioning::kIndividual, 0, memory));
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFileFlat, KeepsToTheMode) {
  MemoryDriver driver;
  put_file(driver, pattern(100));
  for (const AccessMode mode : {AccessMode{.read_only = true}, AccessMode{.write_only = true},
                                AccessMode{.read_only = true, .sequential = true}}) {
    run_file_ranks(1, [&](Rank& rank) {
      Bytes memory = pattern(10);
      auto file = rank.open(driver, mode);
      const auto served = [&](Direction direction) {
        return file->run_flat(flat_of(direction, Positioning::kExplicit, 0, memory)).has_value();
      };
      EXPECT_EQ(served(Direction::kRead), mode.read_only && !mode.sequential);
      EXPECT_EQ(served(Direction::kWrite), mode.write_only);
      EXPECT_TRUE(file->close().ok());
    });
  }
}

TEST(OpenFileFlat, ThreadsTakePlacesOfTheirOwn) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 500;
  MemoryDriver driver;
  run_file_ranks(1, [&](Rank& rank) {
    auto file = rank.open(driver);
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
          Bytes memory(8, static_cast<std::byte>(thread + 1));
          const FlatTransfer transfer = flat_of(Direction::kWrite, Positioning::kIndividual, 0, memory);
          for (int call = 0; call < kCalls; ++call) EXPECT_TRUE(file->run_flat(transfer).has_value());
        });
      }
    }
    EXPECT_EQ(file->position().value(), kThreads * kCalls * 8);
    Bytes found(kThreads * kCalls * 8);
    EXPECT_EQ(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, false, found)).bytes_moved,
              std::ssize(found));
    for (int thread = 0; thread < kThreads; ++thread) {
      EXPECT_EQ(std::count(found.begin(), found.end(), static_cast<std::byte>(thread + 1)), kCalls * 8);
    }
    EXPECT_TRUE(file->close().ok());
  });
}

}  // namespace
}  // namespace weir::exec
