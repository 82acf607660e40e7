// FailureNote: a failure that nobody could be told when it happened, in memory that the ranks of a node share.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/status.h"
#include "sys/shared_lock.h"

namespace weir::agent {

// Empty when its memory is new (zero). The first failure stays until it was taken; later ones go with it, as their
// bytes are still held. It is taken twice: by the next call, and where all ranks agree on an outcome.
class FailureNote {
 public:
  void write(const Status& failure, const sys::Waiting& how);
  // The failure, once for each audience; success where there is none.
  enum class Audience : std::uint8_t { kNextCall, kAllRanks };
  Status take(Audience audience, const sys::Waiting& how) {
    return pending_[static_cast<std::size_t>(audience)].load(std::memory_order_acquire) != 0 ? read(audience, how)
                                                                                             : Status();
  }

 private:
  static constexpr std::size_t kTextBytes = 512;
  Status read(Audience audience, const sys::Waiting& how);

  sys::SharedLock lock_;  // guards what follows
  std::array<std::atomic<std::uint32_t>, 2> pending_;
  ErrorClass error_class_;
  std::array<char, kTextBytes> text_;  // ends with a zero
};

}  // namespace weir::agent
