#include "layout/coverage_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Words = std::vector<std::uint64_t>;

std::vector<Extent> runs_of(const std::vector<bool>& marked) {
  std::vector<Extent> runs;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (!marked[i]) continue;
    const auto at = static_cast<std::int64_t>(i);
    if (!runs.empty() && runs.back().end == at) {
      ++runs.back().end;
    } else {
      runs.push_back({at, at + 1});
    }
  }
  return runs;
}

std::vector<Extent> runs_of(const CoverageMap& map, std::int64_t bytes) {
  std::vector<Extent> runs;
  map.for_each_run(bytes, [&](Extent run) { runs.push_back(run); });
  return runs;
}

TEST(CoverageMap, EveryRangeOfThreeWords) {
  const std::int64_t bits = 3 * CoverageMap::kWordBits;
  for (std::int64_t begin = 0; begin < bits; ++begin) {
    for (std::int64_t end = begin; end <= bits; ++end) {
      Words words(3);
      CoverageMap map(words);
      map.mark(begin, end - begin);
      std::vector<bool> expected(static_cast<std::size_t>(bits));
      std::fill(expected.begin() + begin, expected.begin() + end, true);
      ASSERT_EQ(runs_of(map, bits), runs_of(expected)) << begin << " to " << end;
      for (const std::int64_t bytes : {begin, begin + 1, end}) {
        ASSERT_EQ(map.any(std::min(bytes, bits)), begin < end && begin < bytes) << begin << " to " << end;
      }
    }
  }
}

TEST(CoverageMap, RunsEndWhereTheyAreToldTo) {
  Words words(3, ~std::uint64_t{0});
  CoverageMap map(words);
  for (std::int64_t bytes = 1; bytes <= 192; ++bytes) {
    EXPECT_EQ(runs_of(map, bytes), (std::vector<Extent>{{0, bytes}}));
  }
  EXPECT_TRUE(runs_of(map, 0).empty());
}

TEST(CoverageMap, ClearsNoMoreThanTold) {
  for (std::int64_t bytes = 0; bytes <= 192; ++bytes) {
    Words words(3, ~std::uint64_t{0});
    CoverageMap map(words);
    map.clear(bytes);
    std::vector<bool> expected(192, true);
    std::fill(expected.begin(), expected.begin() + bytes, false);
    EXPECT_EQ(runs_of(map, 192), runs_of(expected));
  }
}

TEST(CoverageMap, WordsHoldAllBits) {
  EXPECT_EQ(CoverageMap::words_for(0), 0U);
  EXPECT_EQ(CoverageMap::words_for(1), 1U);
  EXPECT_EQ(CoverageMap::words_for(64), 1U);
  EXPECT_EQ(CoverageMap::words_for(65), 2U);
}

// Marks all bytes of the layout in steps, from byte `from` on.
void expect_marks(const Layout& layout, std::int64_t from, std::int64_t step) {
  const Extent span = layout.span();
  Words words(CoverageMap::words_for(span.bytes() + 7));
  CoverageMap map(words);
  Cursor cursor(layout);
  cursor.seek(from);
  while (!cursor.at_end()) {
    const std::int64_t before = cursor.data_position();
    const std::int64_t next = std::min(step, cursor.remaining_bytes());
    mark_pieces(cursor, map, span.begin - 7, next);
    ASSERT_EQ(cursor.data_position(), before + next);
  }
  std::vector<bool> expected(static_cast<std::size_t>(span.bytes() + 7));
  const std::vector<std::int64_t> offsets = bytes_of(layout);
  for (auto i = static_cast<std::size_t>(from); i < offsets.size(); ++i) {
    expected[static_cast<std::size_t>(offsets[i] - span.begin + 7)] = true;
  }
  EXPECT_EQ(runs_of(map, span.bytes() + 7), runs_of(expected))
      << describe(layout) << " from " << from << " by " << step;
}

TEST(CoverageMap, MarksThePiecesOfAnyLayout) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 1000; ++i) {
    const SizedLayout sized = build(*random_type(random, 4, i % 2 == 0), Representation::native()).value();
    if (sized.layout.data_bytes() > 5000) continue;
    const Layout layout = Layout::repeat(1 + i % 4, sized.extent() + i % 3, sized.layout);
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{9}, Cursor::kNoLimit}) {
      expect_marks(layout, 0, step);
      expect_marks(layout, layout.data_bytes() / 2, step);
    }
    if (HasFailure()) return;
  }
}

TEST(CoverageMap, RanksMarkTheSameWordsAtTheSameTime) {
  const std::int64_t bytes = 100000;
  const std::int64_t ranks = 4;
  Words words(CoverageMap::words_for(bytes));
  std::vector<std::thread> threads;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&words, rank] {
      CoverageMap map(words);
      Cursor file(Layout::repeat(bytes / 20, 20, Layout::contiguous(5)).shifted(rank * 5));
      mark_pieces(file, map, 0, file.data_bytes());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs_of(CoverageMap(words), bytes), (std::vector<Extent>{{0, bytes}}));
}

}  // namespace
}  // namespace weir::layout
