#include "exec/stage/file_lane.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exec/engine_run.h"

namespace weir::exec {
namespace {

using trace::Counter;

layout::FileView blocks_view(const std::vector<std::int64_t>& places, const std::vector<std::int64_t>& lengths) {
  return {0, 1, layout::Layout::blocks(places, lengths), 1 << 20};
}

TEST(FileLane, AWindowThatIsTiledIsNotMarked) {
  driver::MemoryDriver driver;
  run_engine(4, 0, {{"cb_buffer_size", "64"}}, driver, [&](Rank& rank, OpenFile& file) {
    EXPECT_TRUE(file.set_view({}, interleaved_view(rank.number(), 4, 5), 1).ok());
    Bytes bytes = pattern(320, rank.number());
    access(file, Direction::kWrite, bytes);
    const Counts counts = counts_of(file);
    EXPECT_EQ(counts.of(Counter::kRounds), 20);
    EXPECT_EQ(counts.of(Counter::kWindowsMarked), 0);
  });
}

// Rank 0 wants [0, 6), rank 1 [0, 6) and [12, 16): sixteen bytes for a window of sixteen, and yet a hole.
TEST(FileLane, OverlapAndHoleThatAddUpAreSeen) {
  for (const int ranks_per_node : {0, 1}) {
    driver::MemoryDriver driver;
    const Bytes before = pattern(40, 77);
    put_file(driver, before);
    run_engine(2, ranks_per_node, {{"cb_nodes", "1"}}, driver, [&](Rank& rank, OpenFile& file) {
      const bool first = rank.number() == 0;
      EXPECT_TRUE(file.set_view({}, first ? blocks_view({0}, {6}) : blocks_view({0, 12}, {6, 4}), 1).ok());
      Bytes bytes(first ? 6 : 10, std::byte{255});
      access(file, Direction::kWrite, bytes);
      EXPECT_EQ(counts_of(file).of(Counter::kWindowsMarked), 1);
      EXPECT_EQ(counts_of(file).of(Counter::kRounds), 1);
    });
    Bytes expected = before;
    for (std::size_t i = 0; i < 16; ++i) {
      if (i < 6 || i >= 12) expected[i] = std::byte{255};
    }
    EXPECT_EQ(driver.contents("f").value(), expected) << ranks_per_node << " ranks per node";
  }
}

// Bytes that nobody asked for stay, in every kind of domain and window.
TEST(FileLane, HolesSurvive) {
  for (const char* domains : {"even", "aligned", "static_cyclic", "group_cyclic"}) {
    for (const char* window : {"7", "64", "4096"}) {
      driver::MemoryDriver driver({.storage = {.lock_bytes = 16, .file_system = "memory"}});
      const Bytes before = pattern(2000, 5);
      put_file(driver, before);
      run_engine(4, 2, {{"weir_domains", domains}, {"cb_buffer_size", window}, {"cb_nodes", "3"}}, driver,
                 [&](Rank& rank, OpenFile& file) {
                   EXPECT_TRUE(file.set_view({}, interleaved_view(rank.number(), 5, 9), 1).ok());  // as if of five
                   Bytes bytes(180, static_cast<std::byte>(240 + rank.number()));
                   access(file, Direction::kWrite, bytes);
                   EXPECT_GT(counts_of(file).of(Counter::kWindowsMarked), 0);
                 });
      Bytes expected = before;
      for (std::size_t i = 0; i < 20 * 45; ++i) {
        if (i % 45 < 36) expected[i] = static_cast<std::byte>(240 + i % 45 / 9);
      }
      EXPECT_EQ(driver.contents("f").value(), expected) << domains << " windows of " << window;
    }
  }
}

// What a rank asks for in large slices, alone in its windows, goes to the file without a copy.
TEST(FileLane, LargeSlicesOfOneRankAreNotCopied) {
  constexpr std::int64_t kBytes = 256 << 10;
  driver::MemoryDriver driver;
  run_engine(1, 0, {{"cb_buffer_size", "65536"}}, driver, [&](Rank&, OpenFile& file) {
    Bytes written = pattern(kBytes, 3);
    access(file, Direction::kWrite, written);
    Bytes read(kBytes);
    access(file, Direction::kRead, read);
    EXPECT_EQ(read, written);
    const Counts counts = counts_of(file);
    EXPECT_EQ(counts.of(Counter::kRounds), 8);
    EXPECT_EQ(counts.of(Counter::kBytesCopied), 0);
  });
}

// Reading, windows reach over holes; behind the end of the file nothing is delivered.
TEST(FileLane, AReadEndsWhereTheFileEnds) {
  for (const int ranks_per_node : {0, 1}) {
    driver::MemoryDriver driver;
    const Bytes before = pattern(1000, 5);
    put_file(driver, before);
    run_engine(
        4, ranks_per_node, {{"cb_buffer_size", "128"}, {"cb_nodes", "2"}}, driver, [&](Rank& rank, OpenFile& file) {
          const layout::FileView view = interleaved_view(rank.number(), 4, 12);
          EXPECT_TRUE(file.set_view({}, view, 1).ok());
          Bytes read(400);
          const auto outcome = run_transfer(file, transfer_of(Direction::kRead, Positioning::kExplicit, true, read));
          EXPECT_TRUE(outcome.status.ok());
          EXPECT_EQ(outcome.bytes_moved, view.data_bytes_below(1000));
          for (std::int64_t i = 0; i < 400; ++i) {
            const std::int64_t offset = view.file_offset(i);
            const std::byte expected = offset < 1000 ? before[static_cast<std::size_t>(offset)] : std::byte{0};
            ASSERT_EQ(read[static_cast<std::size_t>(i)], expected) << "byte " << i;
          }
        });
  }
}

}  // namespace
}  // namespace weir::exec
