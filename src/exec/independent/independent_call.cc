#include "exec/independent/independent_call.h"

#include <fmt/format.h>

#include <new>

#include "exec/independent/independent.h"
#include "trace/stopwatch.h"

namespace weir::exec {

namespace {

trace::Counter counter_of(plan::AccessMethod method) {
  switch (method) {
    case plan::AccessMethod::kContiguous: return trace::Counter::kContiguous;
    case plan::AccessMethod::kList: return trace::Counter::kList;
    case plan::AccessMethod::kPacked: return trace::Counter::kPacked;
    case plan::AccessMethod::kSieve: return trace::Counter::kSieve;
  }
  return trace::Counter::kList;
}

}  // namespace

void IndependentCall::set_rules(const plan::AccessRules& rules) {
  std::scoped_lock lock(mutex_);
  rules_ = rules;
  prefetches_ = rules.prefetch.max_acc > 0;
}

plan::AccessRules IndependentCall::rules() const {
  std::scoped_lock lock(mutex_);
  return rules_;
}

std::optional<plan::AccessChoice> IndependentCall::last_choice() const {
  if (last_was_request_) return plan::choose_access({}, rules());
  std::scoped_lock lock(mutex_);
  return last_choice_;
}

driver::IoOutcome IndependentCall::run(const Access& access) {
  driver::IoOutcome outcome = move(access);
  count_call(counters_, access, outcome);
  return outcome;
}

driver::IoOutcome IndependentCall::move_timed(Direction direction, const driver::IoRequest& request) {
  const trace::Stopwatch stopwatch(counters_, trace::Counter::kIndependentTime, {trace::kUnsaid, request.bytes});
  return file_.transfer(direction, {&request, 1});
}

void IndependentCall::add_requests(trace::CounterValues& values) const {
  using trace::Counter;
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    const auto add = [&](Counter read, Counter write, std::int64_t amount) {
      values[static_cast<std::size_t>(trace::by_direction(direction, read, write))] += amount;
    };
    const RequestTally& tally = requests_[static_cast<std::size_t>(direction)];
    const std::int64_t accesses = tally.accesses.load(std::memory_order_relaxed);
    add(Counter::kIndependentReads, Counter::kIndependentWrites, accesses);
    add(Counter::kPiecesRead, Counter::kPiecesWritten, accesses);
    add(Counter::kContiguous, Counter::kContiguous, accesses);
    add(Counter::kBytesRead, Counter::kBytesWritten, tally.bytes.load(std::memory_order_relaxed));
  }
}

driver::IoOutcome IndependentCall::move(const Access& access) {
  if (!access.refused.ok()) return {0, access.refused};
  try {
    return finished(access, access.requests.bytes() > 0 ? move_requests(access) : driver::IoOutcome());
  } catch (const std::bad_alloc&) {  // the other ranks of a collective call wait for the outcome, whatever it is
    return {0, Status(ErrorClass::kNoMemory, fmt::format("no memory for an access to '{}'", path_))};
  }
}

driver::IoOutcome IndependentCall::move_requests(const Access& access) {
  trace::Stopwatch stopwatch(counters_,
                             access.collective ? trace::Counter::kFileTime : trace::Counter::kIndependentTime,
                             {trace::kUnsaid, access.requests.bytes()});
  const plan::AccessShape shape = shape_of(access.direction, access.requests);
  plan::AccessChoice choice = plan::choose_access(shape, rules());
  std::unique_ptr<driver::RangeLock> held;
  if (access.atomic) {
    auto kind = access.direction == Direction::kRead ? driver::LockKind::kShared : driver::LockKind::kExclusive;
    auto lock = file_.lock(shape.file_extent, kind);
    if (!lock.ok()) return {0, lock.status()};
    held = std::move(lock).value();
  }
  driver::IoOutcome outcome = access_file(file_, access.direction, access.requests, choice);
  counters_.add(counter_of(choice.method));
  counters_.add(trace::by_direction(access.direction, trace::Counter::kPiecesRead, trace::Counter::kPiecesWritten),
                shape.file_pieces);
  last_was_request_.store(false, std::memory_order_relaxed);
  std::scoped_lock lock(mutex_);
  last_choice_ = std::move(choice);
  return outcome;
}

void count_call(trace::Counters& counters, const Access& access, const driver::IoOutcome& outcome) {
  using trace::Counter;
  const bool collective = access.collective;
  counters.add(trace::by_direction(access.direction,
                                   collective ? Counter::kCollectiveReads : Counter::kIndependentReads,
                                   collective ? Counter::kCollectiveWrites : Counter::kIndependentWrites));
  counters.add(trace::by_direction(access.direction, Counter::kBytesRead, Counter::kBytesWritten), outcome.bytes_moved);
  if (!outcome.status.ok()) counters.add(Counter::kFailures);
}

}  // namespace weir::exec
