// A rank that runs out of memory while a collective call is inspected: all ranks return the same failure, nobody hangs,
// and the next call works. Calls that follow ask for nothing large.
#include <gtest/gtest.h>

#include "exec/call/scarce_new.h"
#include "exec/engine_run.h"

namespace weir::exec {
namespace {

constexpr int kRanks = 4;
constexpr std::int64_t kRounds = 256;
constexpr std::int64_t kWindow = 2048;

struct Way {
  std::string exchange;
  int ranks_per_node;
  bool one_local_aggregator = false;
};

hints::Pairs pairs_of(const Way& way) {
  hints::Pairs pairs = {
      {"cb_buffer_size", std::to_string(kWindow)}, {"cb_nodes", "2"}, {"weir_exchange", way.exchange}};
  if (way.one_local_aggregator) pairs.emplace_back("weir_local_aggregators", "1");
  return pairs;
}

// Each rank has bytes in every window, at irregular places.
layout::FileView view_of(int rank) { return interleaved_view(rank, kRanks, 50); }

// Writes with `allowed` large allocations on rank `culprit`; returns whether the call went well.
bool write_with(const Way& way, int culprit, std::int64_t allowed) {
  driver::MemoryDriver driver;
  put_file(driver, pattern(2 * kRounds * kWindow));
  Outcomes outcomes;
  run_engine(kRanks, way.ranks_per_node, pairs_of(way), driver, [&](Rank& rank, OpenFile& file) {
    EXPECT_TRUE(file.set_view({}, view_of(rank.number()), 1).ok());
    Bytes bytes = pattern(kRounds * kWindow / 2, rank.number());
    const Transfer transfer = transfer_of(Direction::kWrite, Positioning::kExplicit, true, bytes);
    Access access = file.prepare(transfer);
    if (rank.number() == culprit) scarce_new::allow(allowed);
    const driver::IoOutcome outcome = file.run(access);
    scarce_new::allow(-1);
    outcomes.add(outcome.status);
    EXPECT_EQ(outcome.bytes_moved, outcome.status.ok() ? std::ssize(bytes) : 0);
    const driver::IoOutcome again = run_transfer(file, transfer);
    EXPECT_TRUE(again.status.ok()) << again.status.text();
    EXPECT_EQ(again.bytes_moved, std::ssize(bytes));
  });
  const bool well = outcomes.text().empty();
  outcomes.expect(kRanks, well ? ErrorClass::kOk : ErrorClass::kNoMemory);
  return well;
}

const std::vector<Way> kWays = {{"shared", 0},   {"shared", 2},   {"shared", 2, true},  {"direct", 0},
                                {"pairwise", 0}, {"pairwise", 1}, {"pairwise", 2, true}};

TEST(EngineMemory, OneRankWithoutIsAFailureOfAll) {
  for (const Way& way : kWays) {
    for (const int culprit : {0, kRanks - 1}) {
      std::int64_t failures = 0;
      while (failures < 1000 && !write_with(way, culprit, failures)) ++failures;
      EXPECT_GT(failures, 2) << way.exchange << ", " << way.ranks_per_node << " ranks per node";
      EXPECT_LT(failures, 1000);
    }
  }
}

TEST(EngineMemory, CallsThatFollowAskForNothingLarge) {
  for (const Way& way : kWays) {
    driver::MemoryDriver driver;
    put_file(driver, pattern(2 * kRounds * kWindow));
    run_engine(kRanks, way.ranks_per_node, pairs_of(way), driver, [&](Rank& rank, OpenFile& file) {
      EXPECT_TRUE(file.set_view({}, view_of(rank.number()), 1).ok());
      Bytes bytes = pattern(kRounds * kWindow / 2, rank.number());
      for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
        access(file, direction, bytes);
        const std::int64_t before = scarce_new::count();
        access(file, direction, bytes);
        EXPECT_EQ(scarce_new::count(), before) << way.exchange << ", " << way.ranks_per_node << " ranks per node";
      }
    });
  }
}

}  // namespace
}  // namespace weir::exec
