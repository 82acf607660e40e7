// Stopwatch: adds the nanoseconds of its life to a counter, and shows them on the file's timeline where there is one.
#pragma once

#include <chrono>
#include <string_view>

#include "trace/counters.h"
#include "trace/timeline.h"

namespace weir::trace {

class Stopwatch {
 public:
  using Detail = EventDetail;

  // `name` is that of the event; the counter's own (step_name()) where it is empty.
  Stopwatch(Counters& counters, Counter counter, Detail detail = {}, std::string_view name = {})
      : counters_(counters),
        counter_(counter),
        detail_(detail),
        name_(name),
        begin_(std::chrono::steady_clock::now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    const auto end = std::chrono::steady_clock::now();
    counters_.add(counter_, nanoseconds(end - begin_));
    if (counters_.line().timeline != nullptr) show(end);
  }

  void set_bytes(std::int64_t bytes) { detail_.bytes = bytes; }

 private:
  void show(std::chrono::steady_clock::time_point end) const {
    const FileLine& line = counters_.line();
    const std::string_view name = name_.empty() ? step_name(counter_) : name_;
    if (name.empty()) return;
    line.timeline->add(name, line.file, nanoseconds(begin_.time_since_epoch()), nanoseconds(end.time_since_epoch()),
                       detail_);
  }
  static Nanoseconds nanoseconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
  }

  Counters& counters_;
  Counter counter_;
  Detail detail_;
  std::string_view name_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace weir::trace
