// Latch: a word that other processes of the node change, and that a rank can wait for.
#pragma once

#include <atomic>
#include <cstdint>

#include "sys/waiting.h"

namespace weir::sys {

// A number that only grows (and wraps around), in memory that several ranks share; zero when the memory is new.
// A rank that waits looks a few times and then sleeps: more ranks than cores is a normal case. Who raises it looks at
// it once more after the waiters may go on: it outlives both.
class alignas(64) Latch {
 public:
  // Adds one; wakes a waiter whose number is reached.
  void add();
  // Sets it, and wakes all waiters. REQUIRES: not below the present value; only one rank at a time.
  void raise_to(std::uint32_t value);
  // Returns once the number is `target` or beyond. Several ranks may wait, for add() all for the same target.
  void wait_for(std::uint32_t target, const Waiting& how = {});
  // LOCAL: whether wait_for() would return at once.
  bool reached(std::uint32_t target) const;

 private:
  std::atomic<std::uint32_t> value_;
  std::atomic<std::uint32_t> sleepers_;
  std::atomic<std::uint32_t> wake_at_;
};

// The race detector does not know that two mappings are one memory: it is shown a word that all ranks as threads have.
void show_to_race_detector();

}  // namespace weir::sys
