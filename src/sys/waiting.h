// The one way to wait. Every place where weir waits for another thread, process or message goes through a Wait; the
// build checks that nothing else sleeps.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace weir::sys {

// What a thread waits for, in words for people.
struct Step {
  static constexpr int kNoPeer = -1;
  static constexpr std::int64_t kNoRound = -1;
  const char* what = "";  // a literal: "the window of an aggregator"
  int peer = kNoPeer;     // the rank that is waited for, where it is one
  std::int64_t round = kNoRound;
};

// Watch: hears of waits that last.
class Watch {
 public:
  virtual ~Watch() = default;
  // Called about once a second, from the first second of a wait on, by the thread that waits.
  virtual void still_waiting(const Step& step, std::chrono::seconds waited) = 0;
};

// Company: those who depend on a thread while it waits.
class Company {
 public:
  virtual ~Company() = default;

  // Lets messages move, also those that the program itself has sent or expects: the one this thread waits for may be
  // waiting for them. True when something moved and the next call should follow at once. LOCAL; thread-safe; does
  // nothing where the calling thread may not.
  virtual bool progress() { return false; }

  // Whether this thread has started something that moves only while it calls progress(). LOCAL; thread-safe.
  virtual bool busy() const { return false; }

  // Who hears of long waits; may be null.
  virtual Watch* watch() const { return nullptr; }
};

// How often to look and how long to sleep.
struct Patience {
  int looks = 0;                            // before the first sleep
  std::chrono::milliseconds idle_sleep{1};  // the first one, where nothing under way needs the thread sooner

  Patience without_looks() const { return {0, idle_sleep}; }
};

// Where so many threads wait for each other on a node: looks enough to meet one that runs on another core at this
// moment; hardly any where there are more threads than cores, since the one that is waited for needs this core; and
// longer sleeps the more there are, since each that wakes takes a core from one that works (64 ranks on 2 cores that
// each read 2 MiB in one call: 21 ms with first sleeps of 1 ms, 18 with 10).
Patience patience_for(int threads);

// How to wait.
struct Waiting {
  Company* company = nullptr;  // kept moving meanwhile; null: nobody depends on this thread
  Step step = {};
  Patience patience = {};
};

// One wait, from its first look to its end: call pause() after every look that found nothing.
//
// A pause returns at once for a few looks, then sleeps with a bound and keeps the company moving. It never yields:
// beside processes that compute, a yield costs a time slice and a sleep does not (a barrier of 4 ranks on 2 cores
// beside compilers took 15 ms with ten yields before the first sleep, 0.5 ms without).
class Wait {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Wait(const Waiting& how) : how_(how) {}

  // Sleeps until somebody wakes the word's sleepers after changing it from `seen`; not for longer than the company can
  // do without this thread.
  void pause(std::atomic<std::uint32_t>& word, std::uint32_t seen);

  // For what nobody announces (a message): sleeps 20 us at first, a quarter longer each time, `longest` at most. The
  // look itself moves what the company needs.
  void pause(std::chrono::microseconds longest = std::chrono::microseconds(500));

  // Whether the next pause() sleeps.
  bool sleeps() const { return looks_ >= how_.patience.looks; }

  // Something was found, though not the end: the next pause() returns at once again.
  void start_over();

 private:
  std::chrono::nanoseconds bound();
  void keep_company();
  void notice_time();

  Waiting how_;
  int looks_ = 0;
  bool at_once_ = false;  // the company moves: no sleep before the next look
  int moves_ = 0;         // of the company, one after the other
  std::chrono::nanoseconds sleep_{0};
  std::chrono::nanoseconds progress_cost_{0};
  Clock::time_point begin_{};  // set with the first sleep
  std::chrono::seconds told_{0};
};

// Wakes all threads, also of other processes, that pause on the word.
void wake_all(std::atomic<std::uint32_t>& word);
// Wakes one of them.
void wake_one(std::atomic<std::uint32_t>& word);

// Of this machine, as it was when first asked.
int online_cores();

// Between two looks.
void relax();

// LOCAL: the calling thread's time on a core so far. Other processes do not count, however busy the machine.
std::chrono::nanoseconds thread_time();

// Sleeps, for those who cannot be told when to look again (a lock of the file system).
void sleep_for(std::chrono::microseconds duration);

}  // namespace weir::sys
