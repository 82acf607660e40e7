#include "trace/call_log.h"

#include <algorithm>
#include <numeric>

namespace weir::trace {

std::int64_t CallTimes::overlapped() const {
  return std::clamp<std::int64_t>(agree + inspect + copy + exchange + file - total, 0, file);
}

CallTimes times_between(const CounterValues& before, const CounterValues& after) {
  const auto grown = [&](Counter counter) { return value_of(after, counter) - value_of(before, counter); };
  CallTimes times;
  times.total = grown(Counter::kCollectiveTime);
  times.agree = grown(Counter::kAgreeTime);
  times.inspect = grown(Counter::kInspectTime);
  times.copy = grown(Counter::kCopyTime);
  times.exchange = grown(Counter::kExchangeTime);
  times.wait = grown(Counter::kWaitTime);
  times.file = grown(Counter::kFileTime);
  return times;
}

std::int64_t DirectionTally::calls() const {
  return std::accumulate(calls_by_method.begin(), calls_by_method.end(), std::int64_t{0});
}

std::optional<plan::Plan> DirectionTally::last_plan() const {
  if (!last) return std::nullopt;
  return plan::moved(*last, last_distance);
}

void CallLog::add(std::shared_ptr<const plan::Plan> plan, const CallEnd& end) {
  CallRecord record;
  record.number = ++calls_;
  record.direction = plan->direction;
  record.method = plan->method;
  record.reason = plan->reason;
  record.bytes = plan->bytes;
  record.rounds = plan->rounds;
  record.plan_reused = value_of(end.after, Counter::kPlansReused) > value_of(end.before, Counter::kPlansReused);
  record.failed = end.failed;
  record.times = times_between(end.before, end.after);
  record.predicted = plan->predicted;

  DirectionTally& tally = tallies_[static_cast<std::size_t>(plan->direction)];
  ++tally.calls_by_method[static_cast<std::size_t>(plan->method)];
  if (record.plan_reused) ++tally.plans_reused;
  if (plan->method != plan::Method::kNothing || !tally.last) {
    tally.last = std::move(plan);
    tally.last_distance = end.distance;
    tally.last_times = record.times;
  }

  if (ring_.size() < kMostRecords) {
    ring_.push_back(std::move(record));
  } else {
    ring_[static_cast<std::size_t>(calls_ - 1) % kMostRecords] = std::move(record);
  }
}

std::vector<CallRecord> CallLog::records() const {
  std::vector<CallRecord> all = ring_;
  std::sort(all.begin(), all.end(), [](const CallRecord& a, const CallRecord& b) { return a.number < b.number; });
  return all;
}

}  // namespace weir::trace
