// Seat: where one rank works in a block without the lock of the block's set.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "sys/shared_lock.h"

namespace weir::agent {

// In memory that the ranks of a node share; empty when that is new (zero). Its rank holds the lock for each access in
// the block. Others take it only to have the rank out of a block, so that its line stays where the rank runs.
class alignas(64) Seat {
 public:
  static constexpr std::int64_t kNone = 0;  // the name of no block

  sys::SharedLock lock;

  // For the seat's rank; all REQUIRE the lock.
  bool is_in(std::int64_t name) const { return name_.load(std::memory_order_relaxed) == name; }
  // Whether this is the block that the rank came to the last time, too.
  bool comes_again(std::int64_t name) { return std::exchange(last_, name) == name; }
  // REQUIRES the lock of the block's set, and is_in(kNone).
  void take(std::int64_t name) { name_.store(name, std::memory_order_relaxed); }
  void count_written(std::int64_t bytes) { written_ += bytes; }
  // The bytes that were counted. None where the rank was asked out; else the block is held until the lock is given up.
  std::int64_t leave() {
    name_.store(kNone, std::memory_order_release);
    return std::exchange(written_, 0);
  }

  // For whoever has the lock of a block's set: the rank is not in the block, and comes back by its set only.
  void ask_out(std::int64_t name, const sys::Waiting& how) {
    if (name_.load(std::memory_order_acquire) != name) return;
    name_.store(kNone, std::memory_order_relaxed);  // at once: a rank that never rests would come back meanwhile
    const sys::SharedLockGuard guard(lock, how);
    if (is_in(kNone)) written_ = 0;
  }

  // Where the last byte ends that the rank has written; anybody may ask, without the lock.
  std::int64_t end() const { return end_.load(std::memory_order_acquire); }
  void raise_end(std::int64_t end) {
    if (end > end_.load(std::memory_order_relaxed)) end_.store(end, std::memory_order_release);
  }
  void forget_end() { end_.store(0, std::memory_order_release); }

 private:
  std::atomic<std::int64_t> name_;  // of the block that the rank is in
  std::int64_t written_;            // bytes, in that block; its head does not count them yet
  std::int64_t last_;               // the block that the rank came to by its set
  std::atomic<std::int64_t> end_;
};

}  // namespace weir::agent
