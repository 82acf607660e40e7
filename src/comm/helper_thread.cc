#include "comm/helper_thread.h"

#include <pthread.h>
#include <signal.h>

namespace weir::comm {

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

}  // namespace

std::thread start_helper_thread(std::function<void()> body) {
  BlockedSignals blocked;
  return std::thread(std::move(body));
}

}  // namespace weir::comm
