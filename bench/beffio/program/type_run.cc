#include "type_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "agree.h"
#include "guard.h"
#include "space.h"

namespace beffio {
namespace {

// How long other ranks may take to notice that one failed.
constexpr unsigned kSecondsToNotice = 10;

}  // namespace

TypeRun::TypeRun(Bench& bench, PartitionState& state, Type type, Method method)
    : bench_(bench),
      state_(state),
      history_(state.types[type]),
      type_(type),
      method_(method),
      patterns_(patterns_of(type, bench.mpart_bytes)),
      planned_(planned_repeats()),
      file_(type, method, fmt::format("{}.{}", state.path, number_of(type)), state.comm) {
  history_.written.resize(patterns_.size());
  history_.rewritten.resize(patterns_.size());
  if (!planned_.empty()) history_.segment_bytes = segment_bytes(patterns_, planned_, state.striping_unit);
}

std::vector<std::int64_t> TypeRun::planned_repeats() const {
  std::vector<std::int64_t> repeats;
  if (method_ != Method::kWrite || !is_size_driven(type_)) return repeats;
  for (const Pattern& pattern : patterns_) {
    repeats.push_back(state_.amounts.repeats_for(pattern).value_or(repeats_within(state_.bytes_of_unit, pattern)));
  }
  return repeats;
}

TypeRun::Limit TypeRun::limit_of(std::size_t index) const {
  const bool time_driven = !is_size_driven(type_) || state_.amounts.empty();
  if (method_ != Method::kWrite) return {history_.written[index], Ending::kAmount, time_driven};
  if (!planned_.empty()) return {planned_[index], Ending::kAmount, time_driven};
  if (patterns_[index].units == 0) return {1, Ending::kAmount, time_driven};
  return {repeats_within(state_.bytes_of_unit, patterns_[index]), Ending::kSpace, time_driven};
}

std::int64_t TypeRun::begin_of(std::size_t index) const {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < index; ++i) bytes += history_.written[i] * patterns_[i].memory_bytes;
  const bool ranks_alternate = type_ == Type::kScatter || type_ == Type::kShared;
  return ranks_alternate ? bytes * state_.ranks : bytes;
}

Agreement TypeRun::agreed(const weir::Status& own, double value) const {
  if (!own.ok()) give_up_after(kSecondsToNotice, own.text());
  return agree(own, value, state_.comm);
}

weir::Result<TypeResult> TypeRun::run() {
  TypeResult result;
  result.type = type_;
  const Hints hints = bench_.hints.at_open(type_, method_);
  result.hints = text_of(hints);
  MPI_Barrier(state_.comm);
  begin_ = MPI_Wtime();
  weir::Status status = agreed(file_.open(hints)).status;
  if (!status.ok()) return status;
  if (type_ == Type::kScatter) learn_striping_unit();
  status = run_patterns(result);
  status = std::move(status).or_else(agreed(file_.close()).status);
  if (!status.ok()) return status;
  result.seconds = agreed({}, now()).largest;
  return result;
}

void TypeRun::learn_striping_unit() {
  const double bytes = agreed({}, static_cast<double>(file_.striping_unit())).largest;
  state_.striping_unit = std::max(state_.striping_unit, static_cast<std::int64_t>(bytes));
}

weir::Status TypeRun::run_patterns(TypeResult& result) {
  for (std::size_t index = 0; index < patterns_.size(); ++index) {
    PatternResult& pattern = result.patterns.emplace_back();
    weir::Status status = run_pattern(index, pattern);
    if (!status.ok()) return status;
    result.bytes += pattern.bytes;
  }
  return {};
}

