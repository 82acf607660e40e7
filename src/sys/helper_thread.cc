#include "sys/helper_thread.h"

#include <pthread.h>
#include <signal.h>

#include <new>
#include <system_error>

namespace weir::sys {

namespace {

// Blocks all signals of the calling thread for as long as it lives; a thread started meanwhile keeps them blocked.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

thread_local bool this_is_a_helper = false;

}  // namespace

Result<std::thread> start_helper_thread(std::function<void()> body) {
  BlockedSignals blocked;
  try {
    return std::thread([body = std::move(body)] {
      this_is_a_helper = true;
      body();
    });
  } catch (const std::system_error& error) {
    return Status::from_errno(error.code().value(), "cannot start a thread", "");
  } catch (const std::bad_alloc&) {
    return Status(ErrorClass::kNoMemory, "no memory to start a thread");
  }
}

bool is_helper_thread() { return this_is_a_helper; }

}  // namespace weir::sys
