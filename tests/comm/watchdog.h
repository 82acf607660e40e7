// HangGuard: ends a test program that hangs, saying where.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace weir {

// Sanitizers slow a program down many times.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::chrono::seconds kPatience(200);
#else
inline constexpr std::chrono::seconds kPatience(20);
#endif

// Aborts the program unless destroyed in time.
class HangGuard {
 public:
  explicit HangGuard(std::string what, std::chrono::seconds patience = kPatience)
      : what_(std::move(what)), thread_([this, patience] { watch(patience); }) {}
  HangGuard(const HangGuard&) = delete;
  HangGuard& operator=(const HangGuard&) = delete;
  ~HangGuard() {
    {
      std::scoped_lock lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
  }

 private:
  void watch(std::chrono::seconds patience) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, patience, [&] { return done_; })) return;
    std::fprintf(stderr, "hangs: %s\n", what_.c_str());
    std::abort();
  }

  std::string what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace weir
