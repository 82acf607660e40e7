// Courier: carries calls of the host for threads that may not make them.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

namespace weir::comm {

// Below MPI_THREAD_MULTIPLE only the program's own threads may call the host. What a thread of weir's needs of it is an
// errand: the program's threads run errands whenever they are inside the host (progress_hook.h), wait in weir, or ask
// for a request. LOCAL; thread-safe.
class Courier {
 public:
  // The one of this process. Never destroyed: helper threads and the host may call in until the process is gone.
  static Courier& get();

  // Called again and again until it returns true; never by two threads at a time. It may call the host, and finds no
  // other errand under way then.
  using Errand = std::function<bool()>;

  // Whether the calling thread may call the host. REQUIRES that MPI is initialized.
  bool may_call();

  // Errands begin in the order they were given.
  void give(Errand errand);

  // Runs what was given. From inside an errand, or beside another thread that runs them: does nothing.
  // REQUIRES may_call().
  void run_errands();
  // Whether there is anything to run. The host asks whenever it looks for messages: one load, no call.
  static bool pending() { return pending_.load(std::memory_order_relaxed) > 0; }

  // Calls `work` on this thread or has it called, and returns when that is done.
  void call(const std::function<void()>& work);

  // Calls `work` on this thread, or has it called soon, in the order of errands.
  template <typename Work>
  void carry(const Work& work) {
    if (may_call()) return work();
    give([work] {
      work();
      return true;
    });
  }

 private:
  Courier() = default;
  void run_each();

  static inline std::atomic<int> pending_ = 0;  // of the one courier
  std::atomic<bool> running_ = false;
  std::mutex mutex_;
  std::vector<Errand> given_;  // guarded by mutex_
  // Of whoever runs errands.
  std::vector<Errand> active_;
  std::chrono::steady_clock::time_point last_run_{};
};

}  // namespace weir::comm
