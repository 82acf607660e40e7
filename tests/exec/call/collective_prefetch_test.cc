// Advice ahead of collective reads: every way through the engine delivers the same bytes by the same reads.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "exec/advice_driver.h"
#include "exec/effort.h"
#include "exec/engine_run.h"

namespace weir::exec {
namespace {

constexpr std::int64_t kBlock = 16;
constexpr int kRanks = 4;

// Ranks read pieces of 9 bytes in turn, as if there were one rank more: with holes, some windows without bytes, and the
// last bytes behind the end of the file.
layout::FileView holey_view(int rank) {
  const std::vector<std::int64_t> places = {0, 200};
  const std::vector<std::int64_t> lengths = {9, 9};
  return {9 * rank, 1, layout::Layout::blocks(places, lengths), 45 + 200};
}
constexpr std::int64_t kRankBytes = 90;
constexpr std::int64_t kFileBytes = 1200;

struct Seen {
  std::vector<std::int64_t> moved;
  std::vector<Bytes> memory;
  AdviceLog log;
};

Seen read_together(const Combination& way, const AdviceDriver::Answer& answer) {
  AdviceDriver driver(kBlock, answer);
  put_file(driver.memory(), pattern(kFileBytes));
  Seen seen{std::vector<std::int64_t>(kRanks), std::vector<Bytes>(kRanks, Bytes(kRankBytes)), {}};
  const hints::HintSet hints = way.hint_set();
  run_file_ranks(kRanks, way.ranks_per_node, [&](Rank& rank) {
    const auto file = rank.open(driver, kReadWriteMode, "f", hints);
    EXPECT_TRUE(file->set_view({}, holey_view(rank.number()), 1).ok());
    const auto number = static_cast<std::size_t>(rank.number());
    const auto outcome =
        run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, true, seen.memory[number]));
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
    seen.moved[number] = outcome.bytes_moved;
    EXPECT_TRUE(file->close().ok());
  });
  seen.log = driver.log();
  return seen;
}

std::multiset<std::pair<std::int64_t, std::int64_t>> in_any_order(const std::vector<Extent>& extents) {
  std::multiset<std::pair<std::int64_t, std::int64_t>> all;
  for (const Extent extent : extents) all.emplace(extent.begin, extent.end);
  return all;
}

void check_way(const Combination& way) {
  const Seen plain = read_together(way, take_all);
  EXPECT_EQ(plain.log.asks, 0) << way.text();
  for (const std::int64_t max_acc : {0, 1, 2, 4, 8}) {
    Combination with = way;
    with.hints.emplace_back("weir_max_acc", std::to_string(max_acc));
    const NamedAnswer& system = all_answers()[static_cast<std::size_t>(max_acc) % all_answers().size()];
    for (const NamedAnswer* each : {&system, &all_answers().back()}) {
      const Seen found = read_together(with, each->answer);
      EXPECT_TRUE(found.moved == plain.moved && found.memory == plain.memory) << with.text() << each->name;
      EXPECT_EQ(in_any_order(found.log.reads), in_any_order(plain.log.reads)) << with.text() << each->name;
      EXPECT_LE(found.log.most_held, 2 * max_acc) << with.text() << each->name;
      EXPECT_EQ(found.log.asks > 0, max_acc > 0) << with.text() << each->name;
      EXPECT_EQ(found.log.released, found.log.taken) << with.text() << each->name;
    }
  }
}

TEST(CollectivePrefetch, ChangesNothingInAnyWayThroughTheEngine) {
  for (std::size_t index = 0; index < kCombinationCount; index += 7 * every_nth()) {
    check_way(combination(index));
    if (HasFailure()) return;
  }
}

TEST(CollectivePrefetch, ChangesNothingWhereRanksReadForThemselves) {
  for (const char* sieve : {"enable", "disable"}) {
    check_way({{{"weir_method", "independent"}, {"romio_ds_read", sieve}, {"ind_rd_buffer_size", "64"}}, 2});
  }
}

