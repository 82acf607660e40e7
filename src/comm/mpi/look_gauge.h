// LookGauge: whether a look for messages has moved something, which MPI does not tell.
#pragma once

#include <atomic>
#include <chrono>

namespace weir::comm {

// Large messages travel in pieces that move only when somebody looks. A look that took a core clearly longer than one
// that finds nothing has moved something. How long the latter takes depends on the host, the number of ranks and the
// machine: a fraction of a microsecond, or several. It is learnt from the looks themselves: at once from shorter ones,
// slowly from longer ones. Thread-safe.
class LookGauge {
 public:
  static constexpr std::chrono::nanoseconds kWork{2500};

  // Whether a look that took the calling thread so long has moved something.
  bool moved(std::chrono::nanoseconds took) {
    const std::chrono::nanoseconds idle = idle_.load(std::memory_order_relaxed);
    idle_.store(took < idle ? took : idle + (took - idle) / kSlowness, std::memory_order_relaxed);
    return took > idle + kWork;
  }

 private:
  static constexpr int kSlowness = 16;
  std::atomic<std::chrono::nanoseconds> idle_{kWork / 5};
};

}  // namespace weir::comm
