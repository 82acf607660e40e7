#include "sim/play.h"

#include <gtest/gtest.h>

#include <string>

#include "bench/workload_support.h"
#include "model/model_file.h"
#include "sim/toy_machine.h"

namespace weir::sim {
namespace {

Scenario scenario(const std::string& workload, int ranks, std::int64_t bytes, const hints::Pairs& hints = {}) {
  return {.machine = toy_machine(),
          .ranks_per_node = 4,
          .workload = bench::settled(workload, ranks, bytes),
          .direction = Direction::kWrite,
          .hints = hints,
          .most_events = 1'000'000,
          .go_on = {}};
}

Outcome played(const Scenario& scenario) {
  const auto outcome = play(scenario);
  EXPECT_TRUE(outcome.ok()) << outcome.status().text();
  return outcome.ok() ? outcome.value() : Outcome{};
}

hints::Pairs two_phase(const hints::Pairs& more = {}) {
  hints::Pairs all = {{"weir_method", "two_phase"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// ROMIO's ranks tell every piece, in every call; aggregators merge what all of them told.
TEST(Play, ListsAreToldAndMergedInEveryCall) {
  Scenario regular = scenario("cyclic:block=8", 16, 1 << 20, two_phase({{"weir_exchange", "direct"}}));
  regular.machine.memory.piece_us = 0.01;
  Scenario lists = regular;
  lists.lists = true;
  const Outcome without = played(regular);
  const Outcome with = played(lists);
  // Each of at least one aggregator merges its share of all entries, of 16 ranks.
  const double entries = (1 << 20) / 8.0 / 16;
  EXPECT_GT(with.seconds.inspect, without.seconds.inspect + 4 * entries * 0.01e-6);
  EXPECT_EQ(with.messages, without.messages) << "of data";
  EXPECT_EQ(with.bytes, without.bytes);
  // Four calls tell four times what one does.
  const auto inspected = [](Scenario many, const std::string& workload) {
    many.workload = bench::settled(workload, 16, 1);
    return played(many).seconds.inspect;
  };
  EXPECT_GT(inspected(lists, "btio:side=16:arrays=4"), 3 * inspected(lists, "btio:side=16:arrays=1"));
}

TEST(Play, TheSameScenarioTakesTheSameTime) {
  const Scenario btio = scenario("btio:side=16:arrays=3", 16, 1, two_phase());
  const Outcome first = played(btio);
  const Outcome second = played(btio);
  EXPECT_GT(first.seconds.total, 0);
  EXPECT_EQ(first.seconds.total, second.seconds.total);
  EXPECT_EQ(first.events, second.events);
  EXPECT_EQ(first.bytes, 16 * 16 * 16 * 40 * 3);
  EXPECT_EQ(first.calls_played, 3);
  EXPECT_TRUE(first.sampled.empty());
}

// Every rank has bytes in every window: all but the aggregator itself send it a message, also those of its node.
TEST(Play, MessagesAreThoseOfTheExchange) {
  const Outcome direct =
      played(scenario("cyclic:block=64", 16, 64 * 1024, two_phase({{"weir_exchange", "direct"}, {"cb_nodes", "2"}})));
  EXPECT_EQ(direct.most_receives, 16);
  const Outcome shared =
      played(scenario("cyclic:block=64", 16, 64 * 1024,
                      two_phase({{"weir_exchange", "shared"}, {"weir_local_aggregators", "1"}, {"cb_nodes", "2"}})));
  EXPECT_EQ(shared.most_receives, 3);
  EXPECT_LT(shared.messages, direct.messages);
}

TEST(Play, BothDirectionsTakeTime) {
  Scenario cyclic = scenario("cyclic:block=64", 16, 64 * 1024, two_phase());
  const Outcome write = played(cyclic);
  cyclic.direction = Direction::kRead;
  const Outcome read = played(cyclic);
  EXPECT_GT(write.seconds.file, 0);
  EXPECT_GT(read.seconds.file, 0);
  EXPECT_EQ(read.bytes, write.bytes);
}

TEST(Play, RoundsInFlightOverlap) {
  const auto seconds = [&](const char* depth) {
    Scenario cyclic = scenario("cyclic:block=64", 16, 1 << 20,
                               two_phase({{"weir_pipeline_depth", depth}, {"cb_buffer_size", "16384"}}));
    cyclic.machine.network.link_mb_s = 30;
    return played(cyclic).seconds.total;
  };
  EXPECT_LT(seconds("4"), seconds("1"));
}

// An aggregator writes its rounds in order, also where a later one has come first: no server seeks for it.
TEST(Play, RoundsInFlightAreWrittenInOrder) {
  const auto jaguar = model::shipped_model("jaguar");
  ASSERT_TRUE(jaguar.ok());
  const auto seconds = [&](const std::string& depth) {
    Scenario many = scenario("btio:side=162:arrays=40", 256, 1, {{"weir_pipeline_depth", depth}});
    many.machine = jaguar.value().machine;
    return played(many).seconds.total;
  };
  EXPECT_LT(seconds("4"), 1.1 * seconds("1"));
}

TEST(Play, RoundsThatAreLeftOutAreCounted) {
  Scenario cyclic =
      scenario("cyclic:block=64", 16, 4 << 20, two_phase({{"cb_buffer_size", "16384"}, {"weir_pipeline_depth", "1"}}));
  const Outcome all = played(cyclic);
  cyclic.most_events = 1000;
  const Outcome some = played(cyclic);
  EXPECT_TRUE(all.sampled.empty());
  EXPECT_FALSE(some.sampled.empty());
  EXPECT_LT(some.rounds_played, some.rounds);
  EXPECT_NEAR(static_cast<double>(some.messages) / static_cast<double>(all.messages), 1, 0.05);
  EXPECT_NEAR(some.seconds.total / all.seconds.total, 1, 0.1);
}

TEST(Play, RanksMayBeAlone) {
  const Outcome outcome = played(scenario("contiguous", 16, 1 << 20, {{"weir_method", "independent"}}));
  EXPECT_EQ(outcome.messages, 0);
  EXPECT_EQ(outcome.bytes, 1 << 20);
  EXPECT_GE(outcome.seconds.total, (1 << 20) / (4 * 100.0) / 1e6);  // what four servers take for the bytes
}

TEST(Play, AdviceAheadOfReadsOverlapsThem) {
  const auto seconds = [](const char* max_acc) {
    Scenario ranges = scenario("multiple_access_range:block=4000:subblock=400:subblocks=5", 4, 80'000,
                               {{"weir_method", "independent"}, {"weir_max_acc", max_acc}});
    ranges.direction = Direction::kRead;
    return played(ranges).seconds.total;
  };
  EXPECT_LT(1.2 * seconds("1"), seconds("0"));
  EXPECT_LE(seconds("4"), seconds("1"));
}

// Neighbours on different nodes write into the same blocks: agents make whole blocks of that.
TEST(Play, AgentsSpareLocksAndRequests) {
  const auto writing = [](const char* largeblock) {
    Scenario small = scenario("interleaved:block=100", 16, 160'000,
                              {{"IBM_largeblock_io", largeblock}, {"IBM_io_buffer_size", "1000"}});
    small.machine.locks.protocol = LockProtocol::kToken;
    return played(small);
  };
  const Outcome direct = writing("true");
  const Outcome shipped = writing("false");
  EXPECT_EQ(shipped.bytes, direct.bytes);
  EXPECT_LT(shipped.lock_requests, direct.lock_requests / 4);
  EXPECT_LT(shipped.seconds.total, direct.seconds.total);
}

// What is left out has to be written back, too.
TEST(Play, RoundsThatAreLeftOutDoNotHideInCaches) {
  Scenario cyclic =
      scenario("cyclic:block=64", 16, 4 << 20, two_phase({{"cb_buffer_size", "16384"}, {"weir_pipeline_depth", "1"}}));
  cyclic.machine.storage.dirty_bytes = 1 << 19;
  const Outcome all = played(cyclic);
  cyclic.most_events = 1000;
  EXPECT_NEAR(played(cyclic).seconds.total / all.seconds.total, 1, 0.1);
}

// BTIO on 16 nodes of 64 ranks: against every number of local aggregators that can be asked for.
TEST(Play, LocalAggregatorsAreChosenNearTheBest) {
  Scenario btio = scenario("btio:side=128:arrays=2", 1024, 1);
  btio.machine = model::shipped_model("theta").value().machine;
  btio.ranks_per_node = 64;
  const double own = played(btio).seconds.total;
  for (const char* count : {"1", "2", "4", "8", "16", "32", "64"}) {
    btio.hints = {{"weir_local_aggregators", count}};
    EXPECT_LE(own, 1.05 * played(btio).seconds.total) << count;
  }
}

TEST(Play, RefusesMoreNodesThanThereAre) {
  const auto outcome = play(scenario("contiguous", 1024, 1 << 20));
  ASSERT_FALSE(outcome.ok());
  EXPECT_NE(outcome.status().text().find("need 256 nodes; the machine has 64"), std::string::npos);
}

TEST(Play, RefusesHintsThatAreNone) {
  const auto outcome = play(scenario("contiguous", 4, 1 << 20, {{"cb_node", "2"}}));
  ASSERT_FALSE(outcome.ok());
  EXPECT_NE(outcome.status().text().find("cb_nodes"), std::string::npos);
}

TEST(Play, EndsWhenItIsToldTo) {
  Scenario endless = scenario("cyclic:block=64", 16, 64 * 1024, two_phase());
  endless.go_on = [](const Progress&) { return false; };
  EXPECT_FALSE(play(endless).ok());
}

}  // namespace
}  // namespace weir::sim
