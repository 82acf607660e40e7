#include "plan/windows.h"

#include <gtest/gtest.h>

#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

TEST(Windows, OfOneNodeStayInItsCaches) {
  for (const auto& [ranks, bytes] : {std::pair{1, kMiB}, {8, kMiB}, {16, 2 * kMiB}, {64, 4 * kMiB}}) {
    Facts facts = facts_of(Direction::kWrite, 1, ranks);
    EXPECT_EQ(window_bytes(facts, 1000 * kMiB), bytes) << ranks;
    facts.wishes.most_window_bytes = 100;
    EXPECT_EQ(window_bytes(facts, 1000 * kMiB), 100) << ranks;
  }
}

TEST(Windows, AcrossNodesLeaveAtLeastFourRounds) {
  for (const int nodes : {1, 4}) {
    Facts facts = facts_of(Direction::kRead, nodes, 4);
    facts.storage.network = true;
    for (std::int64_t domain = 2 * kMiB; domain < 64 * kMiB; domain += 777'777) {
      const std::int64_t window = window_bytes(facts, domain);
      EXPECT_GE(domain / window, 4) << domain;
      EXPECT_LE(domain / window, 8) << domain;
      EXPECT_EQ(window & (window - 1), 0) << "a power of two";
    }
    EXPECT_EQ(window_bytes(facts, 100), 512 * kKiB) << "no smaller than what pays for its messages";
    EXPECT_EQ(window_bytes(facts, 1000 * kMiB), 16 * kMiB) << "the most that a buffer may have";
  }
}

TEST(Windows, AreAsLargeAsAskedForAcrossNodes) {
  Facts facts = facts_of(Direction::kRead, 4, 4);
  facts.wishes.window_asked = true;
  for (const std::int64_t asked : {std::int64_t{1}, 100 * kKiB, 64 * kMiB}) {
    facts.wishes.most_window_bytes = asked;
    EXPECT_EQ(window_bytes(facts, 16 * kMiB), asked);
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
