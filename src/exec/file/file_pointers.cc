#include "exec/file/file_pointers.h"

#include <fmt/format.h>

#include <utility>

#include "base/guarded.h"
#include "comm/collectives.h"

namespace weir::exec {

namespace {

Result<std::int64_t> target_of(std::int64_t base, std::int64_t offset) {
  std::int64_t target = 0;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) {
    return Status(ErrorClass::kArgument, fmt::format("seek from {} by {} leads before the beginning", base, offset));
  }
  return target;
}

Status too_far(std::int64_t etypes, std::int64_t from) {
  return {ErrorClass::kArgument, fmt::format("{} etypes from {} on reach too far", etypes, from)};
}

}  // namespace

Status FilePointers::refuse_sequential() const {
  return {
      ErrorClass::kUnsupportedOperation,
      fmt::format("'{}' is open with MPI_MODE_SEQUENTIAL: it can only be read or written by the shared file pointer, "
                  "without seeking",
                  path_)};
}

Status FilePointers::no_shared_pointer() const {
  return {
      ErrorClass::kUnsupportedOperation,
      fmt::format("the shared file pointer of '{}' is not available: rank 0 could not start a thread for it", path_)};
}

layout::FileView FilePointers::view() const {
  std::scoped_lock lock(mutex_);
  return view_;
}

void FilePointers::set_view(const layout::FileView& view) {
  std::scoped_lock lock(mutex_);
  view_ = view;
  flat_.set(view);
  position_ = 0;
  moved_shared_ = false;
}

Status FilePointers::store_shared(std::int64_t position) {
  if (!shared_) return {};
  moved_shared_ = true;
  return shared_->store(position);
}

std::optional<std::int64_t> FilePointers::advance(std::int64_t etypes) {
  std::int64_t from = position_.load();
  std::int64_t next = 0;
  do {
    if (__builtin_add_overflow(from, etypes, &next)) return std::nullopt;
  } while (!position_.compare_exchange_weak(from, next));
  return from;
}

std::optional<std::int64_t> FilePointers::take_flat(Positioning positioning, std::int64_t offset, std::int64_t bytes) {
  const std::optional<FlatView::Stretch> view = flat_.get();
  if (sequential_ || !view.has_value()) return std::nullopt;
  const std::int64_t etypes = view->etype_bytes == 1 ? bytes : bytes / view->etype_bytes;
  if (etypes * view->etype_bytes != bytes) return std::nullopt;
  if (positioning == Positioning::kExplicit) return view->offset_of(offset, bytes);
  if (positioning != Positioning::kIndividual) return std::nullopt;
  std::int64_t from = position_.load();
  std::optional<std::int64_t> found;
  do {
    found = view->offset_of(from, bytes);
  } while (found.has_value() && !position_.compare_exchange_weak(from, from + etypes));
  return found;
}

std::int64_t FilePointers::flat_place(std::int64_t file_offset) const {
  const FlatView::Stretch view = flat_.get().value_or(FlatView::Stretch());
  return (file_offset - view.begin) / view.etype_bytes;
}

void FilePointers::start_at(std::int64_t position) { position_ = position; }

// Positions are whole etypes; the end is after the last etype that lies in the file entirely or in part.
Result<std::int64_t> FilePointers::end_position(driver::File& file) const {
  Result<std::int64_t> bytes = file.size();
  if (!bytes.ok()) return bytes.status();
  const layout::FileView current = view();
  return (current.data_bytes_below(bytes.value()) + current.etype_bytes() - 1) / current.etype_bytes();
}

Status FilePointers::seek(driver::File& file, std::int64_t offset, Whence whence) {
  if (sequential_) return refuse_sequential();
  std::int64_t base = 0;
  if (whence == Whence::kEnd) {
    Result<std::int64_t> end = end_position(file);
    if (!end.ok()) return end.status();
    base = end.value();
  }
  std::int64_t from = position_.load();
  Result<std::int64_t> target = std::int64_t{0};
  do {
    target = target_of(whence == Whence::kCurrent ? from : base, offset);
  } while (target.ok() && !position_.compare_exchange_weak(from, target.value()));
  return target.status();
}

