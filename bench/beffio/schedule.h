// How the scheduled time T is dealt out to the patterns.
#pragma once

#include <span>
#include <vector>

#include "pattern.h"

namespace beffio {

enum class Release { kOne, kTwo };  // 1.x and 2.0

// What decides how long everything may take.
struct TimeFrame {
  Release release = Release::kTwo;
  double seconds = 0;  // T. Release 1.x: for one partition; release 2.0: for all of them
  int partitions = 1;
  bool rewrite_all = false;  // release 2.0: all types are rewritten, not type 0 alone
};

// The types that a method goes through: all of `types`, but release 2.0 rewrites only type 0 unless asked for all.
std::vector<Type> types_of(Method method, std::span<const Type> types, const TimeFrame& frame);

// The least T of a comparable value: 15 minutes for a partition of release 1.x; 30 minutes for release 2.0, 45 where
// all types are rewritten.
double least_seconds(Release release, bool rewrite_all);

// The time of one time unit. A pattern's time is this times its U: T/3 * U/64 of one partition in release 1.x. In
// release 2.0 a partition has its part of T, and the methods share that by the units they have: fewer than three times
// 64 where only type 0 is rewritten.
double seconds_of_unit(const TimeFrame& frame);

// Deals out time so that the whole ends when it should: a pattern that took longer than its time (one call can) is made
// up for by those after it. Times are seconds since the run began.
class Schedule {
 public:
  explicit Schedule(double unit_seconds) : unit_seconds_(unit_seconds) {}

  // The time of a pattern with this many units.
  double planned_seconds(int units) const { return unit_seconds_ * units; }

  // The seconds for the next pattern, which begins `now`: its units' time; less, but never less than a quarter of it,
  // when the run is late.
  double seconds_for(int units, double now) const;

  // The pattern has been executed, or left out.
  void advance(int units) { units_done_ += units; }

  // How much later than planned it is; negative when early.
  double seconds_late(double now) const { return now - unit_seconds_ * units_done_; }

 private:
  double unit_seconds_;
  int units_done_ = 0;
};

}  // namespace beffio
