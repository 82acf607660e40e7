// Stopwatch: adds the nanoseconds of its life to a counter.
#pragma once

#include <chrono>

#include "trace/counters.h"

namespace weir::trace {

class Stopwatch {
 public:
  Stopwatch(Counters& counters, Counter counter)
      : counters_(counters), counter_(counter), begin_(std::chrono::steady_clock::now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    const auto elapsed = std::chrono::steady_clock::now() - begin_;
    counters_.add(counter_, std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
  }

 private:
  Counters& counters_;
  Counter counter_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace weir::trace