weir::Status TypeRun::run_pattern(std::size_t index, PatternResult& result) {
  const Pattern& pattern = patterns_[index];
  const Hints hints = bench_.hints.for_chunk(type_, method_, pattern.chunk);
  result.pattern = pattern;
  result.hints = text_of(hints);
  if (method_ == Method::kRead && bench_.options.verify) {
    const double pause = MPI_Wtime();
    bench_.memory.clear(pattern.memory_bytes);
    MPI_Barrier(state_.comm);
    paused_ += MPI_Wtime() - pause;
  }
  const double begin = now();
  weir::Status status = agreed(file_.begin_pattern(pattern, begin_of(index), history_.segment_bytes, hints)).status;
  if (!status.ok()) return status;
  status = repeat(index, limit_of(index), result);
  if (!status.ok()) return status;
  bench_.schedule.advance(pattern.units);
  return finish_pattern(index, begin, result);
}

weir::Status TypeRun::repeat(std::size_t index, const Limit& limit, PatternResult& result) {
  const Pattern& pattern = patterns_[index];
  const Agreement start = agreed({}, MPI_Wtime() - bench_.begin);
  const double planned = bench_.schedule.planned_seconds(pattern.units);
  const double given = bench_.schedule.seconds_for(pattern.units, start.largest);
  RepeatState state;
  state.seconds = limit.time_driven ? given : kNoTimeLimit;
  state.limit = limit.repeats;
  const double begin = now();
  for (std::int64_t batch = 0; (batch = next_batch(state)) > 0;) {
    const weir::Status own = run_batch(pattern, state.done, batch);
    const Agreement agreement = agreed(own, now() - begin);
    if (!agreement.status.ok()) return agreement.status;
    state.done += batch;
    state.last_batch = batch;
    state.elapsed = agreement.largest;
  }
  result.calls = state.done;
  result.bytes = state.done * pattern.memory_bytes * state_.ranks;
  // Space that was used up only when time was over as well has cost nothing.
  const bool by_limit = state.done == state.limit && (limit.ending != Ending::kSpace || state.elapsed < state.seconds);
  result.ending = by_limit ? limit.ending : given < planned ? Ending::kLateTime : Ending::kTime;
  return {};
}

weir::Status TypeRun::run_batch(const Pattern& pattern, std::int64_t first, std::int64_t repeats) {
  weir::Status failure;
  for (std::int64_t repeat = first; repeat < first + repeats; ++repeat) {
    weir::Status status = method_ == Method::kRead
                              ? file_.read(bench_.memory.to_read(), pattern)
                              : file_.write(bench_.memory.to_write({pattern.number, method_, repeat}), pattern);
    if (status.ok()) continue;
    if (failure.ok()) give_up_after(kSecondsToNotice, status.text());
    failure = std::move(failure).or_else(std::move(status));
    if (!is_collective(type_)) break;
  }
  return failure;
}

weir::Status TypeRun::finish_pattern(std::size_t index, double begin, PatternResult& result) {
  const bool synced = bench_.options.sync && method_ != Method::kRead;
  const weir::Status sync_status = synced ? file_.sync() : weir::Status();
  const Agreement end = agreed(sync_status, now() - begin);
  if (!end.status.ok()) return end.status;
  result.seconds = end.largest;
  if (method_ == Method::kWrite) {
    history_.written[index] = result.calls;
    if (!is_size_driven(type_)) state_.amounts.add(patterns_[index], result.calls);
  } else if (method_ == Method::kRewrite) {
    history_.rewritten[index] = result.calls;
  } else if (bench_.options.verify) {
    const double pause = MPI_Wtime();
    weir::Status status = agreed(verify(index, result.calls - 1)).status;
    paused_ += MPI_Wtime() - pause;
    return status;
  }
  return {};
}

weir::Status TypeRun::verify(std::size_t index, std::int64_t last) const {
  const Method writer = last < history_.rewritten[index] ? Method::kRewrite : Method::kWrite;
  const Pattern& pattern = patterns_[index];
  if (bench_.memory.is_right(pattern.memory_bytes, {pattern.number, writer, last})) return {};
  return {weir::ErrorClass::kIo, fmt::format("wrong data were read from {}, type {}, chunks of {}, repeat {}",
                                             file_.path(), number_of(type_), label(pattern), last)};
}

}  // namespace beffio
