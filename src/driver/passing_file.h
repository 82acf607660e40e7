// PassingFile: a file that stands before another one and passes everything on; for those that change a part of it.
#pragma once

#include <memory>

#include "driver/file_driver.h"

namespace weir::driver {

class PassingFile : public File {
 public:
  // The file outlives it.
  explicit PassingFile(File& file) : passed_(file) {}

  IoOutcome transfer(Direction direction, std::span<const IoRequest> requests) override {
    return passed_.transfer(direction, requests);
  }
  std::int64_t prefetch(std::span<const Extent> ranges) override { return passed_.prefetch(ranges); }
  void release(std::span<const Extent> ranges) override { passed_.release(ranges); }
  Result<std::int64_t> size() override { return passed_.size(); }
  Status resize(std::int64_t bytes) override { return passed_.resize(bytes); }
  Status preallocate(std::int64_t bytes) override { return passed_.preallocate(bytes); }
  Status sync() override { return passed_.sync(); }
  void refresh() override { passed_.refresh(); }
  void refresh_bytes() override { passed_.refresh_bytes(); }
  void refresh_range(Extent range) override { passed_.refresh_range(range); }
  Status resized(std::int64_t bytes) override { return passed_.resized(bytes); }
  Result<std::unique_ptr<RangeLock>> lock(Extent range, LockKind kind) override { return passed_.lock(range, kind); }
  Result<bool> locked_by_other(Extent range) override { return passed_.locked_by_other(range); }
  Capabilities capabilities() const override { return passed_.capabilities(); }
  StorageLayout storage() const override { return passed_.storage(); }
  std::string io_replaced() const override { return passed_.io_replaced(); }
  IoCounters counters() const override { return passed_.counters(); }
  std::uint64_t identity() const override { return passed_.identity(); }
  Status close() override { return passed_.close(); }

 protected:
  File& passed() const { return passed_; }

 private:
  File& passed_;
};

}  // namespace weir::driver
