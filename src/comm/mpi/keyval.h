// Keyval: a key for attributes of the host's objects.
#pragma once

#include <mpi.h>

#include <atomic>
#include <mutex>

#include "comm/mpi/host_life.h"

namespace weir::comm {

// LOCAL; thread-safe. Made on first use, and anew once all that was alive of the host has ended, which forgets its
// keys.
class Keyval {
 public:
  // `make` sets the key it is given.
  template <typename Make>
  int get(Make make) {
    const unsigned epoch = HostLife::get().epoch();
    if (made_in_.load(std::memory_order_acquire) == epoch) return key_;
    const std::scoped_lock lock(mutex_);
    if (made_in_.load(std::memory_order_relaxed) != epoch) make(&key_);
    made_in_.store(epoch, std::memory_order_release);
    return key_;
  }

 private:
  static constexpr unsigned kNever = ~0U;

  std::mutex mutex_;
  int key_ = MPI_KEYVAL_INVALID;            // written only while nobody has used this epoch's
  std::atomic<unsigned> made_in_ = kNever;  // this epoch of the host
};

}  // namespace weir::comm
