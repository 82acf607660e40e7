#include "comm/mpi/look_gauge.h"

#include <gtest/gtest.h>

namespace weir::comm {
namespace {

using namespace std::chrono_literals;

TEST(LookGauge, ALookThatTakesLongerThanIdleOnesHasMovedSomething) {
  LookGauge gauge;
  EXPECT_FALSE(gauge.moved(300ns));
  EXPECT_FALSE(gauge.moved(500ns));
  EXPECT_TRUE(gauge.moved(20us));
  EXPECT_FALSE(gauge.moved(300ns));
}

// With many ranks a look that finds nothing takes longer: ranks that wait must not look for ever because of it.
TEST(LookGauge, LearnsHowLongIdleLooksTake) {
  for (const std::chrono::nanoseconds idle : {1us, 4us, 10us, 40us}) {
    LookGauge gauge;
    int moved = 0;
    for (int look = 0; look < 1000; ++look) moved += gauge.moved(idle) ? 1 : 0;
    EXPECT_LT(moved, 100) << idle.count();
    EXPECT_TRUE(gauge.moved(idle + 10us)) << idle.count();
  }
}

TEST(LookGauge, ForgetsLongLooksAtTheFirstShortOne) {
  LookGauge gauge;
  for (int look = 0; look < 1000; ++look) static_cast<void>(gauge.moved(50us));
  EXPECT_FALSE(gauge.moved(1us));
  EXPECT_TRUE(gauge.moved(50us));
}

}  // namespace
}  // namespace weir::comm
