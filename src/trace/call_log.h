// CallLog: what became of the collective calls on one file, in bounded memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/extent.h"
#include "plan/plan.h"
#include "trace/counters.h"

namespace weir::trace {

// Nanoseconds of one call on one rank.
struct CallTimes {
  std::int64_t total = 0;
  std::int64_t agree = 0;
  std::int64_t inspect = 0;
  std::int64_t copy = 0;
  std::int64_t exchange = 0;
  std::int64_t wait = 0;
  std::int64_t file = 0;

  // The least part of the file time that ran beside other work: what the work adds up to beyond the whole call.
  // Waiting is no work.
  std::int64_t overlapped() const;
  bool operator==(const CallTimes&) const = default;
};

// What the counters of a rank grew by during one call. REQUIRES one collective call at a time.
CallTimes times_between(const CounterValues& before, const CounterValues& after);

struct CallRecord {
  std::int64_t number = 0;  // of the file's collective calls, counted from 1
  Direction direction = Direction::kRead;
  plan::Method method = plan::Method::kNothing;
  std::string reason;
  std::int64_t bytes = 0;  // of all ranks
  std::int64_t rounds = 0;
  bool plan_reused = false;
  bool failed = false;
  CallTimes times;  // of this rank
  plan::Steps predicted;
};

// How a call went, beside its plan.
struct CallEnd {
  CounterValues before{};  // the rank's counters
  CounterValues after{};
  bool failed = false;
  std::int64_t distance = 0;  // from the place in the file that its plan names
};

// All calls of one direction.
struct DirectionTally {
  std::array<std::int64_t, 3> calls_by_method{};  // in the order of plan::Method
  std::int64_t plans_reused = 0;
  std::shared_ptr<const plan::Plan> last;  // the plan of a call that had bytes to move, where there was one
  std::int64_t last_distance = 0;          // of that call
  CallTimes last_times;                    // of that call, on this rank

  // That plan, where it was carried out.
  std::optional<plan::Plan> last_plan() const;

  std::int64_t calls(plan::Method method) const { return calls_by_method[static_cast<std::size_t>(method)]; }
  std::int64_t calls() const;
};

// A value; keeps tallies of all calls and records of the last kMostRecords.
class CallLog {
 public:
  static constexpr std::size_t kMostRecords = 256;

  void add(std::shared_ptr<const plan::Plan> plan, const CallEnd& end);

  const DirectionTally& of(Direction direction) const { return tallies_[static_cast<std::size_t>(direction)]; }
  // The oldest first.
  std::vector<CallRecord> records() const;
  // Calls that have no record any more.
  std::int64_t left_out() const { return calls_ - static_cast<std::int64_t>(ring_.size()); }

 private:
  std::array<DirectionTally, 2> tallies_;
  std::int64_t calls_ = 0;
  std::vector<CallRecord> ring_;  // call n is at (n - 1) mod kMostRecords
};

}  // namespace weir::trace
