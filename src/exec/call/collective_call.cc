#include "exec/call/collective_call.h"

#include <algorithm>

#include "base/guarded.h"
#include "comm/agree.h"
#include "layout/encode.h"
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

plan::AccessSummary summary_of(const layout::RequestList& requests) {
  plan::AccessSummary summary;
  const layout::Layout& wanted = requests.view().filetype();
  summary.bytes = requests.bytes();
  summary.file_pieces = wanted.piece_count();
  if (summary.bytes == 0) return summary;
  summary.file_extent = wanted.span();
  summary.structure = wanted.shifted(-wanted.first()).fingerprint();
  summary.first_piece = wanted.first();
  summary.ascending = wanted.is_ascending() && wanted.depth() <= layout::kDeepestEncoded ? 1 : 0;
  return summary;
}

bool none_failed(std::span<const plan::AccessSummary> summaries) {
  return std::all_of(summaries.begin(), summaries.end(),
                     [](const plan::AccessSummary& summary) { return summary.move_failed == 0; });
}

}  // namespace

void CollectiveCall::use(std::array<plan::Facts, 2> facts, bool hinted) {
  facts_ = std::move(facts);
  large_pieces_ = {};
  hinted_ = hinted;
}

driver::IoOutcome CollectiveCall::run(Access& access) {
  const trace::CounterValues before = parts_.counters.values();
  plan::Plan plan;
  plan.direction = access.direction;
  const bool lost = parts_.meeting.out_of_step();
  driver::IoOutcome outcome{0, lost ? parts_.meeting.lost_step() : Status()};
  if (!lost) {
    const WatchedCall watched(parts_.meeting.watchdog(), call_of(access));
    trace::Stopwatch stopwatch(parts_.counters, trace::Counter::kCollectiveTime);
    outcome = run_in_step(access, plan);
  }
  count_call(parts_.counters, access, outcome);
  if (hinted_ && comm().rank() == 0) parts_.journal.tell_replaced(plan);
  record(std::move(plan), before, !outcome.status.ok());
  return outcome;
}

// Summaries are gathered, the plan follows from them alone, everyone takes every step whatever failed, and the outcome
// is agreed at the end; where all ranks have moved their bytes before, with the summaries.
driver::IoOutcome CollectiveCall::run_in_step(Access& access, plan::Plan& plan) {
  plan::AccessSummary summary;
  layout::RequestList requests;
  driver::IoOutcome outcome;
  Status ready = place(access, requests, summary);
  if (parts_.meeting.out_of_step()) return {0, std::move(ready)};
  if (ready.ok()) {
    outcome = move_ahead(access, summary);
  } else {
    summary.failed = 1;
  }
  Result<std::vector<plan::AccessSummary>> all = gather(access, summary);
  if (parts_.meeting.out_of_step()) return {outcome.bytes_moved, all.status()};
  plan::Facts& known = facts(access.direction);
  known.atomic = access.atomic;
  if (all.ok()) plan = plan::make_plan(known, all.value());
  if (plan.moved && none_failed(all.value())) return outcome;
  if (all.ok() && !plan.moved) plan::drop_moved(all.value());
  const Status met = std::move(ready).or_else(all.status());
  if (!met.ok()) {
    outcome.status = met;
  } else if (summary.moved == 0) {
    outcome = run_planned(access, requests, all.value(), plan);
  } else {
    outcome.status = std::move(outcome.status).or_else(stand_by(access, all.value(), plan));
  }
  trace::Stopwatch stopwatch(parts_.counters, trace::Counter::kAgreeTime);
  outcome.status = comm::agree(comm(), std::move(outcome.status));
  // Whose bytes a failed aggregator had is not known: none are said to be written.
  const bool aggregated = plan.method == plan::Method::kTwoPhase;
  if (aggregated && access.direction == Direction::kWrite && !outcome.status.ok()) outcome.bytes_moved = 0;
  return outcome;
}

// What this rank asks for, and what the others learn of it.
Status CollectiveCall::place(Access& access, layout::RequestList& requests, plan::AccessSummary& summary) {
  Status placed = access.ordered() ? parts_.place_in_order(access) : Status();
  if (parts_.meeting.out_of_step()) return placed;
  Status ready = std::move(access.refused).or_else(std::move(placed));
  if (!ready.ok()) return ready;
  trace::Stopwatch stopwatch(parts_.counters, trace::Counter::kInspectTime);
  return guarded([&]() -> Status {
    requests = in_file_offsets(access.requests);
    summary = summary_of(requests);
    return {};
  });
}

Result<std::vector<plan::AccessSummary>> CollectiveCall::gather(const Access& access, const plan::AccessSummary& mine) {
  trace::Stopwatch stopwatch(parts_.counters, trace::Counter::kAgreeTime);
  const Result<std::vector<Arrival>> all = parts_.meeting.meet({call_of(access), 0, {}, mine});
  if (!all.ok()) return all.status();
  std::vector<plan::AccessSummary> summaries;
  summaries.reserve(all.value().size());
  for (const Arrival& arrival : all.value()) summaries.push_back(arrival.summary);
  return summaries;
}

// Moves the bytes where plan::moves_ahead() says so, and notes it in the summary.
driver::IoOutcome CollectiveCall::move_ahead(const Access& access, plan::AccessSummary& summary) {
  if (access.atomic || access.ordered() || access.held != nullptr) return {};
  const bool large_before = large_pieces_[static_cast<std::size_t>(access.direction)];
  if (!plan::moves_ahead(facts(access.direction).storage, large_before, summary)) return {};
  driver::IoOutcome outcome = parts_.independent.move(access);
  summary.moved = 1;
  summary.move_failed = outcome.status.ok() ? 0 : 1;
  return outcome;
}

driver::IoOutcome CollectiveCall::run_planned(Access& access, const layout::RequestList& requests,
                                              std::span<const plan::AccessSummary> summaries, plan::Plan& plan) {
  if (plan.method == plan::Method::kIndependent) return parts_.independent.move(access);
  if (plan.method == plan::Method::kNothing) return {};
  driver::IoOutcome outcome =
      parts_.engine.run({comm(), parts_.file, plan, summaries, requests, parts_.counters, access.held.get()});
  parts_.counters.add(trace::Counter::kTwoPhase);
  parts_.counters.add(
      trace::by_direction(access.direction, trace::Counter::kPiecesRead, trace::Counter::kPiecesWritten),
      requests.view().filetype().piece_count());
  return finished(access, std::move(outcome));
}

// The part of a rank that has moved its bytes in what the others still have to do.
Status CollectiveCall::stand_by(const Access& access, std::span<const plan::AccessSummary> summaries,
                                plan::Plan& plan) {
  if (plan.method != plan::Method::kTwoPhase) return {};
  const layout::RequestList nothing = in_file_offsets({});
  return parts_.engine.run({comm(), parts_.file, plan, summaries, nothing, parts_.counters, access.held.get()}).status;
}

void CollectiveCall::record(plan::Plan plan, const trace::CounterValues& before, bool failed) {
  const trace::CallEnd end{before, parts_.counters.values(), failed};
  parts_.counters.add(trace::Counter::kOverlappedTime, trace::times_between(end.before, end.after).overlapped());
  large_pieces_[static_cast<std::size_t>(plan.direction)] = plan.large_pieces && !failed;
  parts_.journal.add(std::move(plan), end);
}

}  // namespace weir::exec
