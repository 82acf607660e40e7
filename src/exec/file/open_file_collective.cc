// Collective data access of an OpenFile: meet, plan, run, agree.
#include <algorithm>

#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/collectives.h"
#include "exec/file/open_file.h"
#include "layout/encode.h"
#include "layout/part.h"
#include "plan/plan.h"
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

driver::IoOutcome OpenFile::run_collective(Access& access) {
  const trace::CounterValues before = counters_.values();
  plan::Plan plan;
  plan.direction = access.direction;
  driver::IoOutcome outcome{0, out_of_step_ ? lost_step() : Status()};
  if (!out_of_step_) {
    const WatchedCall watched(channels_.watchdog.get(), access.call());
    trace::Stopwatch stopwatch(counters_, trace::Counter::kCollectiveTime);
    outcome = run_in_step(access, plan);
  }
  note(access, outcome);
  tell_replaced(plan);
  record(std::move(plan), before, !outcome.status.ok());
  return outcome;
}

// Summaries are gathered, the plan follows from them alone, everyone takes every step whatever failed, and the outcome
// is agreed at the end; where all ranks have moved their bytes before, with the summaries.
driver::IoOutcome OpenFile::run_in_step(Access& access, plan::Plan& plan) {
  Status ready = access.ordered() ? place_ordered(access) : Status();
  if (out_of_step_) return {0, std::move(ready)};
  ready = std::move(access.refused).or_else(std::move(ready));
  plan::AccessSummary summary;
  layout::RequestList requests;
  driver::IoOutcome outcome;
  if (ready.ok()) {
    trace::Stopwatch stopwatch(counters_, trace::Counter::kInspectTime);
    ready = guarded([&]() -> Status {
      requests = in_file_offsets(access.requests);
      summary = summary_of(requests);
      return {};
    });
  }
  if (ready.ok()) {
    outcome = move_ahead(access, summary);
  } else {
    summary.failed = 1;
  }
  Result<std::vector<plan::AccessSummary>> all = gather(access, summary);
  if (out_of_step_) return {outcome.bytes_moved, all.status()};
  if (all.ok()) plan = plan::make_plan(plan_facts(access), all.value());
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
  trace::Stopwatch stopwatch(counters_, trace::Counter::kAgreeTime);
  outcome.status = comm::agree(comm(), std::move(outcome.status));
  // Whose bytes a failed aggregator had is not known: none are said to be written.
  const bool aggregated = plan.method == plan::Method::kTwoPhase;
  if (aggregated && access.direction == Direction::kWrite && !outcome.status.ok()) outcome.bytes_moved = 0;
  return outcome;
}

// Moves the bytes where plan::moves_ahead() says so, and notes it in the summary.
driver::IoOutcome OpenFile::move_ahead(const Access& access, plan::AccessSummary& summary) {
  if (access.atomic || access.ordered() || access.held != nullptr) return {};
  if (!plan::moves_ahead(facts_.storage, large_pieces_before(access.direction), summary)) return {};
  driver::IoOutcome outcome = run_alone(access);
  summary.moved = 1;
  summary.move_failed = outcome.status.ok() ? 0 : 1;
  return outcome;
}

// The part of a rank that has moved its bytes in what the others still have to do.
Status OpenFile::stand_by(const Access& access, std::span<const plan::AccessSummary> summaries, plan::Plan& plan) {
  if (plan.method != plan::Method::kTwoPhase) return {};
  const layout::RequestList nothing = in_file_offsets({});
  return channels_.engine->collective->run({comm(), *file_, plan, summaries, nothing, counters_, access.held.get()})
      .status;
}

bool OpenFile::large_pieces_before(Direction direction) const {
  std::scoped_lock lock(mutex_);
  return large_pieces_[static_cast<std::size_t>(direction)];
}

Result<std::vector<plan::AccessSummary>> OpenFile::gather(const Access& access, const plan::AccessSummary& mine) {
  trace::Stopwatch stopwatch(counters_, trace::Counter::kAgreeTime);
  const Result<std::vector<Arrival>> all = meet({access.call(), 0, {}, mine});
  if (!all.ok()) return all.status();
  std::vector<plan::AccessSummary> summaries;
  summaries.reserve(all.value().size());
  for (const Arrival& arrival : all.value()) summaries.push_back(arrival.summary);
  return summaries;
}

plan::Facts OpenFile::plan_facts(const Access& access) const {
  plan::Facts facts{access.direction, access.atomic, facts_.machine, facts_.storage, {}};
  std::string complaint;
  {
    std::scoped_lock lock(mutex_);
    facts.wishes = wishes_of(hints_, access.direction);
    facts.machine.most_per_node = most_per_node(hints_, facts_, complaint);
  }
  if (!complaint.empty()) facts.wishes.unreadable.push_back(std::move(complaint));
  return facts;
}

driver::IoOutcome OpenFile::run_planned(Access& access, const layout::RequestList& requests,
                                        std::span<const plan::AccessSummary> summaries, plan::Plan& plan) {
  if (plan.method == plan::Method::kIndependent) return run_alone(access);
  if (plan.method == plan::Method::kNothing) return {};
  driver::IoOutcome outcome =
      channels_.engine->collective->run({comm(), *file_, plan, summaries, requests, counters_, access.held.get()});
  counters_.add(trace::Counter::kTwoPhase);
  counters_.add(trace::by_direction(access.direction, trace::Counter::kPiecesRead, trace::Counter::kPiecesWritten),
                requests.view().filetype().piece_count());
  return finished(access, std::move(outcome));
}

// Each of them once, on rank 0; who gave no hints has no wishes.
void OpenFile::tell_replaced(const plan::Plan& plan) {
  constexpr std::size_t kMostTold = 16;  // a text may hold numbers that change from call to call
  if (plan.replaced.empty() || rank() != 0 || !tell_) return;
  std::vector<std::string> notices;
  {
    std::scoped_lock lock(mutex_);
    if (trace::hints_given(hints_).empty()) return;
    for (const std::string& wish : plan.replaced) {
      std::string notice = "not as wished: " + wish;
      const bool told = std::find(told_.begin(), told_.end(), notice) != told_.end();
      if (told || told_.size() == kMostTold) continue;
      told_.push_back(notice);
      notices.push_back(std::move(notice));
    }
  }
  if (!notices.empty()) tell_(notices);
}

void OpenFile::record(plan::Plan plan, const trace::CounterValues& before, bool failed) {
  const trace::CallEnd end{before, counters_.values(), failed};
  counters_.add(trace::Counter::kOverlappedTime, trace::times_between(end.before, end.after).overlapped());
  std::scoped_lock lock(mutex_);
  large_pieces_[static_cast<std::size_t>(plan.direction)] = plan.large_pieces && !failed;
  calls_.add(std::move(plan), end);
}

}  // namespace weir::exec
