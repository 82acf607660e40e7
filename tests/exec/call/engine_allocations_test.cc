// Nothing is allocated inside the round loop: calls of few and of many rounds allocate equally often.
#include <gtest/gtest.h>

#include "exec/engine_run.h"
#include "layout/counted_new.h"

namespace weir::exec {
namespace {

constexpr std::int64_t kWindow = 64 << 10;

// The requests of one rank: pieces of `piece_bytes` in turn with holes as long, through memory that is the same.
layout::FileView half_view(std::int64_t piece_bytes) {
  return {0, 1, layout::Layout::contiguous(piece_bytes), 2 * piece_bytes};
}

// How often the third of three equal calls allocates; it has its schedule, its buffers and its place in the file.
std::int64_t allocations_of(Direction direction, const layout::FileView& view, std::int64_t rounds) {
  driver::MemoryDriver driver;
  put_file(driver, pattern(rounds * kWindow));
  std::int64_t counted = 0;
  const hints::Pairs pairs = {{"cb_buffer_size", std::to_string(kWindow)}, {"cb_nodes", "1"}};
  run_engine(1, 0, pairs, driver, [&](Rank&, OpenFile& file) {
    EXPECT_TRUE(file.set_view({}, view, 1).ok());
    Bytes bytes = pattern(rounds * kWindow * view.tile_data_bytes() / view.filetype_extent());
    for (int call = 0; call < 3; ++call) {
      const std::size_t before = counted_new::allocation_count;
      access(file, direction, bytes);
      counted = static_cast<std::int64_t>(counted_new::allocation_count - before);
    }
    const Counts counts = counts_of(file);
    EXPECT_EQ(counts.of(trace::Counter::kRounds), 3 * rounds);
    EXPECT_EQ(counts.of(trace::Counter::kPlansReused), 2);
  });
  return counted;
}

void expect_no_growth(Direction direction, const layout::FileView& view, const char* what) {
  const std::int64_t few = allocations_of(direction, view, 4);
  const std::int64_t many = allocations_of(direction, view, 64);
  EXPECT_GT(few, 0);
  EXPECT_LE(many, few) << what << (direction == Direction::kRead ? ", reading" : ", writing");
}

TEST(EngineAllocations, DoNotGrowWithTheRounds) {
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    expect_no_growth(direction, half_view(64), "small pieces with holes");
    expect_no_growth(direction, layout::FileView(0, 1, layout::Layout::contiguous(64), 64), "one piece");
    expect_no_growth(direction, half_view(32 << 10), "large pieces, straight from memory");
  }
}

}  // namespace
}  // namespace weir::exec
