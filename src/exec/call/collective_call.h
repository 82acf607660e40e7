// CollectiveCall: a data access by all ranks of a file together: meet, plan, run, agree.
#pragma once

#include <array>
#include <functional>
#include <span>
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
  comm::Comm& comm() { return parts_.meeting.comm(); }
  plan::Facts& facts(Direction direction) { return facts_[static_cast<std::size_t>(direction)]; }
  driver::IoOutcome run_in_step(Access& access, plan::Plan& plan);
  Status place(Access& access, layout::RequestList& requests, plan::AccessSummary& summary);
  Result<std::vector<plan::AccessSummary>> gather(const Access& access, const plan::AccessSummary& mine);
  driver::IoOutcome move_ahead(const Access& access, plan::AccessSummary& summary);
  driver::IoOutcome run_planned(Access& access, const layout::RequestList& requests,
                                std::span<const plan::AccessSummary> summaries, plan::Plan& plan);
  Status stand_by(const Access& access, std::span<const plan::AccessSummary> summaries, plan::Plan& plan);
  void record(plan::Plan plan, const trace::CounterValues& before, bool failed);

  const Parts parts_;
  std::array<plan::Facts, 2> facts_;
  std::array<bool, 2> large_pieces_ = {};  // by direction: the last call's, with the present facts
  bool hinted_ = false;
};

}  // namespace weir::exec
