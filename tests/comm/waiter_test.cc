#include "comm/waiter.h"

#include <gtest/gtest.h>
#include <time.h>

namespace weir::comm {
namespace {

using Clock = std::chrono::steady_clock;

double cpu_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

TEST(Waiter, ALongWaitCostsLittle) {
  const double cpu_before = cpu_seconds();
  const auto end = Clock::now() + std::chrono::milliseconds(300);
  Waiter waiter;
  while (Clock::now() < end) waiter.pause();
  EXPECT_LT(cpu_seconds() - cpu_before, 0.1);
}

TEST(Waiter, SpinsFirstThenSleepsLongerAndLonger) {
  constexpr Waiter::Sleep kLongest{100};
  Waiter waiter(kLongest);
  EXPECT_EQ(waiter.next_sleep().count(), 0);
  while (waiter.next_sleep().count() == 0) waiter.pause();
  EXPECT_EQ(waiter.next_sleep().count(), 20);
  waiter.pause();
  EXPECT_EQ(waiter.next_sleep().count(), 25);
  for (int look = 0; look < 20; ++look) waiter.pause();
  EXPECT_EQ(waiter.next_sleep(), kLongest);
}

TEST(Waiter, StartsAgainAfterProgress) {
  Waiter waiter;
  for (int look = 0; look < 200; ++look) waiter.pause();
  EXPECT_GT(waiter.next_sleep().count(), 20);
  waiter.reset();
  EXPECT_EQ(waiter.next_sleep().count(), 0);
}

}  // namespace
}  // namespace weir::comm
