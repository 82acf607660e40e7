#include "sys/shared_lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace weir::sys {
namespace {

// With looks and without, which is the way of those who sleep.
TEST(SharedLock, LetsOneInAtATime) {
  for (const int looks : {0, 5}) {
    SharedLock lock{};
    std::int64_t counted = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] {
        for (int turn = 0; turn < 2000; ++turn) {
          const SharedLockGuard guard(lock, {nullptr, {"a test"}, {looks}});
          const std::int64_t seen = counted;
          if (turn % 64 == 0) relax();
          counted = seen + 1;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(counted, 8 * 2000);
  }
}

// Whoever waits keeps its company moving.
TEST(SharedLock, KeepsCompany) {
  struct Counting final : Company {
    bool progress() override {
      ++looks;
      return false;
    }
    std::atomic<int> looks = 0;
  } company;
  SharedLock lock{};
  lock.lock({});
  std::thread waiter([&] { const SharedLockGuard guard(lock, {&company, {"a test"}}); });
  while (company.looks < 3) sleep_for(std::chrono::milliseconds(1));
  lock.unlock();
  waiter.join();
}

}  // namespace
}  // namespace weir::sys
