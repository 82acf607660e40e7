#include "comm/mpi/courier.h"

#include <mpi.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "comm/mpi/host_life.h"
#include "comm/mpi/progress_hook.h"
#include "sys/helper_thread.h"
#include "sys/latch.h"

namespace weir::comm {

namespace {

// An errand that waits for something is asked this often: the host calls in every few hundred nanoseconds.
constexpr std::chrono::microseconds kBetweenRuns(5);

}  // namespace

Courier& Courier::get() {
  static Courier& courier = *new Courier;
  return courier;
}

bool Courier::may_call() { return !sys::is_helper_thread() || HostLife::get().level() == MPI_THREAD_MULTIPLE; }

void Courier::give(Errand errand) {
  std::scoped_lock lock(mutex_);
  given_.push_back(std::move(errand));
  pending_.fetch_add(1, std::memory_order_release);
}

void Courier::run_errands() {
  if (!pending() || running_.exchange(true, std::memory_order_acquire)) return;
  const auto now = std::chrono::steady_clock::now();
  bool anything_new = false;
  {
    std::scoped_lock lock(mutex_);
    anything_new = !given_.empty();
    std::move(given_.begin(), given_.end(), std::back_inserter(active_));
    given_.clear();
  }
  if (anything_new || now - last_run_ >= kBetweenRuns) {
    run_each();
    last_run_ = std::chrono::steady_clock::now();
  }
  running_.store(false, std::memory_order_release);
}

void Courier::run_each() {
  const NoYield no_yield;
  const auto done = std::remove_if(active_.begin(), active_.end(), [](const Errand& errand) { return errand(); });
  pending_.fetch_sub(static_cast<int>(active_.end() - done), std::memory_order_release);
  active_.erase(done, active_.end());
}

void Courier::call(const std::function<void()>& work) {
  if (may_call()) return work();
  const auto done = std::make_shared<sys::Latch>();  // the errand's last act may come after this function's
  give([&work, done] {
    work();
    done->raise_to(1);
    return true;
  });
  done->wait_for(1);
}

}  // namespace weir::comm
