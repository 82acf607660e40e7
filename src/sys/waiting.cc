#include "sys/waiting.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>

namespace weir::sys {

namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "processes meet in this word without sharing a lock");

// Transfers under way need this thread often; the program's own messages may need it now and then.
constexpr nanoseconds kFirstBusySleep = 50us;
constexpr nanoseconds kLongestBusySleep = 500us;
constexpr nanoseconds kLongestIdleSleep = 10ms;
// Where a look at the company takes long (the host gives the core away), it is taken for a fifth of the time at most.
constexpr int kShareOfLooks = 4;
constexpr nanoseconds kLongestOfAll = 200ms;
// Without company, a sleep ends only to notice the time.
constexpr nanoseconds kAlone = 1s;
constexpr nanoseconds kFirstPollSleep = 20us;
// However much the company moves, the thread looks for what it waits for in between.
constexpr int kMostMoves = 64;

timespec timespec_of(nanoseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {seconds.count(), (duration - seconds).count()};
}

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* longest) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, longest, nullptr, 0);
}

void sleep_on_clock(nanoseconds duration) {
  const timespec time = timespec_of(duration);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

}  // namespace

void Wait::pause(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  if (looks_ < how_.patience.looks) {
    ++looks_;
    return relax();
  }
  if (!at_once_) {
    const timespec longest = timespec_of(bound());
    futex(word, FUTEX_WAIT, seen, &longest);
    notice_time();
  }
  if (word.load(std::memory_order_acquire) == seen) keep_company();
}

void Wait::pause(std::chrono::microseconds longest) {
  if (looks_ < how_.patience.looks) {
    ++looks_;
    return relax();
  }
  if (begin_ == Clock::time_point{}) begin_ = Clock::now();
  sleep_ = sleep_ == 0ns ? kFirstPollSleep : std::min<nanoseconds>(sleep_ * 5 / 4, longest);
  sleep_on_clock(sleep_);
  notice_time();
}

void Wait::start_over() {
  looks_ = 0;
  sleep_ = 0ns;
}

// How long the company can do without this thread.
nanoseconds Wait::bound() {
  if (begin_ == Clock::time_point{}) begin_ = Clock::now();
  if (how_.company == nullptr) return kAlone;
  const bool busy = how_.company->busy();
  const nanoseconds first = busy ? kFirstBusySleep : how_.patience.idle_sleep;
  const nanoseconds longest = busy ? kLongestBusySleep : kLongestIdleSleep;
  sleep_ = std::clamp(2 * sleep_, first, longest);
  return std::max(sleep_, std::min(kShareOfLooks * progress_cost_, kLongestOfAll));
}

void Wait::keep_company() {
  if (how_.company == nullptr) return;
  const auto begin = Clock::now();
  const bool moved = how_.company->progress();
  progress_cost_ = Clock::now() - begin;
  moves_ = moved ? moves_ + 1 : 0;
  at_once_ = moved && moves_ < kMostMoves;
  if (!moved) return;
  how_.patience.idle_sleep = Patience().idle_sleep;  // a message that moves in parts has more of them, soon
  sleep_ = 0ns;
  if (!at_once_) moves_ = 0;
}

void Wait::notice_time() {
  Watch* const watch = how_.company != nullptr ? how_.company->watch() : nullptr;
  if (watch == nullptr) return;
  const auto waited = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_);
  if (waited <= told_) return;
  told_ = waited;
  watch->still_waiting(how_.step, waited);
}

void wake_all(std::atomic<std::uint32_t>& word) { futex(word, FUTEX_WAKE, INT_MAX, nullptr); }

void wake_one(std::atomic<std::uint32_t>& word) { futex(word, FUTEX_WAKE, 1, nullptr); }

int online_cores() {
  static const int cores = std::max(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)), 1);
  return cores;
}

Patience patience_for(int threads) {
  constexpr int kLooksWithCoresForAll = 400;
  constexpr int kLooksWithTooFewCores = 20;
  if (threads <= online_cores()) return {kLooksWithCoresForAll};
  const auto longest = std::chrono::duration_cast<std::chrono::milliseconds>(kLongestIdleSleep);
  const std::chrono::milliseconds half_the_crowd(threads / online_cores() / 2);
  return {kLooksWithTooFewCores, std::clamp(half_the_crowd, std::chrono::milliseconds(1), longest)};
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

nanoseconds thread_time() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

void sleep_for(std::chrono::microseconds duration) { sleep_on_clock(duration); }

}  // namespace weir::sys
