#include "comm/clock_mark.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "comm/ranks.h"

namespace weir::comm {
namespace {

std::int64_t steady() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Every node has a clock that is ahead by so many seconds as its number says: more than any message takes.
TEST(ClockMark, TheDifferenceOfTheNodesClocksIsFound) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  for (const int ranks : {1, 2, 5, 8}) {
    run_tested_ranks(ranks, 2, [&](ThreadComm& comm) {
      const std::int64_t ahead = 1000 * kSecond * comm.topology().node_of[static_cast<std::size_t>(comm.rank())];
      const Result<ClockPair> pair = mark_clock(comm, [&] { return steady() + ahead; });
      ASSERT_TRUE(pair.ok());
      EXPECT_LT(std::abs(pair.value().here - pair.value().there - ahead), 100 * kSecond) << "rank " << comm.rank();
    });
  }
}

// They need not ask.
TEST(ClockMark, RanksOfTheFirstNodeHaveItsClock) {
  run_tested_ranks(3, [](ThreadComm& comm) {
    const Result<ClockPair> pair = mark_clock(comm, steady);
    ASSERT_TRUE(pair.ok());
    EXPECT_EQ(pair.value().here, pair.value().there);
  });
}

}  // namespace
}  // namespace weir::comm
