// What the collective engine sends, and what it uses again, counted.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "exec/four_nodes.h"

namespace weir::exec {
namespace {

using trace::Counter;

// ---- Messages ----

hints::Pairs exchanging(const std::string& exchange, int local_aggregators) {
  hints::Pairs pairs = four_aggregators({{"weir_exchange", exchange}});
  if (local_aggregators > 0) pairs.push_back(with_local_aggregators(local_aggregators).front());
  return pairs;
}

struct Sent {
  std::int64_t inside = 0;
  std::int64_t between = 0;
  std::int64_t bytes_inside = 0;
  std::int64_t bytes_between = 0;
  bool operator==(const Sent&) const = default;
};

// What one access of 16 ranks on four nodes sends, with the views that `view_of` gives.
Sent sent_by(Direction direction, const hints::Pairs& pairs, const std::function<layout::FileView(int rank)>& view_of) {
  driver::MemoryDriver driver;
  put_file(driver, pattern(kFileBytes));
  Sent sent;
  run_engine(kRanks, kRanksPerNode, pairs, driver, [&](Rank& rank, OpenFile& file) {
    EXPECT_TRUE(file.set_view({}, view_of(rank.number()), 1).ok());
    Bytes bytes = pattern(kMine, rank.number());
    access(file, direction, bytes);
    const Counts counts = counts_of(file);
    EXPECT_EQ(counts.of(Counter::kRounds), kNodes * kRoundsEach);
    if (rank.number() != 0) return;
    sent = {counts.of(Counter::kMessagesInside), counts.of(Counter::kMessagesBetween), counts.of(Counter::kBytesInside),
            counts.of(Counter::kBytesBetween)};
  });
  return sent;
}

// Each rank's bytes lie together; those of a node make up the domain of the node `distance` further on.
std::function<layout::FileView(int)> segmented(int distance) {
  return [distance](int rank) {
    const int place = (rank + distance * kRanksPerNode) % kRanks;
    return layout::FileView(place * kMine, 1, layout::Layout::contiguous(kMine), kMine);
  };
}

// One message per round for each node and aggregator elsewhere and local aggregator, none inside a node.
TEST(EngineMessages, LocalAggregatorsSendOneMessagePerRoundAndFarAggregator) {
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    for (const int local_aggregators : {1, 2, 4}) {
      const Sent sent = sent_by(direction, exchanging("shared", local_aggregators), blocks_in_turn);
      const std::int64_t pairs = kNodes * (kNodes - 1);
      EXPECT_EQ(sent, (Sent{0, pairs * kRoundsEach * local_aggregators, 0, kFileBytes / kNodes * (kNodes - 1)}))
          << local_aggregators << " local aggregators";
    }
  }
}

TEST(EngineMessages, OneLocalAggregatorIsEnoughForSmallParcels) {
  const Sent sent = sent_by(Direction::kWrite, exchanging("shared", 0), blocks_in_turn);
  EXPECT_EQ(sent.between, kNodes * (kNodes - 1) * kRoundsEach);
  EXPECT_EQ(sent.inside, 0);
}

TEST(EngineMessages, NodesSendNothingWhereTheyHaveNoBytes) {
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    EXPECT_EQ(sent_by(direction, exchanging("shared", 1), segmented(0)), Sent{});
  }
}

// The bytes of a node make up one domain: it is given to this node, wherever in the file it lies.
TEST(EngineMessages, DomainsAreGivenToTheNodesThatHaveThem) {
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    for (const char* exchange : {"shared", "direct"}) {
      for (const int distance : {1, 2, 3}) {
        const Sent sent = sent_by(direction, exchanging(exchange, 0), segmented(distance));
        EXPECT_EQ(sent.between, 0) << exchange << " " << distance;
        EXPECT_EQ(sent.bytes_between, 0) << exchange << " " << distance;
      }
    }
  }
}

