// The report for people.
#include "trace/report.h"

#include <gtest/gtest.h>

#include "trace/made_up_report.h"
#include "trace/plan_text.h"
#include "trace/words.h"

namespace weir::trace {
namespace {

TEST(Words, OfNumbersAndTimes) {
  EXPECT_EQ(counted(1, "rank"), "1 rank");
  EXPECT_EQ(counted(0, "rank"), "0 ranks");
  EXPECT_EQ(time_text(1500), "0.002 ms");
  EXPECT_EQ(time_text(9'999'000), "9.999 ms");
  EXPECT_EQ(time_text(1'234'500'000), "1.234 s");
}

TEST(PlanText, CutsLongListsOfAggregators) {
  plan::Plan plan = made_up_plan(Direction::kRead);
  plan.aggregators = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(lines_of(plan, {})[3], "aggregators: 10, ranks 0, 1, 2, 3, 4, 5, 6, 7, ... (2 nodes)");
}

TEST(PlanText, OfACallWithNothingToDoIsOneLine) {
  plan::Plan plan;
  plan.reason = "no rank has bytes to move";
  EXPECT_EQ(lines_of(plan, {}), std::vector<std::string>{"nothing to do: no rank has bytes to move"});
}

TEST(Report, OfAFileThatWasOnlyOpened) {
  FileReport report;
  report.path = "/data/out";
  report.file_system = "ext4";
  EXPECT_EQ(print(report), "weir: /data/out (ext4), 1 rank on 1 node\n");
}

TEST(Report, OfAFileThatWasWrittenAndRead) {
  EXPECT_EQ(print(made_up_report()), R"(weir: /data/out (lustre), 4 ranks on 2 nodes
weir:   striped over 4 servers, 1.0 MiB on each in turn
weir:   written: 24 B in 32 pieces
weir:     2 collective calls: 2 two-phase, 0 independent, 0 with nothing to do
weir:     8 calls of single ranks
weir:     file system: 64 B written by 56 calls
weir:     last collective call:
weir:       through aggregators: it pays
weir:       asked for: 8000 B in 100 pieces of 3 ranks, bytes 4096 to 12288 of the file
weir:       predicted: 7.01 ms: inspecting 10 us, copying 2 ms, between nodes 3 ms, file system 4 ms
weir:       aggregators: 2 on 2 nodes, ranks 0, 2 (2 nodes)
weir:       domains: aligned (no two share a block)
weir:       between nodes: about 2000 B; 6000 B with aggregators in rank order
weir:       rounds: 2, 2 in flight, windows of 4096 B (caches hold no more)
weir:       exchange: shared (ranks of a node share memory), 1 local aggregator a node
weir:       1 local aggregator a node: little leaves a node
weir:       requests of a node: merged (100 pieces become 10)
weir:       sparse: 5 of 6 pairs have bytes, in 8 of 12 rounds of theirs
weir:       not as wished: 5 aggregators asked for, 2 can be had
weir:       measured on rank 0: 10 ms: inspecting 0 us, copying 8 ms, between nodes 0 us, file system 5 ms, waiting 0 us
weir:     plan reused 1 time
weir:   read: 20 B in 28 pieces
weir:     1 collective call: 0 two-phase, 1 independent, 0 with nothing to do
weir:     4 calls of single ranks
weir:     file system: 60 B read by 52 calls
weir:     last collective call:
weir:       each rank for itself: the pieces are large
weir:       asked for: 20.0 KiB in 1 piece of 1 rank, bytes 0 to 20480 of the file
weir:   accesses that ranks made alone: 36 contiguous, 40 list, 44 packed, 48 sieve
weir:     the last of rank 0: list: 3 pieces in the file
weir:   I/O agents: 128 requests became 140 blocks read, 144 blocks and 148 parts of blocks written
weir:     between nodes: 132 messages to agents, with 136 B
weir:   prefetching: 116 ranges asked for, 120 of them taken by the file system
weir:   through a bounce buffer, since memory was badly placed for this machine's copies: 124 B
weir:   by io_uring, while others were under way: 160 of the file system's calls
weir:   past the page cache (O_DIRECT): 164 B
weir:   not as wished: weir_io=uring: forbidden
weir:   inside nodes: 100 messages of 104 B; between nodes: 108 messages of 112 B
weir:   request structures sent: 92 of 96 B
weir:   merged before they leave their node: 152 pieces of ranks became 156
weir:   copied in memory: 88 B
weir:   windows: 80, 84 of them with holes or overlaps
weir:   time of a rank                  mean        most
weir:     collective calls           0.042 s     0.043 s
weir:       meeting and agreeing     0.043 s     0.044 s
weir:       inspecting requests      0.044 s     0.045 s
weir:       copying                  0.045 s     0.046 s
weir:       exchanging               0.046 s     0.047 s
weir:       waiting for windows      0.047 s     0.048 s
weir:       file system              0.048 s     0.049 s
weir:     calls of single ranks      0.050 s     0.051 s
weir:     at least 102 % of the file system's time ran beside other work of the same rank
weir:   thread level: single (as asked); messages of nonblocking calls move inside the host's progress
weir:   hints: cb_nodes=5, striping_unit=65536 (no effect in this version)
weir:   hint cb_node=5: unknown, did you mean cb_nodes?
weir:   failed: 68 of the ranks' accesses
)");
}

TEST(Report, LeavesOutADirectionNobodyUsed) {
  FileReport report;
  at(report.totals, Counter::kIndependentReads) = 1;
  EXPECT_EQ(print(report).find("written"), std::string::npos);
  EXPECT_NE(print(report).find("read: 0 B in 0 pieces"), std::string::npos);
}

TEST(Report, TellsReadsThatOnlySievingMade) {
  FileReport report;
  at(report.totals, Counter::kIndependentWrites) = 1;
  at(report.totals, Counter::kReadCalls) = 2;
  at(report.totals, Counter::kFileBytesRead) = 100;
  EXPECT_NE(print(report).find("\nweir:   file system: 100 B read by 2 calls\n"), std::string::npos);
}

TEST(HintsGiven, AreThoseWithAValueOfTheirOwn) {
  hints::HintSet hints;
  EXPECT_TRUE(hints_given(hints).empty());
  const hints::Pairs pairs = {
      {"cb_nodes", "3"}, {"striping_unit", "65536"}, {"cb_buffer_size", "16m"}, {"nb_proc", "4"}};
  (void)hints::apply(hints, pairs, hints::When::kOpen);
  EXPECT_TRUE(hints.set(hints::Id::kFilename, "f").ok());
  EXPECT_EQ(hints_given(hints), (std::vector<HintValue>{{"cb_nodes", "3", true}, {"striping_unit", "65536", true}}));
}

}  // namespace
}  // namespace weir::trace
