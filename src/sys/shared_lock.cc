#include "sys/shared_lock.h"

#include "sys/latch.h"

namespace weir::sys {

void SharedLock::lock(const Waiting& how) {
  for (int look = 0; look <= how.patience.looks; ++look) {
    std::uint32_t free = kFree;
    if (state_.compare_exchange_weak(free, kHeld, std::memory_order_acquire)) return show_to_race_detector();
    relax();
  }
  // Who has slept cannot know whether others sleep still: it takes the lock as if they did.
  Wait wait({how.company, how.step, how.patience.without_looks()});
  while (state_.exchange(kSleptFor, std::memory_order_acquire) != kFree) wait.pause(state_, kSleptFor);
  show_to_race_detector();
}

bool SharedLock::try_lock() {
  std::uint32_t free = kFree;
  if (!state_.compare_exchange_strong(free, kHeld, std::memory_order_acquire)) return false;
  show_to_race_detector();
  return true;
}

void SharedLock::unlock() {
  show_to_race_detector();
  if (state_.exchange(kFree, std::memory_order_release) == kSleptFor) wake_one(state_);
}

}  // namespace weir::sys
