#include "comm/agree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "comm/collectives.h"
#include "comm/ranks.h"

namespace weir::comm {
namespace {

class Agree : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Agree, testing::ValuesIn(tested_sizes()));

TEST_P(Agree, SuccessCostsOneReduction) {
  run_tested_ranks(GetParam(), [&](ThreadComm& comm) {
    EXPECT_TRUE(agree(comm, {}).ok());
    EXPECT_EQ(comm.sent(), (Traffic{steps_of(GetParam()), steps_of(GetParam()) * 16}));
  });
}

TEST_P(Agree, AnySingleFailureReachesAll) {
  const int ranks = GetParam();
  std::atomic<std::int64_t> messages = 0;
  run_tested_ranks(ranks, [&](ThreadComm& comm) {
    for (int failing = 0; failing < ranks; ++failing) {
      Status mine;
      if (comm.rank() == failing) mine = Status(ErrorClass::kNoSpace, "disk is full");
      const Status agreed = agree(comm, mine);
      EXPECT_EQ(agreed.error_class(), ErrorClass::kNoSpace);
      EXPECT_EQ(agreed.text(), fmt::format("disk is full (on rank {})", failing));
    }
    messages += comm.sent().messages;
  });
  EXPECT_EQ(messages, ranks * (ranks * steps_of(ranks) + ranks - 1));
}

TEST_P(Agree, TheLowestFailingRankIsHeard) {
  run_tested_ranks(GetParam(), [&](ThreadComm& comm) {
    const int lowest = GetParam() / 2;
    Status mine;
    if (comm.rank() >= lowest) {
      mine = Status(comm.rank() == lowest ? ErrorClass::kQuota : ErrorClass::kIo, std::to_string(comm.rank()));
    }
    const Status agreed = agree(comm, mine);
    EXPECT_EQ(agreed.error_class(), ErrorClass::kQuota);
    EXPECT_EQ(agreed.text(), fmt::format("{0} (on rank {0})", lowest));
  });
}

TEST(AgreeText, IsCutAndMarkedOnce) {
  run_tested_ranks(3, [](ThreadComm& comm) {
    Status mine;
    if (comm.rank() == 2) mine = Status(ErrorClass::kIo, std::string(5000, 'x'));
    const Status once = agree(comm, mine);
    EXPECT_EQ(once.text(), std::string(kAgreedTextBytes, 'x') + " (on rank 2)");

    const Status short_one = agree(comm, comm.rank() == 2 ? Status(ErrorClass::kIo, "short") : Status());
    const Status twice = agree(comm, short_one);
    EXPECT_EQ(twice.text(), "short (on rank 2)");
  });
}

}  // namespace
}  // namespace weir::comm
