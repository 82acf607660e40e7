// Data access of an OpenFile: prepare a transfer, run it alone or with the other ranks.
#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/guarded.h"
#include "exec/file/open_file.h"
#include "exec/independent/independent.h"
#include "plan/plan.h"
#include "trace/stopwatch.h"

namespace weir::exec {

namespace {

plan::Toggle toggle_of(hints::Toggle toggle) {
  switch (toggle) {
    case hints::Toggle::kEnable: return plan::Toggle::kEnable;
    case hints::Toggle::kDisable: return plan::Toggle::kDisable;
    case hints::Toggle::kAutomatic: break;
  }
  return plan::Toggle::kAuto;
}

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

Status OpenFile::check_transfer(const Transfer& transfer, const layout::FileView& view) const {
  const std::int64_t bytes = transfer.memory.layout.data_bytes();
  const bool reading = transfer.direction == Direction::kRead;
  const bool by_shared_pointer =
      transfer.positioning == Positioning::kShared || transfer.positioning == Positioning::kOrdered;
  if (reading && !mode_.reads()) {
    return {ErrorClass::kAccess, fmt::format("'{}' is open with MPI_MODE_WRONLY: it cannot be read", path_)};
  }
  if (!reading && !mode_.writes()) {
    return {ErrorClass::kReadOnly, fmt::format("'{}' is open with MPI_MODE_RDONLY: it cannot be written", path_)};
  }
  if (mode_.sequential && !by_shared_pointer) {
    return {ErrorClass::kUnsupportedOperation,
            fmt::format("'{}' is open with MPI_MODE_SEQUENTIAL: only the shared file pointer may be used", path_)};
  }
  if (transfer.collective && split_active()) {
    return {ErrorClass::kIo, fmt::format("a split collective call on '{}' has begun and not ended", path_)};
  }
  if (transfer.offset < 0) {
    return {ErrorClass::kArgument, fmt::format("offset {} in '{}' is negative", transfer.offset, path_)};
  }
  if (bytes % view.etype_bytes() != 0) {
    return {ErrorClass::kIo, fmt::format("{} bytes are not a whole number of etypes of {} bytes, as an access to '{}' "
                                         "must be",
                                         bytes, view.etype_bytes(), path_)};
  }
  if (bytes > 0 && view.filetype().data_bytes() == 0) {
    return {ErrorClass::kIo, fmt::format("the view of '{}' has no bytes to access", path_)};
  }
  return {};
}

Access OpenFile::prepare(const Transfer& transfer) {
  Access access;
  access.direction = transfer.direction;
  access.collective = transfer.collective;
  access.positioning = transfer.positioning;
  access.atomic = atomic_;
  access.view = view();
  access.memory = transfer.memory;
  access.refused = check_transfer(transfer, access.view);
  if (!access.refused.ok()) return access;
  const std::int64_t etypes = access.memory.layout.data_bytes() / access.view.etype_bytes();
  Result<std::int64_t> place = take_place(transfer, etypes);
  access.refused = place.ok() && !access.ordered() ? settle_place(access, place.value()) : place.status();
  return access;
}

Status OpenFile::settle_place(Access& access, std::int64_t place) {
  std::int64_t data_offset = 0;
  if (__builtin_mul_overflow(place, access.view.etype_bytes(), &data_offset)) {
    return {ErrorClass::kArgument, fmt::format("offset {} in '{}' is too large", place, path_)};
  }
  Result<layout::RequestList> requests = layout::RequestList::make(access.view, data_offset, access.memory);
  if (requests.ok()) access.requests = std::move(requests).value();
  return requests.status();
}

driver::IoOutcome OpenFile::run(Access& access) {
  if (!access.collective) return run_independent(access);
  driver::IoOutcome outcome;
  collective_strand_.run([&] { outcome = run_collective(access); }, company());
  return outcome;
}

void OpenFile::start(Access access, std::function<void(driver::IoOutcome)> done) {
  sys::Strand& strand = access.collective ? collective_strand_ : background_strand_;
  auto kept = std::make_shared<Access>(std::move(access));
  const auto job = [this, kept, done = std::move(done)] {
    done(kept->collective ? run_collective(*kept) : run_independent(*kept));
  };
  if (!strand.post(job)) strand.run(job, company());
}

plan::AccessRules OpenFile::access_rules() const {
  std::scoped_lock lock(mutex_);
  plan::AccessRules rules;
  rules.sieve_reads = toggle_of(hints_.choice<hints::Toggle>(hints::Id::kRomioDsRead));
  rules.sieve_writes = toggle_of(hints_.choice<hints::Toggle>(hints::Id::kRomioDsWrite));
  rules.sole_owner = mode_.unique_open && mode_.read_write && channels_.collective->size() == 1;
  rules.read_buffer_bytes = hints_.integer(hints::Id::kIndRdBufferSize);
  rules.write_buffer_bytes = hints_.integer(hints::Id::kIndWrBufferSize);
  rules.prefetch = {hints_.integer(hints::Id::kWeirMaxAcc), facts_.storage.lock_bytes};
  return rules;
}

driver::IoOutcome OpenFile::run_independent(const Access& access) {
  driver::IoOutcome outcome = run_alone(access);
  note(access, outcome);
  return outcome;
}

driver::IoOutcome OpenFile::run_alone(const Access& access) {
  if (!access.refused.ok()) return {0, access.refused};
  try {
    return finished(access, access.requests.bytes() > 0 ? move(access) : driver::IoOutcome());
  } catch (const std::bad_alloc&) {  // the other ranks of a collective call wait for the outcome, whatever it is
    return {0, Status(ErrorClass::kNoMemory, fmt::format("no memory for an access to '{}'", path_))};
  }
}

// The access's own last step. What it throws is a failure like any other: the other ranks wait for the outcome.
driver::IoOutcome OpenFile::finished(const Access& access, driver::IoOutcome outcome) {
  if (!access.finish) return outcome;
  driver::IoOutcome last;
  Status status = guarded([&]() -> Status {
    last = access.finish(std::move(outcome));
    return std::move(last.status);
  });
  return {last.bytes_moved, std::move(status)};
}

driver::IoOutcome OpenFile::move(const Access& access) {
  trace::Stopwatch stopwatch(counters_,
                             access.collective ? trace::Counter::kFileTime : trace::Counter::kIndependentTime);
  plan::AccessShape shape = shape_of(access.direction, access.requests);
  plan::AccessChoice choice = plan::choose_access(shape, access_rules());
  std::unique_ptr<driver::RangeLock> held;
  if (access.atomic) {
    auto kind = access.direction == Direction::kRead ? driver::LockKind::kShared : driver::LockKind::kExclusive;
    auto lock = file_->lock(shape.file_extent, kind);
    if (!lock.ok()) return {0, lock.status()};
    held = std::move(lock).value();
  }
  driver::IoOutcome outcome = access_file(*file_, access.direction, access.requests, choice);
  counters_.add(counter_of(choice.method));
  counters_.add(trace::by_direction(access.direction, trace::Counter::kPiecesRead, trace::Counter::kPiecesWritten),
                shape.file_pieces);
  std::scoped_lock lock(mutex_);
  last_choice_ = std::move(choice);
  return outcome;
}

void OpenFile::note(const Access& access, const driver::IoOutcome& outcome) {
  using trace::Counter;
  const bool collective = access.collective;
  counters_.add(trace::by_direction(access.direction,
                                    collective ? Counter::kCollectiveReads : Counter::kIndependentReads,
                                    collective ? Counter::kCollectiveWrites : Counter::kIndependentWrites));
  counters_.add(trace::by_direction(access.direction, Counter::kBytesRead, Counter::kBytesWritten),
                outcome.bytes_moved);
  if (!outcome.status.ok()) counters_.add(Counter::kFailures);
}

}  // namespace weir::exec
