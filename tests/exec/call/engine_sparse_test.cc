// Sparse access against a dense exchange: who sends how many messages, and that both move the same bytes. Ranks have
// blocks in some of the stripes of a file, at most one in each; stripes belong to aggregators in turn, one to a window.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "exec/engine_run.h"

namespace weir::exec {
namespace {

using trace::Counter;

constexpr int kRanks = 8;
constexpr int kRanksPerNode = 2;
constexpr int kNodes = kRanks / kRanksPerNode;
constexpr std::int64_t kBlock = 8;
constexpr std::int64_t kStripe = kBlock * kRanks;
constexpr std::int64_t kStripes = 24;

// Whether a rank has a block in a stripe. Every rank has one in the first and the last, so that extents say nothing.
using Has = std::function<bool(int rank, std::int64_t stripe)>;
bool everywhere(int, std::int64_t) { return true; }
bool scattered(int rank, std::int64_t stripe) {
  return stripe == 0 || stripe == kStripes - 1 || (stripe * 5 + rank * 3) % 7 < 2;
}
// The first aggregator's stripes are the first two nodes' alone.
bool mostly(int rank, std::int64_t stripe) { return stripe % kNodes != 0 || rank < kRanks / 2; }

layout::FileView view_of(int rank, const Has& has) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t stripe = 0; stripe < kStripes; ++stripe) {
    if (has(rank, stripe)) offsets.push_back(stripe * kStripe + rank * kBlock);
  }
  const std::vector<std::int64_t> lengths(offsets.size(), kBlock);
  return {0, 1, layout::Layout::blocks(offsets, lengths), kStripes * kStripe};
}

// What ranks write, and what the file holds then; bytes nobody has stay as they were.
Bytes written_by(int rank, const Has& has) {
  std::int64_t blocks = 0;
  for (std::int64_t stripe = 0; stripe < kStripes; ++stripe) blocks += has(rank, stripe) ? 1 : 0;
  return pattern(blocks * kBlock, rank);
}
Bytes file_with_all(const Has& has) {
  Bytes file(kStripes * kStripe);
  for (int rank = 0; rank < kRanks; ++rank) {
    const Bytes bytes = written_by(rank, has);
    auto next = bytes.begin();
    for (std::int64_t stripe = 0; stripe < kStripes; ++stripe) {
      if (!has(rank, stripe)) continue;
      std::copy_n(next, kBlock, file.begin() + stripe * kStripe + rank * kBlock);
      next += kBlock;
    }
  }
  return file;
}

struct Seen {
  std::int64_t messages = 0;
  std::int64_t structure_messages = 0;
  std::int64_t bytes = 0;
  plan::Plan plan;
};

// One access of all ranks, checked byte by byte.
Seen run_once(Direction direction, const Has& has, const hints::Pairs& pairs) {
  driver::MemoryDriver driver({.storage = {.lock_bytes = kStripe, .file_system = "memory"}});
  const Bytes all = file_with_all(has);
  put_file(driver, direction == Direction::kRead ? all : Bytes(kStripes * kStripe));
  hints::Pairs wishes = {{"weir_domains", "static_cyclic"},
                         {"cb_nodes", std::to_string(kNodes)},
                         {"cb_buffer_size", std::to_string(kStripe)}};
  wishes.insert(wishes.end(), pairs.begin(), pairs.end());
  Seen seen;
  run_engine(kRanks, kRanksPerNode, wishes, driver, [&](Rank& rank, OpenFile& file) {
    EXPECT_TRUE(file.set_view({}, view_of(rank.number(), has), 1).ok());
    const Bytes mine = written_by(rank.number(), has);
    Bytes bytes = direction == Direction::kWrite ? mine : Bytes(mine.size());
    access(file, direction, bytes);
    EXPECT_EQ(bytes, mine);
    const trace::FileReport report = file.report().value();
    if (rank.number() != 0) return;
    const Counts counts(report.totals);
    seen = {counts.messages(), counts.of(Counter::kStructureMessages),
            counts.of(Counter::kBytesInside) + counts.of(Counter::kBytesBetween),
            report.calls.of(direction).last_plan().value()};
  });
  EXPECT_EQ(driver.contents("f").value(), all);
  return seen;
}

// The groups that have something for each stripe, without the one of its aggregator: who has to send.
std::int64_t senders(const Has& has, int group_ranks) {
  std::int64_t messages = 0;
  for (std::int64_t stripe = 0; stripe < kStripes; ++stripe) {
    std::set<int> groups;
    for (int rank = 0; rank < kRanks; ++rank) {
      if (has(rank, stripe)) groups.insert(rank / group_ranks);
    }
    const auto aggregator = static_cast<int>(stripe % kNodes) * kRanksPerNode;
    groups.erase(aggregator / group_ranks);
    messages += std::ssize(groups);
  }
  return messages;
}

