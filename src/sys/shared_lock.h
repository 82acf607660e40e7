// SharedLock: keeps ranks of a node apart, in memory that they share.
#pragma once

#include <atomic>
#include <cstdint>

#include "sys/waiting.h"

namespace weir::sys {

// Free when its memory is new (zero). Whoever waits looks a few times and then sleeps. Not recursive. A process that
// ends while it holds the lock takes it along: hold it for work that ends.
class SharedLock {
 public:
  void lock(const Waiting& how);
  bool try_lock();
  void unlock();

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kSleptFor = 2;  // held, and somebody sleeps until it is free

  std::atomic<std::uint32_t> state_;
};

// Holds a lock as long as it lives.
class SharedLockGuard {
 public:
  SharedLockGuard(SharedLock& lock, const Waiting& how) : lock_(lock) { lock_.lock(how); }
  ~SharedLockGuard() { lock_.unlock(); }
  SharedLockGuard(const SharedLockGuard&) = delete;
  SharedLockGuard& operator=(const SharedLockGuard&) = delete;

 private:
  SharedLock& lock_;
};

}  // namespace weir::sys
