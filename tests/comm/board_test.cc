#include "comm/board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "comm/agree.h"
#include "comm/collectives.h"
#include "comm/places.h"
#include "comm/ranks.h"
#include "comm/scan.h"

namespace weir::comm {
namespace {

// Runs `body` on every rank of every place, with a board.
void run_at_boards(const std::function<void(ThreadComm&, int nodes)>& body) {
  for (const std::vector<int>& node_of : places()) {
    SCOPED_TRACE(text_of_place(node_of));
    const ThreadGroup group(Topology{node_of}, tested_delivery());
    run_tested_ranks(static_cast<int>(node_of.size()), [&](ThreadComm& channel) {
      const auto comm = group.comm(channel.rank());
      auto memory = SharedMemory::create(*comm, Board::bytes_for(comm->topology()));
      ASSERT_TRUE(memory.ok()) << memory.status().text();
      const auto shared = std::make_shared<SharedMemory>(std::move(memory).value());
      comm->use_board(std::make_shared<Board>(shared, 0, comm->topology(), comm->rank()));
      const Traffic before = comm->sent();
      const int nodes = comm->topology().node_count();
      body(*comm, nodes);
      const int node = comm->topology().node_of[static_cast<std::size_t>(comm->rank())];
      const bool speaks = nodes > 1 && comm->topology().ranks_of(node).front() == comm->rank();
      if (!speaks) {
        EXPECT_EQ(comm->sent(), before) << "rank " << comm->rank();
      }
    });
  }
}

TEST(Board, GathersEverybodysBlockInRankOrder) {
  run_at_boards([](ThreadComm& comm, int nodes) {
    for (std::int64_t turn = 0; turn < 5; ++turn) {
      const std::int64_t before = comm.sent().messages;
      const auto all = all_gather_values(comm, 100 * turn + comm.rank());
      ASSERT_TRUE(all.ok());
      for (std::int64_t rank = 0; rank < comm.size(); ++rank) {
        EXPECT_EQ(all.value()[static_cast<std::size_t>(rank)], 100 * turn + rank);
      }
      EXPECT_LE(comm.sent().messages - before, steps_of(nodes));
    }
  });
}

TEST(Board, GathersABlockOfEachNode) {
  struct Block {
    std::int64_t first;
    std::int64_t ranks;
  };
  const auto combine = [](std::span<std::byte> into, std::span<const std::byte> from) {
    reinterpret_cast<Block*>(into.data())->ranks += reinterpret_cast<const Block*>(from.data())->ranks;
  };
  run_at_boards([&](ThreadComm& comm, int nodes) {
    const Block mine{comm.rank(), 1};
    std::vector<Block> all(static_cast<std::size_t>(nodes));
    const auto bytes = std::as_writable_bytes(std::span(all));
    ASSERT_TRUE(gather_by_node(comm, std::as_bytes(std::span(&mine, 1)), combine, bytes).ok());
    for (int node = 0; node < nodes; ++node) {
      const std::vector<int> ranks = comm.topology().ranks_of(node);
      EXPECT_EQ(all[static_cast<std::size_t>(node)].first, ranks.front());
      EXPECT_EQ(all[static_cast<std::size_t>(node)].ranks, std::ssize(ranks));
    }
  });
}

TEST(Board, Reduces) {
  run_at_boards([](ThreadComm& comm, int) {
    const std::int64_t ranks = comm.size();
    std::int64_t sums[] = {comm.rank(), 1};
    ASSERT_TRUE(reduce_all(comm, Reduction::kSum, sums).ok());
    EXPECT_EQ(sums[0], ranks * (ranks - 1) / 2);
    EXPECT_EQ(sums[1], ranks);
    EXPECT_EQ(all_min(comm, 5 - comm.rank()).value(), 6 - ranks);
    EXPECT_EQ(all_max(comm, comm.rank()).value(), ranks - 1);
    EXPECT_TRUE(barrier(comm).ok());
  });
}

// One number of each node is told where its ranks follow each other, else one of each rank.
TEST(Board, Scans) {
  run_at_boards([](ThreadComm& comm, int nodes) {
    for (int turn = 0; turn < 3; ++turn) {
      const Traffic before = comm.sent();
      expect_scan(comm);
      const std::vector<int>& node_of = comm.topology().node_of;
      const int numbers = std::ranges::is_sorted(node_of) ? nodes - 1 : comm.size() - 1;
      EXPECT_LE(comm.sent().messages - before.messages, steps_of(nodes));
      EXPECT_LE(comm.sent().bytes - before.bytes, numbers * std::int64_t{sizeof(std::int64_t)});
    }
  });
}

TEST(Board, BroadcastsFromEveryRank) {
  run_at_boards([](ThreadComm& comm, int) {
    for (int root = 0; root < comm.size(); ++root) {
      std::int64_t value = comm.rank() == root ? 1000 + root : -1;
      ASSERT_TRUE(broadcast_value(comm, root, value).ok());
      EXPECT_EQ(value, 1000 + root);
    }
  });
}

TEST(Board, AgreesOnTheFailureOfTheLowestRank) {
  run_at_boards([](ThreadComm& comm, int) {
    EXPECT_TRUE(agree(comm, {}).ok());
    const bool fails = comm.rank() >= comm.size() / 2;
    const Status agreed = agree(comm, fails ? Status(ErrorClass::kNoSpace, "full") : Status());
    EXPECT_EQ(agreed.error_class(), ErrorClass::kNoSpace);
    EXPECT_EQ(agreed.text(), "full (on rank " + std::to_string(comm.size() / 2) + ")");
  });
}

TEST(Board, GathersUnlessTheValuesSettleIt) {
  run_at_boards([](ThreadComm& comm, int nodes) {
    for (const std::int64_t least : {0, 1, 0, 1, 1}) {
      const std::int64_t before = comm.sent().messages;
      std::int64_t values[] = {comm.rank() + least, -comm.rank()};
      const std::int64_t mine = 7 * comm.rank();
      const auto settled = [&] { return values[0] == 0; };
      const auto all = gather_unless(comm, values, settled, std::as_bytes(std::span(&mine, 1)));
      ASSERT_TRUE(all.ok());
      EXPECT_EQ(values[0], least);
      EXPECT_EQ(values[1], 1 - comm.size());
      EXPECT_EQ(all.value().size(), least == 0 ? 0 : sizeof(mine) * static_cast<std::size_t>(comm.size()));
      const auto* gathered = reinterpret_cast<const std::int64_t*>(all.value().data());
      for (int rank = 0; least != 0 && rank < comm.size(); ++rank) EXPECT_EQ(gathered[rank], 7 * rank);
      EXPECT_LE(comm.sent().messages - before, (1 + least) * steps_of(nodes));
    }
  });
}

TEST(Board, TakesBlocksUpToItsLimit) {
  run_at_boards([](ThreadComm& comm, int) {
    std::vector<std::byte> mine(Board::kGatheredBytes, static_cast<std::byte>(comm.rank()));
    std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(comm.size()));
    ASSERT_TRUE(all_gather(comm, mine, all).ok());
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<std::byte>(i / mine.size()));
  });
}

}  // namespace
}  // namespace weir::comm
