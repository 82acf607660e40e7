#include "sys/latch.h"

namespace weir::sys {

namespace {

// Both numbers wrap around.
bool is_at_least(std::uint32_t value, std::uint32_t target) { return static_cast<std::int32_t>(value - target) >= 0; }

}  // namespace

void show_to_race_detector() {
#ifdef __SANITIZE_THREAD__
  static std::atomic<int> meetings = 0;
  meetings.fetch_add(1, std::memory_order_acq_rel);
#endif
}

bool Latch::reached(std::uint32_t target) const {
  if (!is_at_least(value_.load(std::memory_order_seq_cst), target)) return false;
  show_to_race_detector();
  return true;
}

// A waiter names its number and then looks at the value; whoever changes the value does so first and then looks for
// waiters. One of the two sees the other.
void Latch::add() {
  show_to_race_detector();
  const std::uint32_t value = value_.fetch_add(1, std::memory_order_seq_cst) + 1;
  if (sleepers_.load(std::memory_order_seq_cst) == 0) return;
  if (is_at_least(value, wake_at_.load(std::memory_order_seq_cst))) wake_all(value_);
}

void Latch::raise_to(std::uint32_t value) {
  show_to_race_detector();
  value_.store(value, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) != 0) wake_all(value_);
}

void Latch::wait_for(std::uint32_t target, const Waiting& how) {
  for (int look = 0; look <= how.patience.looks; ++look) {
    if (reached(target)) return;
    relax();
  }
  wake_at_.store(target, std::memory_order_seq_cst);
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  Wait wait({how.company, how.step, how.patience.without_looks()});
  for (;;) {
    const std::uint32_t seen = value_.load(std::memory_order_seq_cst);
    if (is_at_least(seen, target)) break;
    wait.pause(value_, seen);
  }
  sleepers_.fetch_sub(1, std::memory_order_seq_cst);
  show_to_race_detector();
}

}  // namespace weir::sys
