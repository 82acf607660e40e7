// On network file systems, ranks open the file when they touch it themselves.
#include <gtest/gtest.h>

#include <cerrno>

#include "driver/fault.h"
#include "exec/collective_combination.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::FaultDriver;
using driver::MemoryDriver;
using driver::Operation;

constexpr int kRanks = 8;
constexpr int kRanksPerNode = 4;
constexpr int kNodes = kRanks / kRanksPerNode;

driver::MemoryOptions network_options() {
  driver::MemoryOptions options;
  options.storage.network = true;
  return options;
}

class Defer : public testing::Test {
 protected:
  std::int64_t opens() const { return counted_.calls(Operation::kOpen); }

  MemoryDriver memory_{network_options()};
  FaultDriver counted_{memory_, {}};
};

TEST_F(Defer, OneRankOfEachNodeOpensAtOnce) {
  run_file_ranks(kRanks, kRanksPerNode, [&](Rank& rank) {
    auto file = rank.open(counted_, kCreateMode);
    EXPECT_TRUE(file->sync().ok());
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(opens(), kNodes);
}

TEST_F(Defer, WhoTouchesTheFileOpensIt) {
  run_file_ranks(kRanks, kRanksPerNode, [&](Rank& rank) {
    auto file = rank.open(counted_, kCreateMode);
    if (rank.number() == 2) {
      EXPECT_TRUE(write_explicit(*file, 10, pattern(5)).status.ok());
    }
    EXPECT_TRUE(file->sync().ok());
    if (rank.number() == 3) {
      EXPECT_EQ(file->size().value(), 15);
    }
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(opens(), kNodes + 2);
}

TEST_F(Defer, CollectiveAccessOpensItForAggregatorsOnly) {
  const Combination way{{{"weir_method", "two_phase"}, {"cb_nodes", "2"}}, kRanksPerNode};
  run_file_ranks(kRanks, kRanksPerNode, [&](Rank& rank) {
    auto file = rank.open(counted_, kCreateMode, "f", way.hint_set());
    EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), kRanks, 4), 1).ok());
    EXPECT_TRUE(write_explicit(*file, 0, pattern(40, rank.number()), true).status.ok());
    Bytes read(40);
    EXPECT_TRUE(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, true, read)).status.ok());
    EXPECT_EQ(read, pattern(40, rank.number()));
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(opens(), kNodes) << "the first rank of each node is its aggregator";
}

TEST_F(Defer, TheHintDecidesOtherwise) {
  for (const bool defer : {false, true}) {
    MemoryDriver local;
    FaultDriver counted(defer ? static_cast<driver::FileDriver&>(local) : memory_, {});
    const Combination way{{{"romio_no_indep_rw", defer ? "true" : "false"}}, kRanksPerNode};
    run_file_ranks(kRanks, kRanksPerNode, [&](Rank& rank) {
      auto file = rank.open(counted, kCreateMode, "f", way.hint_set());
      EXPECT_TRUE(file->close().ok());
    });
    EXPECT_EQ(counted.calls(Operation::kOpen), defer ? kNodes : kRanks);
  }
}

TEST_F(Defer, ALateOpenThatFailsIsTheFailureOfTheCall) {
  FaultDriver scarce(
      memory_, {{{.operation = Operation::kOpen, .first_call = kNodes, .error_number = EMFILE, .call_count = 1000}}});
  run_file_ranks(kRanks, kRanksPerNode, [&](Rank& rank) {
    auto file = rank.open(scarce, kCreateMode);
    const bool late = rank.number() % kRanksPerNode != 0;
    EXPECT_EQ(write_explicit(*file, 0, pattern(5)).status.ok(), !late);
    // Large pieces: every rank writes for itself.
    const auto outcome = write_explicit(*file, rank.number() << 20, pattern(1 << 20), true);
    EXPECT_FALSE(outcome.status.ok()) << "all ranks hear of it";
    EXPECT_TRUE(file->close().ok());
  });
}

}  // namespace
}  // namespace weir::exec
