// The file pointers of an OpenFile: individual and shared, in etypes of the current view.
#include <fmt/format.h>

#include <utility>

#include "base/guarded.h"
#include "comm/collectives.h"
#include "exec/file/open_file.h"

namespace weir::exec {

namespace {

Status refuse_sequential(const std::string& path) {
  return {
      ErrorClass::kUnsupportedOperation,
      fmt::format("'{}' is open with MPI_MODE_SEQUENTIAL: it can only be read or written by the shared file pointer, "
                  "without seeking",
                  path)};
}

Status no_shared_pointer(const std::string& path) {
  return {
      ErrorClass::kUnsupportedOperation,
      fmt::format("the shared file pointer of '{}' is not available: rank 0 could not start a thread for it", path)};
}

Result<std::int64_t> target_of(std::int64_t base, std::int64_t offset) {
  std::int64_t target = 0;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) {
    return Status(ErrorClass::kArgument, fmt::format("seek from {} by {} leads before the beginning", base, offset));
  }
  return target;
}

}  // namespace

// Positions are whole etypes; the end is after the last etype that lies in the file entirely or in part.
Result<std::int64_t> OpenFile::end_position(const layout::FileView& view) {
  Result<std::int64_t> bytes = file_->size();
  if (!bytes.ok()) return bytes.status();
  return (view.data_bytes_below(bytes.value()) + view.etype_bytes() - 1) / view.etype_bytes();
}

Status OpenFile::seek(std::int64_t offset, Whence whence) {
  if (mode_.sequential) return refuse_sequential(path_);
  std::int64_t base = 0;
  if (whence == Whence::kEnd) {
    Result<std::int64_t> end = end_position(view());
    if (!end.ok()) return end.status();
    base = end.value();
  }
  std::scoped_lock lock(mutex_);
  if (whence == Whence::kCurrent) base = position_;
  Result<std::int64_t> target = target_of(base, offset);
  if (target.ok()) position_ = target.value();
  return target.status();
}

Result<std::int64_t> OpenFile::position() const {
  if (mode_.sequential) return refuse_sequential(path_);
  std::scoped_lock lock(mutex_);
  return position_;
}

Result<std::int64_t> OpenFile::shared_position() {
  if (mode_.sequential) return refuse_sequential(path_);
  if (!shared_pointer_) return no_shared_pointer(path_);
  return shared_pointer_->load();
}

Result<std::int64_t> OpenFile::current_displacement() {
  if (!shared_pointer_) return no_shared_pointer(path_);
  Result<std::int64_t> position = shared_pointer_->load();
  if (!position.ok()) return position.status();
  layout::FileView current = view();
  return current.file_offset(position.value() * current.etype_bytes());
}

Result<std::int64_t> OpenFile::byte_offset(std::int64_t offset) const {
  if (mode_.sequential) return refuse_sequential(path_);
  layout::FileView current = view();
  std::int64_t data_offset = 0;
  if (offset < 0 || __builtin_mul_overflow(offset, current.etype_bytes(), &data_offset)) {
    return Status(ErrorClass::kArgument, fmt::format("view offset {} is out of range", offset));
  }
  return current.file_offset(data_offset);
}

Status OpenFile::seek_shared(std::int64_t offset, const Result<Whence>& whence) {
  if (mode_.sequential) return refuse_sequential(path_);
  if (!shared_pointer_) return no_shared_pointer(path_);
  const std::int64_t code = whence.ok() ? static_cast<std::int64_t>(whence.value()) : 0;
  const Appointment appointment = {CallKind::kSeekShared,
                                   [&] { return whence.status(); },
                                   {offset, code},
                                   "the offset or whence given to MPI_File_seek_shared"};
  return together(appointment, [&] {
    return on_rank_0([&]() -> Status {
      Result<std::int64_t> base = std::int64_t{0};
      if (whence.value() == Whence::kCurrent) base = shared_pointer_->load();
      if (whence.value() == Whence::kEnd) base = end_position(view());
      if (!base.ok()) return base.status();
      Result<std::int64_t> target = target_of(base.value(), offset);
      return target.ok() ? shared_pointer_->store(target.value()) : target.status();
    });
  });
}

Result<std::int64_t> OpenFile::take_place(const Transfer& transfer, std::int64_t etypes) {
  switch (transfer.positioning) {
    case Positioning::kExplicit: return transfer.offset;
    case Positioning::kIndividual: {
      std::scoped_lock lock(mutex_);
      std::int64_t next = 0;
      if (__builtin_add_overflow(position_, etypes, &next)) {
        return Status(ErrorClass::kArgument, fmt::format("{} etypes from {} on reach too far", etypes, position_));
      }
      return std::exchange(position_, next);
    }
    case Positioning::kShared:
      if (!shared_pointer_) return no_shared_pointer(path_);
      return shared_pointer_->fetch_add(etypes);
    case Positioning::kOrdered:
      if (!shared_pointer_) return no_shared_pointer(path_);
      return std::int64_t{0};
  }
  return Status(ErrorClass::kInternal, "unknown positioning");
}

// Ranks follow each other in rank order from where the shared pointer stands; one message round takes the sizes,
// another tells where the first begins. A refused access takes no room.
Status OpenFile::place_ordered(Access& access) {
  const std::int64_t etypes = access.refused.ok() ? access.memory.layout.data_bytes() / access.view.etype_bytes() : 0;
  const Result<std::vector<Arrival>> all = meet({access.call(), 0, {etypes}, {}});
  if (out_of_step_) return all.status();
  std::int64_t before = 0;
  std::int64_t total = 0;
  if (all.ok()) {
    for (std::size_t other = 0; other < all.value().size(); ++other) {
      if (other < static_cast<std::size_t>(rank())) before += all.value()[other].values[0];
      total += all.value()[other].values[0];
    }
  }
  struct Start {
    std::int64_t place;
    std::int64_t failed;
  } start = {0, 0};
  Status status = all.status();
  if (rank() == 0 && status.ok()) {
    Result<std::int64_t> place =
        shared_pointer_ ? shared_pointer_->fetch_add(total) : Result<std::int64_t>(no_shared_pointer(path_));
    start = {place.ok() ? place.value() : 0, place.ok() ? 0 : 1};
    status = place.status();
  }
  status = std::move(status).or_else(comm::broadcast_value(comm(), 0, start));
  if (start.failed != 0) status = std::move(status).or_else(no_shared_pointer(path_));
  if (!status.ok()) return status;
  std::int64_t place = 0;
  if (__builtin_add_overflow(start.place, before, &place)) {
    return {ErrorClass::kArgument, fmt::format("{} etypes from {} on reach too far", before, start.place)};
  }
  return guarded([&] { return settle_place(access, place); });
}

}  // namespace weir::exec
