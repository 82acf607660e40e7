#include "comm/hand_in.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "comm/ranks.h"

namespace weir::comm {
namespace {

// None, some, and more than a chunk.
std::vector<std::byte> blob_of(int rank) {
  return std::vector<std::byte>(static_cast<std::size_t>(rank) * 9000, static_cast<std::byte>(rank));
}

TEST(HandIn, RankZeroTakesTheBlobsInRankOrder) {
  for (const int ranks : {1, 2, 3, 7}) {
    run_tested_ranks(ranks, 2, [&](ThreadComm& comm) {
      std::map<int, std::vector<std::byte>> taken;
      int last = 0;
      const Status status = hand_in(comm, blob_of(comm.rank()), [&](int rank, std::span<const std::byte> chunk) {
        EXPECT_GE(rank, last);
        last = rank;
        taken[rank].insert(taken[rank].end(), chunk.begin(), chunk.end());
      });
      EXPECT_TRUE(status.ok());
      if (comm.rank() != 0) {
        EXPECT_TRUE(taken.empty());
        return;
      }
      for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(taken[rank], blob_of(rank)) << rank;
    });
  }
}

}  // namespace
}  // namespace weir::comm
