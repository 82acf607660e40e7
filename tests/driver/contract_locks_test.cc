// What File promises about locks, tried on every driver.
#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include "driver/contract.h"
#include "sys/asleep.h"

namespace weir::driver {
namespace {

using namespace std::chrono_literals;

// True when the lock is not granted while `held` is, and is granted afterwards.
bool waits_for(std::unique_ptr<RangeLock> held, File& file, Extent range, LockKind kind) {
  sys::Sleeper waiter;
  auto attempt = std::async(std::launch::async, [&] {
    waiter.announce();
    return file.lock(range, kind).ok();
  });
  waiter.wait_until_asleep();
  const bool waited = attempt.wait_for(0s) == std::future_status::timeout;
  held.reset();
  return attempt.get() && waited;
}

std::unique_ptr<RangeLock> lock_or_fail(File& file, Extent range, LockKind kind) {
  Result<std::unique_ptr<RangeLock>> lock = file.lock(range, kind);
  EXPECT_TRUE(lock.ok()) << lock.status().text();
  return std::move(lock).value();
}

TEST_P(DriverContract, LocksExcludeOtherOpensAndOwnThreads) {
  std::unique_ptr<File> a = open();
  std::unique_ptr<File> b = open();
  ASSERT_TRUE(a->capabilities().locks);
  for (File* other : {a.get(), b.get()}) {
    for (LockKind kind : {LockKind::kExclusive, LockKind::kShared}) {
      EXPECT_TRUE(waits_for(lock_or_fail(*a, {0, 100}, LockKind::kExclusive), *other, {99, 200}, kind));
    }
    EXPECT_TRUE(waits_for(lock_or_fail(*a, {0, 100}, LockKind::kShared), *other, {50, 60}, LockKind::kExclusive));
  }
}

TEST_P(DriverContract, LocksOfOtherOpensAreSeen) {
  std::unique_ptr<File> a = open();
  std::unique_ptr<File> b = open();
  auto lock = lock_or_fail(*a, {10, 20}, LockKind::kShared);
  EXPECT_TRUE(b->locked_by_other({19, 30}).value());
  EXPECT_FALSE(b->locked_by_other({20, 30}).value());
  EXPECT_FALSE(b->locked_by_other({5, 5}).value());
  EXPECT_FALSE(a->locked_by_other({0, 100}).value()) << "one's own lock is not another's";
  lock.reset();
  EXPECT_FALSE(b->locked_by_other({0, 100}).value());
}

TEST_P(DriverContract, LocksThatDoNotConflictAreGrantedTogether) {
  std::unique_ptr<File> a = open();
  std::unique_ptr<File> b = open();
  auto exclusive = lock_or_fail(*a, {0, 100}, LockKind::kExclusive);
  auto neighbour = lock_or_fail(*b, {100, 200}, LockKind::kExclusive);
  auto shared = lock_or_fail(*a, {300, 400}, LockKind::kShared);
  auto also_shared = lock_or_fail(*b, {350, 450}, LockKind::kShared);
  auto nothing = lock_or_fail(*b, {50, 50}, LockKind::kExclusive);
}

// Both shared locks belong to one open file, which the operating system cannot tell apart: giving the first back must
// not give up the part the second still holds.
TEST_P(DriverContract, ReleasingOneSharedLockKeepsTheOther) {
  std::unique_ptr<File> a = open();
  std::unique_ptr<File> b = open();
  auto first = lock_or_fail(*a, {0, 100}, LockKind::kShared);
  auto second = lock_or_fail(*a, {50, 150}, LockKind::kShared);
  first.reset();
  auto freed = lock_or_fail(*b, {0, 50}, LockKind::kExclusive);
  EXPECT_TRUE(waits_for(std::move(second), *b, {60, 70}, LockKind::kExclusive));
}

TEST_P(DriverContract, LockedReadModifyWritesLoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 100;
  std::unique_ptr<File> shared = open();
  write_or_fail(*shared, 0, Bytes(8));
  auto increment = [](File& file) {
    auto lock = lock_or_fail(file, {0, 8}, LockKind::kExclusive);
    std::int64_t value = 0;
    IoRequest request = {0, reinterpret_cast<std::byte*>(&value), 8};
    EXPECT_EQ(file.transfer(Direction::kRead, {&request, 1}).bytes_moved, 8);
    ++value;
    EXPECT_EQ(file.transfer(Direction::kWrite, {&request, 1}).bytes_moved, 8);
  };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        std::unique_ptr<File> own = t % 2 == 0 ? open(kReadWrite) : nullptr;
        for (int i = 0; i < kRounds; ++i) increment(own ? *own : *shared);
      });
    }
  }
  std::int64_t total = 0;
  IoRequest request = {0, reinterpret_cast<std::byte*>(&total), 8};
  EXPECT_EQ(shared->transfer(Direction::kRead, {&request, 1}).bytes_moved, 8);
  EXPECT_EQ(total, kThreads * kRounds);
}

}  // namespace
}  // namespace weir::driver
