// Waiter: how to wait for something that has to be looked at again and again (an MPI request, a flag).
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace weir::comm {

// Call pause() after every look that found nothing: it spins a little, then yields, then sleeps, 20 us at first and
// a quarter longer each time. A short wait therefore costs no system call, and a long one no core. It yields only a few
// times: beside ranks that compute, a yield costs a time slice, a sleep does not. LOCAL.
class Waiter {
 public:
  using Sleep = std::chrono::duration<double, std::micro>;

  // `longest` bounds one sleep: the delay with which an event is seen after a long wait.
  explicit Waiter(Sleep longest = Sleep(500)) : longest_(longest) {}

  void pause() {
    if (looks_ >= kSpins + kYields) {
      std::this_thread::sleep_for(sleep_);
      sleep_ = std::min(sleep_ * 1.25, longest_);
      return;
    }
    if (looks_ >= kSpins) sched_yield();
    ++looks_;
  }

  // How long the next pause() sleeps; 0 while it only spins or yields.
  Sleep next_sleep() const { return looks_ < kSpins + kYields ? Sleep(0) : sleep_; }

  // Something was found: the next wait starts with spinning again.
  void reset() {
    looks_ = 0;
    sleep_ = kFirstSleep;
  }

 private:
  static constexpr int kSpins = 20;
  static constexpr int kYields = 10;
  static constexpr Sleep kFirstSleep{20};

  Sleep longest_;
  Sleep sleep_ = kFirstSleep;
  int looks_ = 0;
};

}  // namespace weir::comm
