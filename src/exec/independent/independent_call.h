// IndependentCall: the accesses that one rank makes for itself.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "driver/file_driver.h"
#include "exec/independent/access.h"
#include "plan/access_method.h"
#include "trace/counters.h"

namespace weir::exec {

// Of one file. LOCAL; thread-safe.
class IndependentCall {
 public:
  // File and counters outlive it. `timed`: the seconds of accesses are counted, which costs two looks at the clock.
  IndependentCall(std::string path, driver::File& file, trace::Counters& counters, bool timed)
      : path_(std::move(path)), file_(file), counters_(counters), timed_(timed) {}

  void set_rules(const plan::AccessRules& rules);
  // Moves the bytes of an access and counts it as a call.
  driver::IoOutcome run(const Access& access);
  // The same for an access that is one request, outside of atomic mode. Allocates nothing.
  // REQUIRES: nothing is prefetched in this direction.
  driver::IoOutcome run_request(Direction direction, const driver::IoRequest& request);
  bool prefetches(Direction direction) const { return direction == Direction::kRead && prefetches_.load(); }
  // Moves the bytes alone. A lack of memory is a failure like any other.
  driver::IoOutcome move(const Access& access);
  // How the last one was done.
  std::optional<plan::AccessChoice> last_choice() const;
  // Adds what run_request() did.
  void add_requests(trace::CounterValues& values) const;

 private:
  // Accesses that were one request: two counters for what other accesses have four for.
  struct RequestTally {
    std::atomic<std::int64_t> accesses = 0;
    std::atomic<std::int64_t> bytes = 0;
  };
  driver::IoOutcome move_timed(Direction direction, const driver::IoRequest& request);
  driver::IoOutcome move_requests(const Access& access);
  plan::AccessRules rules() const;

  const std::string path_;
  driver::File& file_;
  trace::Counters& counters_;
  const bool timed_;
  std::atomic<bool> prefetches_ = false;  // as rules_ says
  std::atomic<bool> last_was_request_ = false;
  std::array<RequestTally, 2> requests_;  // by direction
  mutable std::mutex mutex_;              // guards what follows
  plan::AccessRules rules_;
  std::optional<plan::AccessChoice> last_choice_;
};

// Small accesses come here one by one. Right after a system call every return from a function costs some nanoseconds:
// few lie between.
inline driver::IoOutcome IndependentCall::run_request(Direction direction, const driver::IoRequest& request) {
  driver::IoOutcome outcome = timed_ ? move_timed(direction, request) : file_.transfer(direction, {&request, 1});
  RequestTally& tally = requests_[static_cast<std::size_t>(direction)];
  tally.accesses.fetch_add(1, std::memory_order_relaxed);
  tally.bytes.fetch_add(outcome.bytes_moved, std::memory_order_relaxed);
  last_was_request_.store(true, std::memory_order_relaxed);
  if (!outcome.status.ok()) counters_.add(trace::Counter::kFailures);
  return outcome;
}

// Counts a call, of either kind.
void count_call(trace::Counters& counters, const Access& access, const driver::IoOutcome& outcome);

}  // namespace weir::exec