// The ranges of a read that asks for all of them at once.
std::vector<Extent> ranges_of(const hints::Pairs& pairs, int ranks_per_node) {
  AdviceDriver driver(kBlock, take_all);
  put_file(driver.memory(), pattern(kFileBytes));
  Combination way{pairs, 0};
  way.hints.emplace_back("weir_method", "two_phase");
  way.hints.emplace_back("weir_max_acc", "100");
  const hints::HintSet hints = way.hint_set();
  run_file_ranks(2, ranks_per_node, [&](Rank& rank) {
    const auto file = rank.open(driver, kReadWriteMode, "f", hints);
    const std::vector<std::int64_t> places = {5, 200};
    const std::vector<std::int64_t> lengths = {30, 6};
    const std::int64_t displacement = 30 * rank.number();  // 5 to 65, 200 to 206, 230 to 236
    EXPECT_TRUE(file->set_view({}, {displacement, 1, layout::Layout::blocks(places, lengths), 300}, 1).ok());
    Bytes bytes(36);
    access(*file, Direction::kRead, bytes);
    EXPECT_TRUE(file->close().ok());
  });
  std::vector<Extent> ranges = driver.log().ranges;
  std::ranges::sort(ranges, {}, &Extent::begin);
  return ranges;
}

// The region is 5 to 236. A range is what ranks ask for of a block, whatever windows read: a block in two windows is
// one range, and one that nobody touches is none, though its window may be read.
TEST(CollectivePrefetch, RangesAreTheBytesThatRanksAskForInEachBlock) {
  const std::vector<Extent> expected = {{5, 16}, {16, 32}, {32, 48}, {48, 64}, {64, 65}, {200, 206}, {230, 236}};
  for (const char* domains : {"even", "aligned", "static_cyclic"}) {
    for (const char* window : {"16", "24", "4096"}) {
      for (const char* exchange : {"shared", "direct"}) {
        for (const int ranks_per_node : {0, 1}) {
          if (ranks_per_node == 1 && std::string_view(exchange) == "shared") continue;
          const hints::Pairs pairs = {
              {"cb_nodes", "1"}, {"cb_buffer_size", window}, {"weir_domains", domains}, {"weir_exchange", exchange}};
          EXPECT_EQ(ranges_of(pairs, ranks_per_node), expected) << domains << " " << window << " " << exchange;
        }
      }
    }
  }
}

// Each aggregator asks for what is in its own domain.
TEST(CollectivePrefetch, AggregatorsAskForTheirOwnBlocks) {
  const hints::Pairs pairs = {{"cb_nodes", "2"}, {"cb_buffer_size", "4096"}};
  const std::vector<Extent> by_block = {{5, 16}, {16, 32}, {32, 48}, {48, 64}, {64, 65}, {200, 206}, {230, 236}};
  for (const char* domains : {"aligned", "static_cyclic"}) {
    hints::Pairs both = pairs;
    both.emplace_back("weir_domains", domains);
    for (const int ranks_per_node : {0, 1}) EXPECT_EQ(ranges_of(both, ranks_per_node), by_block) << domains;
  }
}

// Slices that need no window are asked for as they are, without the holes around them.
TEST(CollectivePrefetch, LargeSlicesAreAskedForAsTheyAre) {
  constexpr std::int64_t kSlice = 32 << 10;
  constexpr std::int64_t kLargeBlock = 64 << 10;
  AdviceDriver driver(kLargeBlock, take_all);
  put_file(driver.memory(), pattern(8 * kLargeBlock));
  const Combination way = {{{"weir_method", "two_phase"}, {"cb_buffer_size", "131072"}, {"weir_max_acc", "2"}}, 0};
  const hints::HintSet hints = way.hint_set();
  run_file_ranks(1, [&](Rank& rank) {
    const auto file = rank.open(driver, kReadWriteMode, "f", hints);
    EXPECT_TRUE(file->set_view({}, {1000, 1, layout::Layout::contiguous(kSlice), kLargeBlock}, 1).ok());
    Bytes bytes(4 * kSlice);
    access(*file, Direction::kRead, bytes);
    EXPECT_EQ(counts_of(*file).of(trace::Counter::kBytesCopied), 0);
    EXPECT_TRUE(file->close().ok());
  });
  std::vector<Extent> expected;
  for (std::int64_t i = 0; i < 4; ++i) expected.push_back({1000 + i * kLargeBlock, 1000 + i * kLargeBlock + kSlice});
  EXPECT_EQ(driver.log().ranges, expected);
}

}  // namespace
}  // namespace weir::exec
