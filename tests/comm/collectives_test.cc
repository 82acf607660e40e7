#include "comm/collectives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "comm/ranks.h"
#include "comm/scan.h"

namespace weir::comm {
namespace {

class Collectives : public testing::TestWithParam<int> {
 protected:
  int ranks() const { return GetParam(); }
  std::int64_t steps() const { return steps_of(ranks()); }
};

INSTANTIATE_TEST_SUITE_P(Sizes, Collectives, testing::ValuesIn(tested_sizes()));

std::byte byte_of(int value) { return static_cast<std::byte>(value & 0xff); }

std::vector<std::byte> blob_of(int rank, std::size_t blob_bytes) {
  std::vector<std::byte> blob(blob_bytes);
  for (std::size_t i = 0; i < blob_bytes; ++i) blob[i] = byte_of(rank * 31 + static_cast<int>(i));
  return blob;
}

TEST(Steps, AreTheLogarithmRoundedUp) {
  EXPECT_EQ(steps_of(1), 0);
  EXPECT_EQ(steps_of(2), 1);
  EXPECT_EQ(steps_of(3), 2);
  EXPECT_EQ(steps_of(4), 2);
  EXPECT_EQ(steps_of(5), 3);
  EXPECT_EQ(steps_of(64), 6);
  EXPECT_EQ(steps_of(65), 7);
}

TEST_P(Collectives, NobodyLeavesABarrierBeforeAllHaveCome) {
  std::atomic<int> arrived = 0;
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    for (int round = 1; round <= 3; ++round) {
      if (comm.rank() == round % ranks()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++arrived;
      ASSERT_TRUE(barrier(comm).ok());
      EXPECT_GE(arrived.load(), round * ranks());
    }
    EXPECT_EQ(comm.sent(), (Traffic{3 * steps(), 0}));
  });
}

TEST_P(Collectives, BroadcastFromEveryRoot) {
  std::atomic<std::int64_t> messages = 0;
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    for (int root = 0; root < ranks(); ++root) {
      const auto expected = blob_of(root, 37);
      auto data = comm.rank() == root ? expected : std::vector<std::byte>(37);
      const auto before = comm.sent().messages;
      ASSERT_TRUE(broadcast(comm, root, data).ok());
      EXPECT_EQ(data, expected);
      EXPECT_LE(comm.sent().messages - before, steps());
    }
    messages += comm.sent().messages;
  });
  EXPECT_EQ(messages, ranks() * (ranks() - 1));
}

TEST_P(Collectives, BroadcastOfASizeOnlyTheRootKnows) {
  std::atomic<std::int64_t> messages = 0;
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    const int root = ranks() - 1;
    std::vector<std::byte> data(3);  // a size of its own on the others
    if (comm.rank() == root) data = blob_of(root, 1000);
    ASSERT_TRUE(broadcast_sized(comm, root, data).ok());
    EXPECT_EQ(data, blob_of(root, 1000));

    if (comm.rank() == root) data.clear();
    ASSERT_TRUE(broadcast_sized(comm, root, data).ok());
    EXPECT_TRUE(data.empty());
    messages += comm.sent().messages;
  });
  EXPECT_EQ(messages, 3 * (ranks() - 1));
}

TEST_P(Collectives, AllGatherOfBlocks) {
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    constexpr std::size_t kBlockBytes = 5;
    std::vector<std::byte> all(kBlockBytes * static_cast<std::size_t>(ranks()));
    ASSERT_TRUE(all_gather(comm, blob_of(comm.rank(), kBlockBytes), all).ok());
    for (int rank = 0; rank < ranks(); ++rank) {
      const auto block = std::span(all).subspan(kBlockBytes * static_cast<std::size_t>(rank), kBlockBytes);
      EXPECT_TRUE(std::ranges::equal(block, blob_of(rank, kBlockBytes))) << "rank " << rank;
    }
    EXPECT_EQ(comm.sent(), (Traffic{steps(), std::int64_t{kBlockBytes} * (ranks() - 1)}));
  });
}

