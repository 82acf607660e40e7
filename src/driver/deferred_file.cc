#include "driver/deferred_file.h"

#include <fmt/format.h>

namespace weir::driver {

Status DeferredFile::touch() {
  if (is_open()) return {};
  std::scoped_lock lock(mutex_);
  if (is_open()) return {};
  Result<std::unique_ptr<File>> opened = open_();
  if (!opened.ok()) return opened.status();
  const std::uint64_t found = opened.value()->identity();
  if (found != known_.identity) {
    return {ErrorClass::kNoSuchFile,
            fmt::format("'{}' is another file than it was when the ranks opened it", known_.path)};
  }
  file_ = std::move(opened).value();
  ready_.store(file_.get(), std::memory_order_release);
  return {};
}

IoOutcome DeferredFile::transfer(Direction direction, std::span<const IoRequest> requests) {
  if (File* open_file = ready_.load(std::memory_order_acquire)) return open_file->transfer(direction, requests);
  Status open = touch();
  return open.ok() ? file_->transfer(direction, requests) : IoOutcome{0, std::move(open)};
}

std::int64_t DeferredFile::prefetch(std::span<const Extent> ranges) {
  return touch().ok() ? file_->prefetch(ranges) : 0;
}

void DeferredFile::release(std::span<const Extent> ranges) {
  if (is_open()) file_->release(ranges);
}

Result<std::int64_t> DeferredFile::size() {
  Status open = touch();
  return open.ok() ? file_->size() : open;
}

Status DeferredFile::resize(std::int64_t bytes) {
  Status open = touch();
  return open.ok() ? file_->resize(bytes) : open;
}

Status DeferredFile::preallocate(std::int64_t bytes) {
  Status open = touch();
  return open.ok() ? file_->preallocate(bytes) : open;
}

Result<std::unique_ptr<RangeLock>> DeferredFile::lock(Extent range, LockKind kind) {
  Status open = touch();
  if (!open.ok()) return open;
  return file_->lock(range, kind);
}

Result<bool> DeferredFile::locked_by_other(Extent range) {
  Status open = touch();
  if (!open.ok()) return open;
  return file_->locked_by_other(range);
}

}  // namespace weir::driver
