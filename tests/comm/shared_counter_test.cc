#include "comm/shared_counter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "comm/collectives.h"
#include "comm/ranks.h"

namespace weir::comm {
namespace {

// Runs `body` on every rank with a counter of the kind that the topology asks for.
void with_counter(int ranks, int ranks_per_node, const std::function<void(ThreadComm&, SharedCounter&)>& body) {
  const LineGroups line = tested_line(ranks, ranks_per_node);
  run_tested_ranks(ranks, ranks_per_node, [&](ThreadComm& comm) {
    auto counter = make_shared_counter(comm, line.of(comm.rank()));
    ASSERT_TRUE(counter.ok()) << counter.status().text();
    body(comm, *counter.value());
    EXPECT_TRUE(counter.value()->close().ok());
  });
}

struct Shape {
  int ranks;
  int ranks_per_node;  // 0: all on one node
};

class Counter : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Counter,
                         testing::Values(Shape{1, 0}, Shape{2, 0}, Shape{7, 0}, Shape{32, 0}, Shape{2, 1}, Shape{7, 2},
                                         Shape{16, 4}, Shape{64, 8}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.ranks) + "ranks_" +
                                  std::to_string(shape.param.ranks_per_node) + "per_node";
                         });

// Every value between 0 and the total is handed out exactly once.
TEST_P(Counter, UnderContentionNoValueIsLostOrGivenTwice) {
  const auto [ranks, ranks_per_node] = GetParam();
  constexpr int kRounds = 100;
  std::vector<std::atomic<int>> given(static_cast<std::size_t>(ranks * kRounds));
  with_counter(ranks, ranks_per_node, [&](ThreadComm& comm, SharedCounter& counter) {
    std::int64_t previous = -1;
    for (int round = 0; round < kRounds; ++round) {
      const auto value = counter.fetch_add(1);
      ASSERT_TRUE(value.ok());
      EXPECT_GT(value.value(), previous);
      previous = value.value();
      ++given.at(static_cast<std::size_t>(value.value()));
    }
    ASSERT_TRUE(barrier(comm).ok());
    EXPECT_EQ(counter.load().value(), comm.size() * kRounds);
  });
  for (const auto& times : given) EXPECT_EQ(times.load(), 1);
}

TEST_P(Counter, WhatOneRankStoresAllLoad) {
  with_counter(GetParam().ranks, GetParam().ranks_per_node, [](ThreadComm& comm, SharedCounter& counter) {
    EXPECT_EQ(counter.load().value(), 0);
    for (int storing = 0; storing < comm.size(); storing += 3) {
      ASSERT_TRUE(barrier(comm).ok());
      if (comm.rank() == storing) {
        EXPECT_TRUE(counter.store((std::int64_t{1} << 40) + storing).ok());
      }
      ASSERT_TRUE(barrier(comm).ok());
      EXPECT_EQ(counter.load().value(), (std::int64_t{1} << 40) + storing);
    }
  });
}

TEST(AskedCounter, SeveralThreadsOfARankMayUseIt) {
  with_counter(3, 1, [](ThreadComm& comm, SharedCounter& counter) {
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&counter] {
          for (int round = 0; round < 50; ++round) EXPECT_TRUE(counter.fetch_add(2).ok());
        });
      }
    }
    ASSERT_TRUE(barrier(comm).ok());
    EXPECT_EQ(counter.load().value(), 3 * 4 * 50 * 2);
  });
}

TEST(AskedCounter, CostsOneAgreement) {
  std::atomic<std::int64_t> messages = 0;
  const LineGroups line = tested_line(8, 2);
  run_tested_ranks(8, 2, [&](ThreadComm& comm) {
    auto counter = make_shared_counter(comm, line.of(comm.rank()));
    ASSERT_TRUE(counter.ok());
    messages += comm.sent().messages;
    EXPECT_TRUE(counter.value()->close().ok());
  });
  EXPECT_EQ(messages, 2 * (8 - 4) + 4 * steps_of(4));
}

// Rank 0's service has started by then unless the rank is 0.
TEST(AskedCounter, ARankWithoutMemoryIsAFailureOfAll) {
  for (int without = 0; without < 4; ++without) {
    const LineGroups line = tested_line(4, 2);
    run_tested_ranks(4, 2, [&](ThreadComm& comm) {
      const auto make_line = [&] {
        if (comm.rank() == without) throw std::bad_alloc();
        return line.of(comm.rank())();
      };
      EXPECT_EQ(make_shared_counter(comm, make_line).status().error_class(), ErrorClass::kNoMemory);
    });
  }
}

TEST(NodeCounter, NeedsNoLine) {
  run_tested_ranks(4, [&](ThreadComm& comm) {
    auto counter = make_shared_counter(comm, nullptr);
    ASSERT_TRUE(counter.ok());
    EXPECT_TRUE(counter.value()->fetch_add(5).ok());
    ASSERT_TRUE(barrier(comm).ok());
    EXPECT_EQ(counter.value()->load().value(), 20);
    EXPECT_TRUE(counter.value()->close().ok());
  });
}

}  // namespace
}  // namespace weir::comm