// Half of every domain is one node's, the other half another's.
TEST(EngineMessages, WhatPassesBetweenNodesIsWhatThePlanEstimates) {
  const auto halves = [](int rank) {
    const int place = (rank + kRanksPerNode + kRanksPerNode / 2) % kRanks;
    return layout::FileView(place * kMine, 1, layout::Layout::contiguous(kMine), kMine);
  };
  driver::MemoryDriver driver;
  run_engine(kRanks, kRanksPerNode, exchanging("shared", 1), driver, [&](Rank& rank, OpenFile& file) {
    EXPECT_TRUE(file.set_view({}, halves(rank.number()), 1).ok());
    Bytes bytes = pattern(kMine, rank.number());
    access(file, Direction::kWrite, bytes);
    const trace::FileReport report = file.report().value();
    const plan::Plan plan = report.calls.of(Direction::kWrite).last_plan().value();
    EXPECT_EQ(plan.traffic, (plan::Traffic{kFileBytes, kFileBytes / 2}));
    EXPECT_EQ(Counts(report.totals).of(Counter::kBytesBetween), plan.traffic.between_nodes);
  });
}

TEST(EngineMessages, DirectExchangeSendsOnePerRankAndAggregator) {
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    const Sent sent = sent_by(direction, exchanging("direct", 0), blocks_in_turn);
    const std::int64_t inside = kNodes * (kRanksPerNode - 1);
    const std::int64_t between = kNodes * (kRanks - kRanksPerNode);
    EXPECT_EQ(sent, (Sent{inside * kRoundsEach, between * kRoundsEach, kMine * (kRanksPerNode - 1),
                          kFileBytes / kNodes * (kNodes - 1)}));
  }
}

// Sixteen ranks trade in four phases, each with one partner, whatever the number of aggregators.
TEST(EngineMessages, PairwiseExchangeSendsOnePerRankAndPhase) {
  driver::MemoryDriver driver;
  run_engine(kRanks, kRanksPerNode, {{"weir_exchange", "pairwise"}, {"weir_domains", "even"}}, driver,
             [&](Rank& rank, OpenFile& file) {
               EXPECT_TRUE(file.set_view({}, blocks_in_turn(rank.number()), 1).ok());
               Bytes bytes = pattern(kMine, rank.number());
               access(file, Direction::kWrite, bytes);
               EXPECT_LE(counts_of(file).messages(), kRanks * 4);
             });
}

// With local aggregators it is the nodes that trade: in two phases, whatever the number of their ranks.
TEST(EngineMessages, NodesTradeForTheirRanks) {
  const hints::Pairs pairs = exchanging("pairwise", 1);
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    const Sent sent = sent_by(direction, pairs, blocks_in_turn);
    EXPECT_EQ(sent.inside, 0);
    EXPECT_EQ(sent.between, kNodes * 2 * kRoundsEach);
  }
}

// Blocks of 16 bytes, 1 KiB apart, that lie all over the domains of 16 aggregators.
TEST(EngineMessages, TinyMessagesAreTradedWithoutAHint) {
  constexpr int kManyNodes = 16;
  constexpr int kManyRanks = 2 * kManyNodes;
  driver::MemoryDriver driver;
  run_engine(kManyRanks, 2, {}, driver, [&](Rank& rank, OpenFile& file) {
    const layout::FileView view(1024 * rank.number(), 1, layout::Layout::contiguous(16), 1024 * kManyRanks);
    EXPECT_TRUE(file.set_view({}, view, 1).ok());
    const Bytes written = pattern(32 * 16, rank.number());
    Bytes bytes = written;
    access(file, Direction::kWrite, bytes);
    const Counts counts = counts_of(file);
    EXPECT_EQ(counts.of(Counter::kMessagesInside), 0);
    EXPECT_EQ(counts.of(Counter::kMessagesBetween), kManyNodes * 4);
    std::ranges::fill(bytes, std::byte{0});
    access(file, Direction::kRead, bytes);
    EXPECT_EQ(bytes, written);
  });
}

