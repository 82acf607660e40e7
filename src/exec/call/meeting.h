// Meeting: how the ranks of a file come together for a collective call.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "comm/comm.h"
#include "exec/call/arrival.h"
#include "exec/call/call_code.h"
#include "exec/call/kept_calls.h"
#include "exec/call/watchdog.h"

namespace weir::exec {

// A collective call that is no data access.
struct Appointment {
  CallKind kind;
  // What this rank brings: a failure is everybody's. Runs before the ranks meet; may be empty.
  std::function<Status()> prepare = {};
  std::array<std::int64_t, 2> values = {};  // of its arguments
  const char* equal = nullptr;              // what they are, if all ranks must give the same
  int tasks = 1;  // how much this rank has for the body to do, which is left out where no rank has anything
};

// Of one file; one call at a time.
class Meeting {
 public:
  // The comm and the watchdog, which may be null, outlive it.
  Meeting(std::string path, comm::Comm& comm, Watchdog* watchdog)
      : path_(std::move(path)), comm_(comm), watchdog_(watchdog) {}

  comm::Comm& comm() const { return comm_; }
  Watchdog* watchdog() const { return watchdog_; }

  // COLLECTIVE: meets the others; `body` follows when all came well, with the most tasks that any of them has. The
  // same outcome on all ranks if body's is.
  Status hold(const Appointment& appointment, const std::function<Status(int tasks)>& body);
  // What ranks know of an access once they have met: that they have made all the same call before, or what each of them
  // asks for.
  struct Met {
    std::optional<KeptCalls::Found> before;
    std::vector<plan::AccessSummary> summaries;
  };
  // COLLECTIVE: whether all have come to this call.
  Status meet(const CallCode& call);
  // COLLECTIVE, for an access. `held` may be null.
  Result<Met> meet(const Asked& mine, const KeptCalls& kept, const HeldCall* held);
  // COLLECTIVE: rank 0 acts, all ranks learn how it went.
  Status on_rank_0(const std::function<Status()>& action);

  // LOCAL: whether calls of the ranks did not match; which; and what calls that follow return.
  bool out_of_step() const { return out_of_step_; }
  const Status& mismatch() const { return mismatch_; }
  Status lost_step() const;

 private:
  struct Words;
  // The first exchange of every collective call: what all ranks have in common, in few bytes, and everybody's arrival
  // unless `settled` says that nobody needs it. Ranks that are in different functions find out before they wait for
  // each other in vain: all get the same failure, and nothing collective is tried on this file again.
  Result<std::vector<Arrival>> meet(const Arrival& mine, Words& words, const std::function<bool()>& settled);

  const std::string path_;
  comm::Comm& comm_;
  Watchdog* const watchdog_;
  std::atomic<bool> out_of_step_ = false;
  Status mismatch_;
};

}  // namespace weir::exec
