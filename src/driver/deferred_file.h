// DeferredFile: a file that is opened when it is first touched.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "driver/file_driver.h"

namespace weir::driver {

// For ranks that leave the file to others: thousands that open one file at a time are a burden for its file system. An
// open that fails is the failure of the call that needed it; the next call tries again. Thread-safe as its File is.
class DeferredFile final : public File {
 public:
  // What somebody who has opened the file says of it.
  struct Known {
    std::string path;
    std::uint64_t identity = 0;
    Capabilities capabilities = {};
    StorageLayout storage = {};
  };
  using Open = std::function<Result<std::unique_ptr<File>>()>;

  // `open` is called from any thread, not twice at a time. A file that is not the known one is not used.
  DeferredFile(Known known, Open open) : known_(std::move(known)), open_(std::move(open)) {}

  bool is_open() const { return ready_.load(std::memory_order_acquire) != nullptr; }

  IoOutcome transfer(Direction direction, std::span<const IoRequest> requests) override;
  std::int64_t prefetch(std::span<const Extent> ranges) override;
  void release(std::span<const Extent> ranges) override;
  Result<std::int64_t> size() override;
  Status resize(std::int64_t bytes) override;
  Status preallocate(std::int64_t bytes) override;
  // Who has not opened the file has nothing to flush, refresh, count or close.
  Status sync() override { return is_open() ? file_->sync() : Status(); }
  void refresh() override {
    if (is_open()) file_->refresh();
  }
  void refresh_bytes() override {
    if (is_open()) file_->refresh_bytes();
  }
  void refresh_range(Extent range) override {
    if (is_open()) file_->refresh_range(range);
  }
  Status resized(std::int64_t bytes) override { return is_open() ? file_->resized(bytes) : Status(); }
  IoCounters counters() const override { return is_open() ? file_->counters() : IoCounters(); }
  Status close() override { return is_open() ? file_->close() : Status(); }
  Result<std::unique_ptr<RangeLock>> lock(Extent range, LockKind kind) override;
  Result<bool> locked_by_other(Extent range) override;
  Capabilities capabilities() const override { return known_.capabilities; }
  StorageLayout storage() const override { return known_.storage; }
  std::uint64_t identity() const override { return known_.identity; }

 private:
  Status touch();

  const Known known_;
  const Open open_;
  std::mutex mutex_;  // held while it is opened
  std::unique_ptr<File> file_;
  std::atomic<File*> ready_ = nullptr;
};

}  // namespace weir::driver
