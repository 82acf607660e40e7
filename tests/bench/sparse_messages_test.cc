// The GPFS paper's sparse access: of the workload `sparse`, with every rank an aggregator and one stripe to a window as
// there, only pairs with bytes exchange messages; a dense exchange has one for every pair and window.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "bench/workload_support.h"
#include "exec/engine_run.h"

namespace bench {
namespace {

namespace exec = weir::exec;
using weir::Direction;
using weir::driver::Bytes;

constexpr std::int64_t kBlock = 16 << 10;
constexpr std::int64_t kOwnBlocks = 3;

struct Task {
  std::vector<std::int64_t> offsets;
  weir::layout::FileView view(std::int64_t file_bytes) const {
    const std::vector<std::int64_t> lengths(offsets.size(), kBlock);
    return {0, 1, weir::layout::Layout::blocks(offsets, lengths), file_bytes};
  }
};

// Of a workload with `ranks` tasks.
class Case {
 public:
  Case(int ranks, int sparsity) : ranks_(ranks), stripe_(ranks * kBlock) {
    const Settled workload = settled("sparse:sparsity=" + std::to_string(sparsity), ranks, kOwnBlocks * stripe_);
    for (int rank = 0; rank < ranks; ++rank) {
      const Share share = share_of(workload, rank);
      file_bytes_ = share.file_bytes;
      Task& task = tasks_.emplace_back();
      for_each_piece(share.accesses[0].file, 0,
                     [&](std::int64_t position, std::int64_t) { task.offsets.push_back(position); });
    }
  }

  // Blocks in stripes of other ranks' windows.
  std::int64_t messages_with_bytes() const {
    std::int64_t messages = 0;
    for (int rank = 0; rank < ranks_; ++rank) {
      for (const std::int64_t offset : task(rank).offsets) messages += offset / stripe_ % ranks_ != rank ? 1 : 0;
    }
    return messages;
  }
  // A window for every stripe from the first to the last that has a block.
  std::int64_t messages_of_all_pairs() const {
    std::set<std::int64_t> stripes;
    for (const Task& task : tasks_) {
      for (const std::int64_t offset : task.offsets) stripes.insert(offset / stripe_);
    }
    return (*stripes.rbegin() - *stripes.begin() + 1) * (ranks_ - 1);
  }

  // What one access sends, with every byte checked.
  std::int64_t messages(Direction direction, const std::string& sparse) const {
    weir::driver::MemoryDriver driver({.storage = {.lock_bytes = stripe_, .file_system = "memory"}});
    if (direction == Direction::kRead) run(driver, Direction::kWrite, "true");
    return run(driver, direction, sparse);
  }

 private:
  const Task& task(int rank) const { return tasks_[static_cast<std::size_t>(rank)]; }

  std::int64_t run(weir::driver::MemoryDriver& driver, Direction direction, const std::string& sparse) const {
    const weir::hints::Pairs wishes = {{"weir_domains", "static_cyclic"},
                                       {"weir_exchange", "direct"},
                                       {"cb_nodes", std::to_string(ranks_)},
                                       {"cb_buffer_size", std::to_string(stripe_)},
                                       {"IBM_sparse_access", sparse}};
    std::int64_t sent = 0;
    exec::run_engine(ranks_, 1, wishes, driver, [&](exec::Rank& rank, exec::OpenFile& file) {
      EXPECT_TRUE(file.set_view({}, task(rank.number()).view(file_bytes_), 1).ok());
      const Bytes mine = weir::driver::pattern(kOwnBlocks * kBlock, rank.number());
      Bytes bytes = direction == Direction::kWrite ? mine : Bytes(mine.size());
      exec::access(file, direction, bytes);
      EXPECT_EQ(bytes, mine);
      const exec::Counts counts = exec::counts_of(file);
      if (rank.number() == 0) sent = counts.messages();
    });
    check_file(driver);
    return sent;
  }

  void check_file(weir::driver::MemoryDriver& driver) const {
    const Bytes found = driver.contents("f").value();
    Bytes expected(found.size());
    for (int rank = 0; rank < ranks_; ++rank) {
      const Bytes bytes = weir::driver::pattern(kOwnBlocks * kBlock, rank);
      auto next = bytes.begin();
      for (const std::int64_t offset : task(rank).offsets) {
        std::copy_n(next, kBlock, expected.begin() + offset);
        next += kBlock;
      }
    }
    EXPECT_TRUE(found == expected);
  }

  int ranks_;
  std::int64_t stripe_;
  std::int64_t file_bytes_ = 0;
  std::vector<Task> tasks_;
};

TEST(SparseAccess, SendsFewerMessagesThanADenseExchangeUnlessAllPairsHaveBytes) {
  for (const int ranks : {2, 4, 16}) {
    for (const int sparsity : {100, 50, 25, 10, 1}) {
      const Case tasks(ranks, sparsity);
      for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
        const std::int64_t sparse = tasks.messages(direction, "true");
        const std::int64_t dense = tasks.messages(direction, "false");
        const std::string text = std::to_string(ranks) + " tasks, sparsity " + std::to_string(sparsity);
        EXPECT_EQ(sparse, tasks.messages_with_bytes()) << text;
        EXPECT_EQ(dense, tasks.messages_of_all_pairs()) << text;
        if (sparsity == 100) {
          EXPECT_EQ(sparse, dense) << text;
        } else {
          EXPECT_LT(sparse, dense) << text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace bench
