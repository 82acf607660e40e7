#include "driver/striping.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace weir::driver {
namespace {

TEST(Striping, OnlyGroupsOfRanksHaveWeirChoose) {
  EXPECT_FALSE(StripingWish().wants_anything());
  EXPECT_FALSE((StripingWish{{}, {8, 2}, false}.wants_anything()));
  EXPECT_FALSE((StripingWish{{}, {1, 1}, true}.wants_anything()));
  EXPECT_TRUE((StripingWish{{}, {2, 1}, true}.automatic()));
  const StripingWish asked = {{.unit_bytes = 65536}, {8, 2}, true};
  EXPECT_TRUE(asked.wants_anything());
  EXPECT_FALSE(asked.automatic()) << "what was asked for is not added to";
  EXPECT_TRUE((Striping{.first_server = 0}.says_anything()));
}

TEST(Striping, AsManyServersAsPay) {
  EXPECT_EQ(servers_that_pay({4, 1}, 0), 4) << "a node feeds several";
  EXPECT_EQ(servers_that_pay({2, 1}, 0), 2);
  EXPECT_EQ(servers_that_pay({128, 1}, 0), 4);
  EXPECT_EQ(servers_that_pay({128, 16}, 0), 16);
  EXPECT_EQ(servers_that_pay({128, 16}, 5), 4) << "a divisor of the nodes";
  EXPECT_EQ(servers_that_pay({128, 16}, 3), 2);
  EXPECT_EQ(servers_that_pay({128, 13}, 8), 8) << "13 has no divisor worth it";
  EXPECT_EQ(servers_that_pay({1024, 256}, 144), 64);
  EXPECT_EQ(servers_that_pay({400, 100}, 0), 50);
  EXPECT_EQ(servers_that_pay({16, 4}, 1), 1);
}

// The sentence in the header, for all small cases.
TEST(Striping, KeepsToEveryLimit) {
  for (int ranks = 1; ranks <= 140; ++ranks) {
    for (int nodes = 1; nodes <= ranks; ++nodes) {
      for (int available : {0, 1, 2, 3, 5, 7, 8, 63, 64, 65, 1000}) {
        const int servers = servers_that_pay({ranks, nodes}, available);
        int most = std::min(64, ranks);
        if (available > 0) most = std::min(most, available);
        ASSERT_GE(servers, 1);
        ASSERT_LE(servers, most) << ranks << " " << nodes << " " << available;
        if (nodes <= most) {
          ASSERT_EQ(servers, std::min(std::max(nodes, 4), most));
        } else if (nodes % servers == 0) {
          for (int better = servers + 1; better <= most; ++better) ASSERT_NE(nodes % better, 0);
        } else {
          ASSERT_EQ(servers, most);
          for (int half = most / 2 + 1; half <= most; ++half) ASSERT_NE(nodes % half, 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir::driver
