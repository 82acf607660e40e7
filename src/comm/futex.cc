#include "comm/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace weir::comm {

namespace {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "processes meet in this word without sharing a lock");

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* longest = nullptr) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, longest, nullptr, 0);
}

}  // namespace

int looks_for(int ranks) {
  constexpr int kWithCoresForAll = 400;
  constexpr int kWithTooFewCores = 20;
  return ranks <= sysconf(_SC_NPROCESSORS_ONLN) ? kWithCoresForAll : kWithTooFewCores;
}

void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value) { futex(word, FUTEX_WAIT, value); }

void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value, std::chrono::milliseconds longest) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  const std::chrono::nanoseconds rest = longest - seconds;
  const timespec time = {seconds.count(), rest.count()};
  futex(word, FUTEX_WAIT, value, &time);
}

void wake_all(std::atomic<std::uint32_t>& word) { futex(word, FUTEX_WAKE, INT_MAX); }

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void show_to_race_detector() {
#ifdef __SANITIZE_THREAD__
  static std::atomic<int> meetings = 0;
  meetings.fetch_add(1, std::memory_order_acq_rel);
#endif
}

bool Latch::reached(std::uint32_t target) const {
  return static_cast<std::int32_t>(value_.load(std::memory_order_seq_cst) - target) >= 0;
}

// A waiter names its number and then looks at the value; whoever changes the value does so first and then looks for
// waiters. One of the two sees the other.
void Latch::add() {
  show_to_race_detector();
  const std::uint32_t value = value_.fetch_add(1, std::memory_order_seq_cst) + 1;
  if (sleepers_.load(std::memory_order_seq_cst) == 0) return;
  if (static_cast<std::int32_t>(value - wake_at_.load(std::memory_order_seq_cst)) >= 0) wake_all(value_);
}

void Latch::raise_to(std::uint32_t value) {
  show_to_race_detector();
  value_.store(value, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) != 0) wake_all(value_);
}

void Latch::wait_for(std::uint32_t target, int looks) {
  for (int look = 0; look < looks; ++look) {
    if (reached(target)) return show_to_race_detector();
    relax();
  }
  sleep_until(target);
  show_to_race_detector();
}

void Latch::sleep_until(std::uint32_t target) {
  wake_at_.store(target, std::memory_order_seq_cst);
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  while (!reached(target)) {
    const std::uint32_t seen = value_.load(std::memory_order_seq_cst);
    if (static_cast<std::int32_t>(seen - target) < 0) sleep_while(value_, seen);
  }
  sleepers_.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace weir::comm
