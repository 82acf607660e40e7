// CollectiveCall: a data access by all ranks of a file together: meet, plan, run, agree.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "driver/file_driver.h"
#include "exec/call/collective.h"
#include "exec/call/journal.h"
#include "exec/call/meeting.h"
#include "exec/independent/access.h"
#include "exec/independent/independent_call.h"
#include "plan/facts.h"
#include "plan/plan.h"
#include "trace/counters.h"

namespace weir::exec {

// Of one file; one call at a time.
class CollectiveCall {
 public:
  // What it works with; all of it outlives this.
  struct Parts {
    Meeting& meeting;
    driver::File& file;
    Collective& engine;
    IndependentCall& independent;
    Journal& journal;
    trace::Counters& counters;
    // COLLECTIVE: gives the access its place, by rank.
    std::function<Status(Access&)> place_in_order;
  };
  explicit CollectiveCall(Parts parts) : parts_(std::move(parts)) {}

  // What plans are made of from now on, by direction; equal on all ranks. `hinted`: the user has given hints, and hears
  // of wishes that plans do not follow. Not while a call runs.
  void use(std::array<plan::Facts, 2> facts, bool hinted);

  // COLLECTIVE: the same status on all ranks.
  driver::IoOutcome run(Access& access);

 private:
  // What a call has come to once the ranks have met.
  struct Planned {
    std::shared_ptr<KeptCall> call;
    std::int64_t distance = 0;  // from where the call was planned for
    bool all_well = true;       // no rank came with a failure
  };
  // What this rank brings to a call.
  struct Mine {
    layout::RequestList requests;  // in file offsets
    Asked asked;
    Status ready;
  };

  comm::Comm& comm() { return parts_.meeting.comm(); }
  const std::shared_ptr<const plan::Facts>& facts(Direction direction) const {
    return facts_[static_cast<std::size_t>(direction)];
  }
  driver::IoOutcome run_in_step(Access& access, Planned& planned);
  Mine place(Access& access);
  Result<Meeting::Met> meet(const Access& access, const Asked& mine);
  bool large_before(const Asked& asked) const;
  driver::IoOutcome move_ahead(const Access& access, Asked& mine);
  Status plan(const Access& access, const Mine& mine, Meeting::Met met, Planned& planned);
  Status plan_anew(const Mine& mine, std::vector<plan::AccessSummary> summaries, Planned& planned);
  driver::IoOutcome run_planned(Access& access, const layout::RequestList& requests, const Planned& planned);
  driver::IoOutcome run_through_aggregators(const layout::RequestList& requests, const Planned& planned);
  void record(const Planned& planned, const trace::CounterValues& before, bool failed);

  const Parts parts_;
  std::array<std::shared_ptr<const plan::Facts>, 2> facts_;
  std::shared_ptr<KeptCall> spare_;        // got before the ranks meet
  // By direction: whether the last call with the present facts had large pieces.
  std::array<std::optional<bool>, 2> large_pieces_;
  bool hinted_ = false;
};

}  // namespace weir::exec