TEST(EngineMessages, RanksOfOneNodeSendNothing) {
  for (const int ranks : {2, 5, 16}) {
    driver::MemoryDriver driver;
    put_file(driver, pattern(ranks * 4096));
    run_engine(ranks, 0, {{"cb_buffer_size", "1024"}, {"cb_nodes", "2"}}, driver, [&](Rank& rank, OpenFile& file) {
      EXPECT_TRUE(file.set_view({}, interleaved_view(rank.number(), ranks, 24), 1).ok());
      Bytes bytes = pattern(4096, rank.number());
      for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
        access(file, direction, bytes);
        const Counts counts = counts_of(file);
        EXPECT_GT(counts.of(Counter::kRounds), 1);
        EXPECT_EQ(counts.messages(), 0);
        EXPECT_EQ(counts.of(Counter::kStructureMessages), 0);
      }
    });
  }
}

// ---- Plans used again ----

struct Reuse {
  std::int64_t structure_messages;
  std::int64_t plans_reused;  // on all ranks
  bool operator==(const Reuse&) const = default;
};

Reuse reuse_of(OpenFile& file) {
  const Counts counts = counts_of(file);
  return {counts.of(Counter::kStructureMessages), counts.of(Counter::kPlansReused)};
}

constexpr std::int64_t kStep = 8192;  // of one rank; all together a multiple of the lock granularity

// COLLECTIVE: expects that the access is made with a schedule of an earlier one.
void expect_reused(OpenFile& file, Rank& rank, Bytes& bytes, std::int64_t offset, const std::string& what) {
  const Reuse before = reuse_of(file);
  access(file, Direction::kWrite, bytes, offset);
  EXPECT_EQ(reuse_of(file), (Reuse{before.structure_messages, before.plans_reused + rank.size()})) << what;
}

void expect_inspected(OpenFile& file, Bytes& bytes, std::int64_t offset, const std::string& what) {
  const Reuse before = reuse_of(file);
  access(file, Direction::kWrite, bytes, offset);
  const Reuse after = reuse_of(file);
  EXPECT_EQ(after.plans_reused, before.plans_reused) << what;
  EXPECT_GT(after.structure_messages, before.structure_messages) << what;
}

TEST(EngineReuse, TheSameCallAgainTellsNoStructures) {
  for (const char* domains : {"even", "aligned", "static_cyclic"}) {
    for (const char* exchange : {"shared", "direct"}) {
      driver::MemoryDriver driver;
      const hints::Pairs pairs = {{"weir_domains", domains}, {"weir_exchange", exchange}, {"cb_nodes", "2"}};
      run_engine(4, 2, pairs, driver, [&](Rank& rank, OpenFile& file) {
        EXPECT_TRUE(file.set_view({}, interleaved_view(rank.number(), 4, 32), 1).ok());
        Bytes bytes = pattern(kStep, rank.number());
        expect_inspected(file, bytes, 0, domains);
        expect_reused(file, rank, bytes, 0, "the same");
        expect_reused(file, rank, bytes, kStep, "a step further");
        expect_reused(file, rank, bytes, 7 * kStep, "some steps further");
        expect_reused(file, rank, bytes, 0, "back");
      });
    }
  }
}

// Even domains and their windows begin anywhere: the step may be of any number of view periods.
TEST(EngineReuse, EvenDomainsMoveByAnyNumberOfPeriods) {
  driver::MemoryDriver driver;
  run_engine(4, 2, {{"weir_domains", "even"}, {"cb_nodes", "2"}}, driver, [&](Rank& rank, OpenFile& file) {
    EXPECT_TRUE(file.set_view({}, interleaved_view(rank.number(), 4, 20), 1).ok());
    Bytes bytes = pattern(400, rank.number());
    expect_inspected(file, bytes, 0, "first");
    expect_reused(file, rank, bytes, 400, "the next step");
    expect_reused(file, rank, bytes, 420, "a period further");
  });
}

