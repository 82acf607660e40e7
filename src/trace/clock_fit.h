// ClockFit: one rank's clock in terms of another's.
#pragma once

#include <cstdint>

namespace weir::trace {

// The same instant on two clocks, in nanoseconds.
struct ClockMark {
  std::int64_t here = 0;
  std::int64_t there = 0;
  bool operator==(const ClockMark&) const = default;
};

// Two marks, the first one first. Clocks that run at slightly different speeds agree at both.
struct ClockFit {
  ClockMark first;
  ClockMark last;

  // What the clock there shows when the one here shows `here`: by the difference of the clocks, which changes evenly
  // between the marks, and not before and after them.
  std::int64_t there(std::int64_t here) const {
    const std::int64_t begin = first.there - first.here;
    const std::int64_t end = last.there - last.here;
    if (here <= first.here || last.here <= first.here) return here + begin;
    if (here >= last.here) return here + end;
    const double part = static_cast<double>(here - first.here) / static_cast<double>(last.here - first.here);
    return here + begin + static_cast<std::int64_t>(part * static_cast<double>(end - begin));
  }
};

}  // namespace weir::trace