TEST_P(Collectives, AllGatherOfValues) {
  struct Value {
    std::int64_t number;
    double half;
  };
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    const auto all = all_gather_values(comm, Value{comm.rank(), comm.rank() / 2.0});
    ASSERT_TRUE(all.ok());
    ASSERT_EQ(all.value().size(), static_cast<std::size_t>(ranks()));
    for (int rank = 0; rank < ranks(); ++rank) {
      EXPECT_EQ(all.value()[static_cast<std::size_t>(rank)].number, rank);
      EXPECT_EQ(all.value()[static_cast<std::size_t>(rank)].half, rank / 2.0);
    }
  });
}

TEST_P(Collectives, AllGatherOfBlobs) {
  const auto blob_bytes_of = [](int rank) { return static_cast<std::size_t>(rank * 7 % 5 * 100 + rank % 3); };
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    const auto blobs = all_gather_blobs(comm, blob_of(comm.rank(), blob_bytes_of(comm.rank())));
    ASSERT_TRUE(blobs.ok());
    ASSERT_EQ(blobs.value().count(), ranks());
    std::size_t total_bytes = 0;
    for (int rank = 0; rank < ranks(); ++rank) {
      EXPECT_TRUE(std::ranges::equal(blobs.value().of(rank), blob_of(rank, blob_bytes_of(rank)))) << "rank " << rank;
      total_bytes += blob_bytes_of(rank);
    }
    EXPECT_EQ(blobs.value().bytes.size(), total_bytes);
    EXPECT_EQ(comm.sent().messages, (total_bytes == 0 ? 1 : 2) * steps());
  });
}

TEST_P(Collectives, AllGatherOfEmptyBlobsSendsSizesOnly) {
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    const auto blobs = all_gather_blobs(comm, {});
    ASSERT_TRUE(blobs.ok());
    EXPECT_EQ(blobs.value().count(), ranks());
    EXPECT_TRUE(blobs.value().of(ranks() - 1).empty());
    EXPECT_EQ(comm.sent().messages, steps());
  });
}

TEST_P(Collectives, ReductionsCountEveryRankOnce) {
  const auto value_of = [](int rank, int element) { return std::int64_t{rank * 1000003 % 101 - 50 + element}; };
  constexpr int kElements = 3;
  for (const Reduction reduction : {Reduction::kMin, Reduction::kMax, Reduction::kSum}) {
    std::vector<std::int64_t> expected;
    for (int element = 0; element < kElements; ++element) {
      std::vector<std::int64_t> all;
      for (int rank = 0; rank < ranks(); ++rank) all.push_back(value_of(rank, element));
      expected.push_back(reduction == Reduction::kMin   ? *std::ranges::min_element(all)
                         : reduction == Reduction::kMax ? *std::ranges::max_element(all)
                                                        : std::accumulate(all.begin(), all.end(), std::int64_t{0}));
    }
    run_tested_ranks(ranks(), [&](ThreadComm& comm) {
      std::vector<std::int64_t> values;
      for (int element = 0; element < kElements; ++element) values.push_back(value_of(comm.rank(), element));
      ASSERT_TRUE(reduce_all(comm, reduction, values).ok());
      EXPECT_EQ(values, expected);
      EXPECT_EQ(comm.sent(), (Traffic{steps(), steps() * 2 * kElements * 8}));
    });
  }
}

TEST_P(Collectives, ReductionsOfExtremeValues) {
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    EXPECT_EQ(all_min(comm, kHighest).value(), kHighest);
    EXPECT_EQ(all_max(comm, kLowest).value(), kLowest);
    const auto wrapped =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(kHighest) * static_cast<std::uint64_t>(ranks()));
    EXPECT_EQ(all_sum(comm, kHighest).value(), wrapped);
  });
}

TEST_P(Collectives, Scan) {
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    expect_scan(comm);
    EXPECT_EQ(comm.sent().messages, steps_of(ranks()));
  });
}

TEST_P(Collectives, FollowEachOtherWithoutABarrier) {
  run_tested_ranks(ranks(), [&](ThreadComm& comm) {
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(all_sum(comm, round).value(), std::int64_t{round} * ranks());
      std::int64_t from_root = comm.rank() == round % ranks() ? round : -1;
      ASSERT_TRUE(broadcast_value(comm, round % ranks(), from_root).ok());
      EXPECT_EQ(from_root, round);
      EXPECT_EQ(scan_sum(comm, 1).value().before, comm.rank());
    }
  });
}

}  // namespace
}  // namespace weir::comm
