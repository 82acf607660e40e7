// Waiter: how to wait for something that has to be looked at again and again (an MPI request, a flag).
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace weir::comm {

// Call pause() after every look that found nothing: it returns at once for a few looks, then sleeps, 20 us at first and
// a quarter longer each time. A short wait therefore costs no system call, and a long one no core. It never yields:
// beside processes that compute, a yield costs a time slice and a sleep does not (a barrier of 4 ranks on 2 cores
// beside compilers took 15 ms with ten yields before the first sleep, 0.5 ms without). LOCAL.
class Waiter {
 public:
  using Sleep = std::chrono::duration<double, std::micro>;

  // `longest` bounds one sleep: the delay with which an event is seen after a long wait.
  explicit Waiter(Sleep longest = Sleep(500)) : longest_(longest) {}

  void pause() {
    if (looks_ < kSpins) {
      ++looks_;
      return;
    }
    std::this_thread::sleep_for(sleep_);
    sleep_ = std::min(sleep_ * 1.25, longest_);
  }

  // How long the next pause() sleeps; 0 while it does not.
  Sleep next_sleep() const { return looks_ < kSpins ? Sleep(0) : sleep_; }

  // Something was found: the next wait starts with spinning again.
  void reset() {
    looks_ = 0;
    sleep_ = kFirstSleep;
  }

 private:
  static constexpr int kSpins = 20;
  static constexpr Sleep kFirstSleep{20};

  Sleep longest_;
  Sleep sleep_ = kFirstSleep;
  int looks_ = 0;
};

}  // namespace weir::comm