Result<std::int64_t> FilePointers::position() const {
  if (sequential_) return refuse_sequential();
  return position_.load();
}

Result<std::int64_t> FilePointers::shared_position() {
  Status usable = can_seek_shared();
  if (!usable.ok()) return usable;
  return shared_->load();
}

Result<std::int64_t> FilePointers::current_displacement() {
  if (!shared_) return no_shared_pointer();
  Result<std::int64_t> position = shared_->load();
  if (!position.ok()) return position.status();
  const layout::FileView current = view();
  return current.file_offset(position.value() * current.etype_bytes());
}

Result<std::int64_t> FilePointers::byte_offset(std::int64_t offset) const {
  if (sequential_) return refuse_sequential();
  const layout::FileView current = view();
  std::int64_t data_offset = 0;
  if (offset < 0 || __builtin_mul_overflow(offset, current.etype_bytes(), &data_offset)) {
    return Status(ErrorClass::kArgument, fmt::format("view offset {} is out of range", offset));
  }
  return current.file_offset(data_offset);
}

Status FilePointers::can_seek_shared() const {
  if (sequential_) return refuse_sequential();
  return shared_ ? Status() : no_shared_pointer();
}

Status FilePointers::seek_shared(driver::File& file, std::int64_t offset, Whence whence) {
  Result<std::int64_t> base = std::int64_t{0};
  if (whence == Whence::kCurrent) base = shared_->load();
  if (whence == Whence::kEnd) base = end_position(file);
  if (!base.ok()) return base.status();
  Result<std::int64_t> target = target_of(base.value(), offset);
  return target.ok() ? store_shared(target.value()) : target.status();
}

Result<std::int64_t> FilePointers::take(Positioning positioning, std::int64_t offset, std::int64_t etypes) {
  switch (positioning) {
    case Positioning::kExplicit: return offset;
    case Positioning::kIndividual:
      if (const std::optional<std::int64_t> from = advance(etypes)) return *from;
      return too_far(etypes, position_);
    case Positioning::kShared:
      if (!shared_) return no_shared_pointer();
      moved_shared_ = true;
      return shared_->fetch_add(etypes);
    case Positioning::kOrdered:
      if (!shared_) return no_shared_pointer();
      moved_shared_ = true;
      return std::int64_t{0};
  }
  return Status(ErrorClass::kInternal, "unknown positioning");
}

// Ranks meet, sum up what they have, and hear of where the first begins.
Status FilePointers::take_in_order(Access& access, Meeting& meeting) {
  Status status = meeting.meet(call_of(access));
  if (meeting.out_of_step()) return status;
  const Result<comm::Scan> scan = comm::scan_sum(meeting.comm(), access.refused.ok() ? access.etypes() : 0);
  status = std::move(status).or_else(scan.status());
  const comm::Scan etypes = scan.ok() ? scan.value() : comm::Scan();
  struct Start {
    std::int64_t place;
    std::int64_t failed;
  } start = {0, 0};
  if (meeting.comm().rank() == 0 && status.ok()) {
    Result<std::int64_t> place = shared_ ? shared_->fetch_add(etypes.total) : Result<std::int64_t>(no_shared_pointer());
    start = {place.ok() ? place.value() : 0, place.ok() ? 0 : 1};
    status = place.status();
  }
  status = std::move(status).or_else(comm::broadcast_value(meeting.comm(), 0, start));
  if (start.failed != 0) status = std::move(status).or_else(no_shared_pointer());
  if (!status.ok()) return status;
  std::int64_t place = 0;
  if (__builtin_add_overflow(start.place, etypes.before, &place)) return too_far(etypes.before, start.place);
  return guarded([&] { return settle_place(access, place, path_); });
}

}  // namespace weir::exec
