#include "sys/latch.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace weir::sys {
namespace {

// More than the machine has cores.
constexpr int kThreads = 8;
constexpr int kRounds = 500;

std::unique_ptr<sys::Latch> new_latch() { return std::make_unique<sys::Latch>(); }

// As if it had been counted up to `value`.
void bring_to(Latch& latch, std::uint32_t value) {
  latch.raise_to(value / 2);
  latch.raise_to(value);
}

TEST(Latch, WhatIsReachedIsNotWaitedFor) {
  auto latch = new_latch();
  latch->wait_for(0);
  latch->add();
  latch->add();
  latch->wait_for(0);
  latch->wait_for(1);
  latch->wait_for(2);
  latch->raise_to(10);
  latch->wait_for(10);
  latch->wait_for(3);
}

TEST(Latch, AWaiterSeesAllThatWasWrittenBeforeTheLastAdd) {
  auto latch = new_latch();
  auto done = new_latch();
  std::vector<int> written(kThreads, -1);
  std::vector<std::jthread> writers;
  for (int i = 0; i < kThreads; ++i) {
    writers.emplace_back([&, i] {
      for (int round = 0; round < kRounds; ++round) {
        written[static_cast<std::size_t>(i)] = round;
        latch->add();
        done->wait_for(static_cast<std::uint32_t>(round + 1));
      }
    });
  }
  for (int round = 0; round < kRounds; ++round) {
    latch->wait_for(static_cast<std::uint32_t>(kThreads * (round + 1)));
    for (const int value : written) ASSERT_EQ(value, round);
    done->raise_to(static_cast<std::uint32_t>(round + 1));
  }
}

TEST(Latch, RaisingWakesWaitersForDifferentNumbers) {
  auto latch = new_latch();
  std::vector<std::jthread> waiters;
  for (std::uint32_t target = 1; target <= kThreads; ++target) {
    waiters.emplace_back([&latch, target] {
      for (std::uint32_t at = target; at <= kRounds; at += kThreads) latch->wait_for(at);
    });
  }
  for (std::uint32_t value = 1; value <= kRounds; value += 1 + value % 5) latch->raise_to(value);
  latch->raise_to(kRounds);
}

// Threads that count in turn, through the greatest number: nobody is let through early or left behind.
TEST(Latch, CountsThroughTheGreatestNumber) {
  constexpr std::uint32_t kFirst = 0U - kRounds / 2;
  auto latch = new_latch();
  bring_to(*latch, kFirst);
  int counted = 0;  // guarded by the turns
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int turn = i; turn < kRounds; turn += kThreads) {
        latch->wait_for(kFirst + static_cast<std::uint32_t>(turn));
        EXPECT_EQ(counted, turn);
        ++counted;
        latch->raise_to(kFirst + static_cast<std::uint32_t>(turn) + 1);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(counted, kRounds);
}

TEST(Latch, AddsThroughTheGreatestNumber) {
  constexpr std::uint32_t kFirst = 0U - 3;
  auto latch = new_latch();
  bring_to(*latch, kFirst);
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&latch] { latch->add(); });
  latch->wait_for(kFirst + kThreads);
}

}  // namespace
}  // namespace weir::sys
