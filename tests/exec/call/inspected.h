// Schedules of small plans: what the tests of inspect() look at.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "exec/call/inspect.h"
#include "exec/small_plans.h"

namespace weir::exec {

// A plan with what every rank got for it.
struct Inspected {
  SmallPlan planned;
  std::vector<Schedule> schedules;            // by rank
  std::vector<std::int64_t> freight_on_hand;  // by rank: bytes in its stores

  const plan::Plan& plan() const { return planned.plan(); }
  const Schedule& of(int rank) const { return schedules[static_cast<std::size_t>(rank)]; }
  bool sends_empty_parcels() const { return plan().sparse == false && plan().exchange != plan::Exchange::kPairwise; }
  // The bytes that all ranks of a local aggregator have for an aggregator; merged, each once.
  std::int64_t together(int local_aggregator, std::size_t a, std::int64_t round) const;
};

// All numbers of aggregators and exchanges, sparse and dense, both directions. Made once for all tests.
const std::vector<Inspected>& all_inspected();

// Parcels of one round, one behind the other in a buffer of so many bytes.
void expect_apart(const std::vector<Parcel>& parcels, std::int64_t buffer_bytes);

// Checks every plan and rank, up to the first at which something is wrong.
template <typename Check>
void for_each_rank(const Check& check) {
  for (const Inspected& inspected : all_inspected()) {
    for (int rank = 0; rank < inspected.planned.ranks(); ++rank) {
      check(inspected, rank);
      if (testing::Test::HasFailure()) FAIL() << "rank " << rank << " in\n" << inspected.planned.text();
    }
  }
}

// The same for every aggregator and its own windows.
template <typename Check>
void for_each_window(const Check& check) {
  for_each_rank([&](const Inspected& inspected, int rank) {
    const Schedule& schedule = inspected.of(rank);
    if (!schedule.aggregator) return;
    const std::int64_t rounds = schedule.rounds[*schedule.aggregator];
    ASSERT_EQ(std::ssize(schedule.window_bytes), rounds);
    ASSERT_EQ(std::ssize(schedule.freight), rounds);
    for (std::int64_t round = 0; round < rounds; ++round) check(inspected, rank, round);
  });
}

}  // namespace weir::exec