void check_both(Direction direction, const Has& has, const std::string& exchange, int group_ranks) {
  const int groups = kRanks / group_ranks;
  const Seen sparse = run_once(direction, has, {{"weir_exchange", exchange}, {"weir_sparse", "true"}});
  const Seen dense = run_once(direction, has, {{"weir_exchange", exchange}, {"IBM_sparse_access", "false"}});
  EXPECT_EQ(sparse.messages, senders(has, group_ranks)) << exchange;
  EXPECT_EQ(dense.messages, (groups - 1) * kStripes) << exchange;
  EXPECT_EQ(dense.structure_messages, (groups - 1) * kNodes) << exchange;
  EXPECT_LE(sparse.structure_messages, dense.structure_messages) << exchange;
  EXPECT_EQ(sparse.bytes, dense.bytes) << exchange;
  EXPECT_EQ(sparse.plan.sparse, true);
  EXPECT_EQ(dense.plan.sparse, false);
  EXPECT_EQ(sparse.plan.pairs, dense.plan.pairs);
}

TEST(EngineSparse, OnlyThoseWithBytesSendInDenseModeAllDo) {
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    for (const Has& has : {Has(everywhere), Has(scattered), Has(mostly)}) {
      check_both(direction, has, "direct", 1);
      check_both(direction, has, "shared", kRanksPerNode);
    }
  }
}

TEST(EngineSparse, FewerMessagesAreSentThanInDenseMode) {
  EXPECT_LT(senders(scattered, 1), (kRanks - 1) * kStripes);
  EXPECT_LT(senders(scattered, kRanksPerNode), (kNodes - 1) * kStripes);
}

// What is traded is known to both sides: dense mode moves the same bytes, and has the same messages.
TEST(EngineSparse, TradesAreTheSameInBothModes) {
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    const Seen sparse = run_once(direction, scattered, {{"weir_exchange", "pairwise"}, {"weir_sparse", "true"}});
    const Seen dense = run_once(direction, scattered, {{"weir_exchange", "pairwise"}, {"weir_sparse", "false"}});
    EXPECT_EQ(sparse.messages, dense.messages);
    EXPECT_EQ(sparse.bytes, dense.bytes);
  }
}

// All extents meet all domains here: it is bytes that count.
TEST(EngineSparse, IsChosenWhereSomePairHasNoBytes) {
  const auto chosen = [](const Has& has) { return run_once(Direction::kWrite, has, {{"weir_exchange", "direct"}}); };
  const Seen all = chosen(everywhere);
  EXPECT_EQ(all.plan.sparse, false);
  EXPECT_EQ(all.plan.pairs, (plan::Pairs{kRanks * kNodes, kRanks * kNodes, kRanks * kStripes, kRanks * kStripes}));
  EXPECT_EQ(all.messages, (kRanks - 1) * kStripes);
  const Seen some = chosen(mostly);
  EXPECT_EQ(some.plan.sparse, true);
  EXPECT_EQ(some.plan.pairs.with_bytes, kRanks * kNodes - kRanks / 2);
  EXPECT_EQ(some.messages, senders(mostly, 1));
  // Every pair has bytes, but not in every round.
  const Seen now_and_then = chosen(scattered);
  EXPECT_EQ(now_and_then.plan.sparse, true);
  EXPECT_EQ(now_and_then.plan.pairs.with_bytes, kRanks * kNodes);
  EXPECT_LT(now_and_then.plan.pairs.turns_with_bytes, now_and_then.plan.pairs.possible_turns);
  EXPECT_EQ(now_and_then.messages, senders(scattered, 1));
}

TEST(EngineSparse, OfOneNodeIsCountedAsWell) {
  driver::MemoryDriver driver;
  run_engine(4, 0, {{"cb_nodes", "2"}, {"weir_domains", "even"}}, driver, [&](Rank& rank, OpenFile& file) {
    for (const bool all : {true, false}) {
      const layout::FileView together = interleaved_view(rank.number(), 4, 16);
      const layout::FileView apart(1024 * rank.number(), 1, layout::Layout::contiguous(1024), 4096);
      EXPECT_TRUE(file.set_view({}, all ? together : apart, 1).ok());
      Bytes bytes = pattern(1024, rank.number());
      access(file, Direction::kWrite, bytes);
      const plan::Plan plan = file.report().value().calls.of(Direction::kWrite).last_plan().value();
      EXPECT_EQ(plan.sparse, !all);
      EXPECT_EQ(plan.pairs, (plan::Pairs{8, all ? 8 : 4, 8, all ? 8 : 4}));
    }
  });
}

}  // namespace
}  // namespace weir::exec
