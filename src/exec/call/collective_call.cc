#include "exec/call/collective_call.h"

#include <algorithm>
#include <utility>

#include "base/guarded.h"
#include "comm/agree.h"
#include "layout/part.h"
#include "trace/stopwatch.h"

namespace weir::exec {

namespace {

// The request alone, in file offsets. Views repeat their file type without end; what a call asks for is a part of that.
layout::RequestList in_file_offsets(const layout::RequestList& requests) {
  const std::int64_t begin = requests.data_offset();
  return layout::RequestList::in_file(layout::part_of(requests.view().layout(), {begin, begin + requests.bytes()}),
                                      requests.memory());
}

bool came_well(const plan::AccessSummary& summary) { return summary.failed == 0 && summary.move_failed == 0; }

// The requests that are for as much, so far before in the file.
layout::RequestList moved_back(const layout::RequestList& requests, std::int64_t distance) {
  if (distance == 0 || requests.bytes() == 0) return requests;
  return layout::RequestList::in_file(requests.view().filetype().shifted(-distance), requests.memory());
}

}  // namespace

void CollectiveCall::use(std::array<plan::Facts, 2> facts, bool hinted) {
  for (std::size_t direction = 0; direction < facts.size(); ++direction) {
    facts_[direction] = std::make_shared<const plan::Facts>(std::move(facts[direction]));
    parts_.engine.kept().use(facts_[direction]);
  }
  large_pieces_ = {};
  hinted_ = hinted;
}

driver::IoOutcome CollectiveCall::run(Access& access) {
  const trace::CounterValues before = parts_.counters.values();
  Planned planned;
  const bool lost = parts_.meeting.out_of_step();
  driver::IoOutcome outcome{0, lost ? parts_.meeting.lost_step() : Status()};
  if (!lost) {
    const WatchedCall watched(parts_.meeting.watchdog(), call_of(access));
    trace::Stopwatch stopwatch(parts_.counters, trace::Counter::kCollectiveTime);
    outcome = run_in_step(access, planned);
  }
  count_call(parts_.counters, access, outcome);
  if (!planned.call) {
    plan::Plan nothing;
    nothing.direction = access.direction;
    planned.call = std::make_shared<KeptCall>();
    planned.call->plan = std::make_shared<plan::Plan>(std::move(nothing));
  }
  if (hinted_ && comm().rank() == 0) parts_.journal.tell_replaced(*planned.call->plan);
  record(planned, before, !outcome.status.ok());
  return outcome;
}

// Ranks meet, the plan follows from what they learn there alone, everyone takes every step whatever failed, and the
// outcome is agreed at the end; where all ranks have moved their bytes before, when they meet.
driver::IoOutcome CollectiveCall::run_in_step(Access& access, Planned& planned) {
  Mine mine = place(access);
  if (parts_.meeting.out_of_step()) return {0, std::move(mine.ready)};
  plan::AccessSummary& summary = mine.asked.summary;
  driver::IoOutcome outcome;
  if (mine.ready.ok()) {
    outcome = move_ahead(access, mine.asked);
  } else {
    summary.failed = 1;
  }
  Result<Meeting::Met> met = meet(access, mine.asked);
  if (parts_.meeting.out_of_step()) return {outcome.bytes_moved, met.status()};
  const layout::RequestList nothing;
  if (summary.moved != 0) mine.requests = in_file_offsets(nothing);
  Status ready = met.ok() ? plan(access, mine, std::move(met).value(), planned) : met.status();
  if (ready.ok() && planned.call->plan->moved && planned.all_well) return outcome;
  ready = std::move(mine.ready).or_else(std::move(ready));
  if (!ready.ok()) {
    outcome.status = std::move(ready);
  } else if (summary.moved == 0) {
    outcome = run_planned(access, mine.requests, planned);
  } else if (planned.call->plan->method == plan::Method::kTwoPhase) {
    // This rank has moved its bytes; the others still have to.
    Status status = run_through_aggregators(mine.requests, planned).status;
    outcome.status = std::move(outcome.status).or_else(std::move(status));
  }
  trace::Stopwatch stopwatch(parts_.counters, trace::Counter::kAgreeTime);
  outcome.status = comm::agree(comm(), outcome.status);
  // Whose bytes a failed aggregator had is not known: none are said to be written.
  const bool aggregated = planned.call && planned.call->plan->method == plan::Method::kTwoPhase;
  if (aggregated && access.direction == Direction::kWrite && !outcome.status.ok()) outcome.bytes_moved = 0;
  return outcome;
}

// What this rank asks for, and what the others learn of it.
CollectiveCall::Mine CollectiveCall::place(Access& access) {
  Mine mine;
  mine.asked = {call_of(access), access.atomic, facts(access.direction), {}};
  Status placed = access.ordered() ? parts_.place_in_order(access) : Status();
  if (parts_.meeting.out_of_step()) {
    mine.ready = std::move(placed);
    return mine;
  }
  mine.ready = std::move(access.refused).or_else(std::move(placed));
  if (!mine.ready.ok()) return mine;
  trace::Stopwatch stopwatch(parts_.counters, trace::Counter::kInspectTime);
  mine.ready = guarded([&]() -> Status {
    if (!spare_) spare_ = std::make_shared<KeptCall>();
    mine.requests = in_file_offsets(access.requests);
    mine.asked.summary = plan::summary_of(mine.requests.view().filetype());
    return {};
  });
  return mine;
}

// A file's first call goes by what the communicator's files before it were asked for.
bool CollectiveCall::large_before(const Asked& asked) const {
  const std::optional<bool> last = large_pieces_[static_cast<std::size_t>(asked.facts->direction)];
  return last ? *last : parts_.engine.kept().large_before(asked);
}

// Moves the bytes where plan::moves_ahead() says so, and notes it in the summary.
driver::IoOutcome CollectiveCall::move_ahead(const Access& access, Asked& mine) {
  if (access.atomic || access.ordered() || access.held != nullptr) return {};
  plan::AccessSummary& summary = mine.summary;
  if (!plan::moves_ahead(mine.facts->storage, large_before(mine), summary)) return {};
  driver::IoOutcome outcome = parts_.independent.move(access);
  summary.moved = 1;
  summary.move_failed = outcome.status.ok() ? 0 : 1;
  return outcome;
}

Result<Meeting::Met> CollectiveCall::meet(const Access& access, const Asked& mine) {
  trace::Stopwatch stopwatch(parts_.counters, trace::Counter::kAgreeTime, {}, "meet");
  return parts_.meeting.meet(mine, parts_.engine.kept(), access.held.get());
}

// As before where all ranks ask for what they asked before.
Status CollectiveCall::plan(const Access& access, const Mine& mine, Meeting::Met met, Planned& planned) {
  Status status;
  if (met.before) {
    planned = {std::move(met.before->call), met.before->distance};
    const bool aggregated = planned.call->plan->method == plan::Method::kTwoPhase;
    if (aggregated) parts_.counters.add(trace::Counter::kPlansReused);
  } else {
    status = plan_anew(mine, std::move(met.summaries), planned);
  }
  if (!status.ok() || !planned.all_well) return status;
  parts_.engine.kept().keep(planned.call);
  if (access.held) access.held->call = planned.call;
  return status;
}

Status CollectiveCall::plan_anew(const Mine& mine, std::vector<plan::AccessSummary> summaries, Planned& planned) {
  planned.call = spare_ ? std::exchange(spare_, nullptr) : std::make_shared<KeptCall>();
  planned.call->asked = mine.asked;
  planned.all_well = std::all_of(summaries.begin(), summaries.end(), came_well);
  plan::Facts known = *mine.asked.facts;
  known.atomic = mine.asked.atomic;
  plan::Plan plan = plan::make_plan(known, summaries);
  parts_.engine.kept().share_tables(plan);
  planned.call->plan = std::make_shared<plan::Plan>(std::move(plan));
  if (planned.call->plan->method != plan::Method::kTwoPhase) return {};
  plan::drop_moved(summaries);
  return parts_.engine.make_schedule({comm(), summaries, mine.requests, parts_.counters}, *planned.call);
}

driver::IoOutcome CollectiveCall::run_planned(Access& access, const layout::RequestList& requests,
                                              const Planned& planned) {
  if (planned.call->plan->method == plan::Method::kIndependent) return parts_.independent.move(access);
  if (planned.call->plan->method == plan::Method::kNothing) return {};
  driver::IoOutcome outcome = run_through_aggregators(requests, planned);
  parts_.counters.add(trace::Counter::kTwoPhase);
  parts_.counters.add(
      trace::by_direction(access.direction, trace::Counter::kPiecesRead, trace::Counter::kPiecesWritten),
      requests.view().filetype().piece_count());
  return finished(access, std::move(outcome));
}

driver::IoOutcome CollectiveCall::run_through_aggregators(const layout::RequestList& requests, const Planned& planned) {
  const layout::RequestList wanted = moved_back(requests, planned.distance);
  return parts_.engine.run({comm(), parts_.file, *planned.call, planned.distance, wanted, parts_.counters});
}

void CollectiveCall::record(const Planned& planned, const trace::CounterValues& before, bool failed) {
  const trace::CallEnd end{before, parts_.counters.values(), failed, planned.distance};
  parts_.counters.add(trace::Counter::kOverlappedTime, trace::times_between(end.before, end.after).overlapped());
  const plan::Plan& plan = *planned.call->plan;
  large_pieces_[static_cast<std::size_t>(plan.direction)] = plan.large_pieces && !failed;
  parts_.journal.add(planned.call->plan, end);
}

}  // namespace weir::exec
