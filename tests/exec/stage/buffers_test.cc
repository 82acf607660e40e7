#include "exec/stage/buffers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "comm/thread_comm.h"

namespace weir::exec {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

// A plan of one rank that is aggregator and local aggregator.
plan::Plan plan_of(Direction direction, std::int64_t window_bytes, int depth) {
  plan::Plan plan;
  plan.method = plan::Method::kTwoPhase;
  plan.direction = direction;
  plan.aggregators = {0};
  plan.domains = {{{0, 10 * window_bytes}}};
  plan.round_size = {window_bytes, 1};
  plan.rounds = 10;
  plan.depth = depth;
  plan.sharing_of = {0};
  plan.local_aggregator_of = {0};
  return plan;
}

// Marks included.
TEST(Buffers, TakeNoMoreThanTheRoundsInFlightAndALittle) {
  const auto comm = comm::self_comm();
  for (const std::int64_t window_bytes : {kMiB, 4 * kMiB, 16 * kMiB}) {
    for (const int depth : {1, 2, 3, 4}) {
      ShareGroup group(0);
      const plan::Plan plan = plan_of(Direction::kWrite, window_bytes, depth);
      const Berths berths = Berths::of(group, plan);
      const auto buffers = Buffers::make(*comm, group, plan, berths, 0);
      ASSERT_TRUE(buffers.ok());
      EXPECT_LE(std::ssize(group.buffers().bytes()), depth * window_bytes + 16 * kMiB)
          << depth << " rounds of " << window_bytes / kMiB << " MiB";
    }
  }
}

TEST(Buffers, SlotsDoNotOverlap) {
  const auto comm = comm::self_comm();
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    for (const std::int64_t window_bytes : {1, 63, 64, 65, 5000}) {
      ShareGroup group(0);
      constexpr int kDepth = 3;
      constexpr std::int64_t kParcelBytes = 100;
      const plan::Plan plan = plan_of(direction, window_bytes, kDepth);
      const Berths berths = Berths::of(group, plan);
      const auto made = Buffers::make(*comm, group, plan, berths, kParcelBytes);
      ASSERT_TRUE(made.ok());
      const Buffers& buffers = made.value();
      std::vector<Extent> used;
      const auto use = [&](const void* begin, std::size_t bytes) {
        const std::int64_t offset = static_cast<const std::byte*>(begin) - group.buffers().bytes().data();
        used.push_back({offset, offset + static_cast<std::int64_t>(bytes)});
      };
      for (std::size_t slot = 0; slot < kDepth; ++slot) {
        const WindowSlot window = buffers.window(0, slot);
        use(window.header, sizeof(WindowSlot::Header));
        use(window.data, static_cast<std::size_t>(window_bytes));
        if (direction == Direction::kWrite) {
          EXPECT_GE(window.marks.size(), layout::CoverageMap::words_for(window_bytes));
          use(window.marks.data(), layout::CoverageMap::words_for(window_bytes) * sizeof(std::uint64_t));
        }
        use(buffers.parcels(0, slot), kParcelBytes);
      }
      for (std::size_t i = 0; i < used.size(); ++i) {
        EXPECT_GE(used[i].begin, 0);
        EXPECT_LE(used[i].end, std::ssize(group.buffers().bytes()));
        for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(intersection(used[i], used[j]).empty()) << i << " and " << j;
      }
    }
  }
}

// The same memory serves the next call when it is large enough.
TEST(Buffers, MemoryStaysWhereItIs) {
  const auto comm = comm::self_comm();
  ShareGroup group(0);
  const Berths berths = Berths::of(group, plan_of(Direction::kWrite, kMiB, 1));
  ASSERT_TRUE(Buffers::make(*comm, group, plan_of(Direction::kWrite, 4 * kMiB, 2), berths, 0).ok());
  const std::byte* before = group.buffers().bytes().data();
  ASSERT_TRUE(Buffers::make(*comm, group, plan_of(Direction::kRead, kMiB, 4), berths, 0).ok());
  EXPECT_EQ(group.buffers().bytes().data(), before);
}

}  // namespace
}  // namespace weir::exec