TEST(EngineReuse, AnotherViewIsInspectedAndTheFirstIsFoundAgain) {
  driver::MemoryDriver driver;
  run_engine(4, 2, {{"cb_nodes", "2"}}, driver, [&](Rank& rank, OpenFile& file) {
    Bytes bytes = pattern(kStep, rank.number());
    const auto set_view = [&](std::int64_t block_bytes) {
      EXPECT_TRUE(file.set_view({}, interleaved_view(rank.number(), 4, block_bytes), 1).ok());
    };
    for (const std::int64_t block_bytes : {16, 32, 64, 128}) {
      set_view(block_bytes);
      expect_inspected(file, bytes, 0, "block " + std::to_string(block_bytes));
    }
    for (const std::int64_t block_bytes : {16, 128, 32, 64, 16}) {
      set_view(block_bytes);
      expect_reused(file, rank, bytes, 2 * kStep, "block " + std::to_string(block_bytes));
    }
  });
}

TEST(EngineReuse, OneRankThatAsksForSomethingElseIsEnough) {
  driver::MemoryDriver driver;
  run_engine(4, 2, {{"cb_nodes", "2"}}, driver, [&](Rank& rank, OpenFile& file) {
    EXPECT_TRUE(file.set_view({}, interleaved_view(rank.number(), 4, 32), 1).ok());
    Bytes bytes = pattern(kStep, rank.number());
    expect_inspected(file, bytes, 0, "first");
    Bytes fewer = pattern(rank.number() == 2 ? kStep - 64 : kStep, rank.number());
    expect_inspected(file, fewer, 0, "rank 2 with fewer bytes");
    expect_reused(file, rank, bytes, 0, "as at first");
    Bytes read = bytes;
    const Reuse before = reuse_of(file);
    access(file, Direction::kRead, read);
    EXPECT_EQ(reuse_of(file).plans_reused, before.plans_reused) << "the other direction";
    EXPECT_EQ(read, bytes);
  });
}

// Where domains are not given away in rank order, a later call goes the same ways.
TEST(EngineReuse, DomainsOfALaterCallBelongToTheSameNodes) {
  for (const char* exchange : {"shared", "direct"}) {
    driver::MemoryDriver driver;
    run_engine(kRanks, kRanksPerNode, exchanging(exchange, 0), driver, [&](Rank& rank, OpenFile& file) {
      EXPECT_TRUE(file.set_view({}, segmented(1)(rank.number()), 1).ok());
      for (const std::int64_t offset : {std::int64_t{0}, kFileBytes, 5 * kFileBytes}) {
        Bytes bytes = pattern(kMine, rank.number());
        access(file, Direction::kWrite, bytes, offset);
        Bytes again(bytes.size());
        access(file, Direction::kRead, again, offset);
        EXPECT_EQ(again, bytes);
      }
      EXPECT_EQ(reuse_of(file).plans_reused, 4 * kRanks);
      EXPECT_EQ(counts_of(file).of(Counter::kBytesBetween), 0);
    });
  }
}

// ---- Memory for messages ----

// All ranks read the whole file: what a node's ranks get from the other nodes in one round is many windows.
TEST(EngineCounts, MessagesOfANodeKeepToTheCollectiveBuffer) {
  constexpr std::int64_t kBuffer = 512 << 10;
  constexpr std::int64_t kBytes = 4 * kBuffer;
  driver::MemoryDriver driver;
  put_file(driver, pattern(kBytes));
  const hints::Pairs pairs = {{"cb_nodes", "4"}, {"cb_buffer_size", std::to_string(kBuffer)}, {"weir_domains", "even"}};
  run_engine(8, 2, pairs, driver, [&](Rank& rank, OpenFile& file) {
    Bytes bytes(kBytes);
    for (int call = 0; call < 2; ++call) {
      access(file, Direction::kRead, bytes);
      EXPECT_EQ(bytes, pattern(kBytes));
    }
    const trace::FileReport report = file.report().value();
    const plan::Plan plan = report.calls.of(Direction::kRead).last_plan().value();
    // Two ranks, three far aggregators: six windows with the plan as it was.
    EXPECT_LE(6 * plan.round_size.window_bytes, kBuffer + kBuffer / 8);
    EXPECT_GT(plan.round_size.window_bytes, kBuffer / 8);
    EXPECT_EQ(plan.replaced.size(), 1U);
    EXPECT_EQ(report.calls.of(Direction::kRead).plans_reused, 1) << "on rank " << rank.number();
  });
}

}  // namespace
}  // namespace weir::exec
