#include "plan/windows.h"

#include <gtest/gtest.h>

#include "model/built_in.h"
#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

// Of so many bytes an aggregator.
Totals totals_of(std::int64_t domain_bytes, int aggregators) {
  Totals totals = total_of(interleaved(4, kKiB, domain_bytes * aggregators / 4 / kKiB));
  totals.region.end = domain_bytes * aggregators;
  return totals;
}

TwoPhaseShape shape_of(int aggregators) { return {DomainKind::kAligned, aggregators}; }

std::int64_t window(const Facts& facts, std::int64_t domain_bytes, int aggregators = 4) {
  return window_bytes(facts, totals_of(domain_bytes, aggregators), shape_of(aggregators));
}

std::string reason(const Facts& facts, std::int64_t domain_bytes, int aggregators = 4) {
  return window_reason(facts, totals_of(domain_bytes, aggregators), shape_of(aggregators));
}

TEST(Windows, OfOneNodeStayInItsCaches) {
  for (const auto& [ranks, bytes] : {std::pair{1, kMiB}, {8, kMiB}, {16, 2 * kMiB}, {64, 4 * kMiB}}) {
    Facts facts = facts_of(Direction::kWrite, 1, ranks);
    EXPECT_EQ(window(facts, 1000 * kMiB), bytes) << ranks;
    EXPECT_EQ(reason(facts, 1000 * kMiB), "as large as caches hold");
    facts.wishes.most_window_bytes = 100;
    EXPECT_EQ(window(facts, 1000 * kMiB), 100) << ranks;
    EXPECT_EQ(reason(facts, 1000 * kMiB), "asked for by hint");
  }
}

TEST(Windows, AcrossNodesLeaveAtLeastFourRounds) {
  for (const int nodes : {1, 4}) {
    Facts facts = facts_of(Direction::kRead, nodes, 4);
    facts.storage.network = true;
    for (std::int64_t domain = 2 * kMiB; domain < 64 * kMiB; domain += 777'777) {
      EXPECT_GE(domain / window(facts, domain), 4) << domain;
      EXPECT_EQ(window(facts, domain) & (window(facts, domain) - 1), 0) << "a power of two";
    }
    EXPECT_EQ(window(facts, 100), 512 * kKiB) << "no smaller than what pays for its messages";
    EXPECT_EQ(reason(facts, 100), "smaller ones do not pay for their messages");
    EXPECT_LE(window(facts, 1000 * kMiB), 16 * kMiB) << "the most that a buffer may have";
  }
}

// Of all powers of two that leave rounds to overlap, none is predicted to take less.
TEST(Windows, AcrossNodesAreTheCheapest) {
  for (const double call_us : {1.0, 100.0, 10000.0}) {
    for (const std::int64_t domain : {3 * kMiB, 16 * kMiB, 200 * kMiB}) {
      Facts facts = facts_of(Direction::kWrite, 4, 4);
      facts.storage.network = true;
      facts.model = model::built_in(true, LockProtocol::kNone);
      facts.model->storage.latency_us = call_us;
      const auto took = [&](std::int64_t bytes) {
        TwoPhaseShape shape = shape_of(4);
        shape.window_bytes = bytes;
        return two_phase_cost(facts, totals_of(domain, 4), shape).total_us();
      };
      const double least = took(window(facts, domain));
      for (std::int64_t bytes = 512 * kKiB; bytes <= std::min(domain / 4, 16 * kMiB); bytes *= 2) {
        EXPECT_LE(least, took(bytes)) << domain << " in " << bytes;
      }
    }
  }
}

// What a round costs beside its bytes makes them fewer.
TEST(Windows, GrowWithWhatARoundCosts) {
  Facts facts = facts_of(Direction::kWrite, 4, 4);
  facts.storage.network = true;
  facts.model = model::built_in(true, LockProtocol::kNone);
  facts.model->storage.latency_us = 1;
  const std::int64_t near = window(facts, 64 * kMiB);
  facts.model->storage.latency_us = 20000;
  EXPECT_LT(near, window(facts, 64 * kMiB));
  EXPECT_EQ(window(facts, 64 * kMiB), 16 * kMiB);
  EXPECT_EQ(reason(facts, 64 * kMiB).substr(0, 20), "predicted: 16.0 MiB ") << reason(facts, 64 * kMiB);
}

TEST(Windows, AreAsLargeAsAskedForAcrossNodes) {
  Facts facts = facts_of(Direction::kRead, 4, 4);
  facts.wishes.window_asked = true;
  for (const std::int64_t asked : {std::int64_t{1}, 100 * kKiB, 64 * kMiB}) {
    facts.wishes.most_window_bytes = asked;
    EXPECT_EQ(window(facts, 16 * kMiB), asked);
    EXPECT_EQ(reason(facts, 16 * kMiB), "asked for by hint");
  }
}

TEST(Windows, MoreRoundsAreInFlightAcrossNodes) {
  EXPECT_EQ(rounds_in_flight(facts_of(Direction::kRead, 1, 4)), 2);
  Facts facts = facts_of(Direction::kRead, 4, 4);
  EXPECT_EQ(rounds_in_flight(facts), 4);
  facts.wishes.depth = 1;
  EXPECT_EQ(rounds_in_flight(facts), 1);
}

}  // namespace
}  // namespace weir::plan
