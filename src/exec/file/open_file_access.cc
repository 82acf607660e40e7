// Data access of a file: a transfer is prepared, then run at once or started.
#include <fmt/format.h>

#include "exec/file/open_file.h"
#include "trace/span.h"

namespace weir::exec {

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
  if (transfer.collective && split_.active()) {
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
  Result<std::int64_t> place = pointers_.take(transfer.positioning, transfer.offset, access.etypes());
  access.refused = place.ok() && !access.ordered() ? settle_place(access, place.value(), path_) : place.status();
  return access;
}

std::optional<driver::IoOutcome> OpenFile::run_flat(const FlatTransfer& transfer) {
  const Direction direction = transfer.direction;
  const bool allowed = direction == Direction::kRead ? mode_.reads() : mode_.writes();
  const bool shown = counters_.line().timeline != nullptr;  // call by call
  if (!allowed || transfer.bytes <= 0 || atomic_ || independent_.prefetches(direction) || shown) return std::nullopt;
  const auto offset = pointers_.take_flat(transfer.positioning, transfer.offset, transfer.bytes);
  if (!offset.has_value()) return std::nullopt;
  if (record_.recorder == nullptr) return independent_.run_request(direction, {*offset, transfer.data, transfer.bytes});
  const trace::Nanoseconds begun = trace::now();
  driver::IoOutcome outcome = independent_.run_request(direction, {*offset, transfer.data, transfer.bytes});
  record_flat(transfer, *offset, begun);
  return outcome;
}

namespace {

// Where in the file the bytes end that were written; 0 where none were.
std::int64_t written_end(const Access& access, const driver::IoOutcome& outcome) {
  const bool written = access.direction == Direction::kWrite && outcome.status.ok() && outcome.bytes_moved > 0;
  return written ? access.requests.file_extent().end : 0;
}

}  // namespace

Status OpenFile::flush_own() {
  const std::int64_t written = file_->counters().bytes_written;
  if (written == flushed_bytes_) return {};
  Status status = file_->sync();
  if (status.ok()) flushed_bytes_ = written;
  return status;
}

driver::IoOutcome OpenFile::run_here(Access& access) {
  driver::IoOutcome outcome = move(access);
  record_end(access, !outcome.status.ok());
  return outcome;
}

driver::IoOutcome OpenFile::move(Access& access) {
  const trace::Span span(counters_.line(), [&] { return name_of(access); },
                         {trace::kUnsaid, access.refused.ok() ? access.memory.layout.data_bytes() : 0});
  if (!access.collective) return independent_.run(access);
  if (agents_ != nullptr) access.refused = std::move(access.refused).or_else(agents_->begin_together());
  if (told_) access.refused = std::move(access.refused).or_else(flush_own());
  driver::IoOutcome outcome = collective_->run(access);
  if (told_ && access.direction == Direction::kWrite) file_->refresh_range(access.requests.file_extent());
  if (agents_ != nullptr) agents_->end_together(written_end(access, outcome));
  return outcome;
}

driver::IoOutcome OpenFile::run(Access& access) {
  record_begin(access);
  if (!access.collective) return run_here(access);
  driver::IoOutcome outcome;
  collective_strand_.run([&] { outcome = run_here(access); }, company());
  return outcome;
}

void OpenFile::start(Access access, std::function<void(driver::IoOutcome)> done) {
  record_begin(access);
  sys::Strand& strand = access.collective ? collective_strand_ : background_strand_;
  auto kept = std::make_shared<Access>(std::move(access));
  const auto job = [this, kept, done = std::move(done)] { done(run_here(*kept)); };
  if (!strand.post(job)) strand.run(job, company());
}

Status OpenFile::begin_split(SplitKind kind, Access access) {
  access.manner = Manner::kSplit;
  const std::shared_ptr<Promise> promise = split_.begin(kind);
  if (!promise) return run(access).status;  // refused by check_transfer()
  start(std::move(access), [promise](driver::IoOutcome outcome) { promise->keep(std::move(outcome)); });
  return {};
}

driver::IoOutcome OpenFile::end_split(SplitKind kind) {
  const std::shared_ptr<Promise> promise = split_.end(kind);
  if (promise) {
    driver::IoOutcome outcome;
    recorded({.kind = capture::OpKind::kEndSplit}, [&] {
      outcome = promise->take(company());
      return Status();
    }).ignore();
    return outcome;
  }
  return {0, Status(ErrorClass::kIo, fmt::format("no matching split collective call has begun on '{}'", path_))};
}

}  // namespace weir::exec
