// All small collective calls, in every way that hints can force, against a map of the file's bytes.
#include <gtest/gtest.h>

#include "exec/collective_call.h"
#include "exec/collective_combination.h"
#include "exec/effort.h"

namespace weir::exec {
namespace {

using layout::FileView;
using layout::Layout;
using Numbers = std::vector<std::int64_t>;

constexpr int kCells = 5;

std::size_t power(std::size_t base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

// Whose the cells of a file are.
struct Deal {
  int ranks = 1;
  std::int64_t cell_bytes = 1;
  std::vector<unsigned> owners;  // by cell, one bit per rank

  std::string text() const {
    std::string text = std::to_string(ranks) + " ranks, cells of " + std::to_string(cell_bytes) + " with owners";
    for (const unsigned set : owners) text += " " + std::to_string(set);
    return text;
  }
};

// The deal of a number whose digits say which set of ranks a cell goes to.
Deal deal_of(int ranks, std::int64_t cell_bytes, const std::vector<unsigned>& sets, std::size_t number) {
  Deal deal{ranks, cell_bytes, {}};
  for (int cell = 0; cell < kCells; ++cell) {
    deal.owners.push_back(sets[number % sets.size()]);
    number /= sets.size();
  }
  return deal;
}

// Every cell to one rank or to nobody.
std::vector<Deal> all_deals(int ranks) {
  std::vector<unsigned> sets = {0};
  for (int rank = 0; rank < ranks; ++rank) sets.push_back(1U << static_cast<unsigned>(rank));
  std::vector<Deal> deals;
  for (std::size_t number = 0; number < power(sets.size(), kCells); ++number) {
    for (std::int64_t cell_bytes : {1, 3}) deals.push_back(deal_of(ranks, cell_bytes, sets, number));
  }
  return deals;
}

// Every cell to any set of two ranks: among them all in which holes and overlaps add up to the size of the file.
std::vector<Deal> overlapping_deals() {
  std::vector<Deal> deals;
  for (std::size_t number = 0; number < power(4, kCells); ++number) {
    deals.push_back(deal_of(2, number % 2 == 0 ? 3 : 1, {0, 1, 2, 3}, number));
  }
  return deals;
}

// Some of the cells to three ranks and a fourth that has other ones.
std::vector<Deal> crowded_deals() {
  std::vector<Deal> deals;
  for (std::size_t number = 0; number < power(4, kCells); ++number) {
    deals.push_back(deal_of(4, number % 2 == 0 ? 1 : 3, {0, 7, 8, 5}, number));
  }
  return deals;
}

// The bytes of a rank as pieces in memory with gaps between them, the last first when `backwards`.
Layout memory_for(std::int64_t bytes, std::size_t variant) {
  if (variant % 3 == 0) return Layout::contiguous(bytes);
  const bool backwards = variant % 3 == 1;
  Numbers displacements;
  for (std::int64_t i = 0; i < bytes; ++i) displacements.push_back(backwards ? -2 * i : 3 * i);
  return Layout::blocks(displacements, Numbers(displacements.size(), 1));
}

Shape shape_of(const Deal& deal, int rank, std::int64_t displacement, std::size_t variant) {
  Numbers displacements;
  for (std::size_t cell = 0; cell < deal.owners.size(); ++cell) {
    const bool mine = (deal.owners[cell] >> static_cast<unsigned>(rank) & 1U) != 0;
    if (mine) displacements.push_back(static_cast<std::int64_t>(cell) * deal.cell_bytes);
  }
  const Numbers lengths(displacements.size(), deal.cell_bytes);
  const Layout mine = Layout::blocks(displacements, lengths);
  const bool whole_file = mine.empty() && variant % 2 == 0;  // a rank without cells may still see the file
  return {whole_file ? FileView() : FileView(displacement, 1, mine, kCells * deal.cell_bytes), 0,
          memory_for(mine.data_bytes(), variant + static_cast<std::size_t>(rank))};
}

Call call_of(const Deal& deal, Direction direction, std::size_t variant) {
  Call call;
  call.direction = direction;
  call.manner = variant % 7 == 0 ? Manner::kNonblocking : variant % 7 == 1 ? Manner::kSplit : Manner::kBlocking;
  for (int rank = 0; rank < deal.ranks; ++rank) {
    call.shapes.push_back(shape_of(deal, rank, variant % 4 == 3 ? 2 : 0, variant));
  }
  return call;
}

// The deals first, first + step, ... in one way, written and then read, on files that end before, in and behind them.
void check_deals(const std::vector<Deal>& deals, std::size_t first, std::size_t step, const Combination& way) {
  const int ranks = deals.front().ranks;
  CheckedFile checked(ranks, {.lock_bytes = 4, .file_system = "memory"}, {});
  run_file_ranks(ranks, way.ranks_per_node, [&](Rank& rank) {
    auto file = rank.open(checked.driver(), kCreateMode, "f", way.hint_set());
    for (std::size_t i = first; i < deals.size(); i += step) {
      const std::string text = deals[i].text() + "\n" + way.text();
      const std::size_t variant = i / 2 + i / step;
      checked.refill(rank, pattern(static_cast<std::int64_t>(variant % 5) * 4, 77));
      if (variant % 2 == 1) checked.run(rank, *file, call_of(deals[i], Direction::kRead, variant), text);
      checked.run(rank, *file, call_of(deals[i], Direction::kWrite, variant), text);
      checked.run(rank, *file, call_of(deals[i], Direction::kRead, variant + 1), text);
    }
    EXPECT_TRUE(file->close().ok());
  });
}

// Every deal, and every combination, at least once; under a sanitizer some of them.
void check_all(const std::vector<Deal>& deals) {
  for (std::size_t i = 0; i < kCombinationCount; i += every_nth()) {
    check_deals(deals, i % deals.size(), kCombinationCount, combination(i));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CollectiveOracle, AllDealsToOneRank) { check_all(all_deals(1)); }
TEST(CollectiveOracle, AllDealsToTwoRanks) { check_all(all_deals(2)); }
TEST(CollectiveOracle, AllDealsToThreeRanks) { check_all(all_deals(3)); }
TEST(CollectiveOracle, AllDealsToFourRanks) { check_all(all_deals(4)); }
TEST(CollectiveOracle, OverlapsAndHolesOfTwoRanks) { check_all(overlapping_deals()); }
TEST(CollectiveOracle, OverlapsAndHolesOfFourRanks) { check_all(crowded_deals()); }

// The tests of these files must really go that way.
TEST(CollectiveOracle, TheCombinationsForceTwoPhases) {
  for (std::size_t i = 0; i < kCombinationCount; i += 5) {
    const Combination way = combination(i);
    driver::MemoryDriver driver;
    run_file_ranks(3, way.ranks_per_node, [&](Rank& rank) {
      auto file = rank.open(driver, kCreateMode, "f", way.hint_set());
      EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), 3, 4), 1).ok());
      EXPECT_TRUE(write_explicit(*file, 0, pattern(40), true).status.ok());
      auto report = file->report();
      EXPECT_TRUE(report.ok());
      const auto plan = report.value().calls.of(Direction::kWrite).last_plan();
      EXPECT_TRUE(plan && plan->method == plan::Method::kTwoPhase) << way.text();
      EXPECT_TRUE(file->close().ok());
    });
  }
}

}  // namespace
}  // namespace weir::exec
