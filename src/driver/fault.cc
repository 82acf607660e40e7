#include "driver/fault.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

#include "sys/waiting.h"

namespace weir::driver {

// The plan and how far it has come, shared by the driver and its files.
class FaultDriver::Script {
 public:
  explicit Script(FaultPlan plan) : plan_(std::move(plan)) {}

  // Counts a call of `operation`; the fault that strikes it, if any.
  std::optional<Fault> next(Operation operation) {
    std::int64_t call = calls_[index(operation)].fetch_add(1);
    for (const Fault& fault : plan_.faults) {
      bool strikes =
          fault.operation == operation && fault.first_call <= call && call - fault.first_call < fault.call_count;
      if (!strikes) continue;
      strikes_.fetch_add(1);
      return fault;
    }
    return std::nullopt;
  }

  // next(), as the status of a call that fails before it has done anything.
  Status next_status(Operation operation, const char* what, const std::string& path) {
    std::optional<Fault> fault = next(operation);
    return fault ? Status::from_errno(fault->error_number, what, path) : Status();
  }

  std::int64_t calls(Operation operation) const { return calls_[index(operation)].load(); }
  std::int64_t strikes() const { return strikes_.load(); }
  std::chrono::microseconds transfer_delay() const { return plan_.transfer_delay; }

 private:
  static std::size_t index(Operation operation) { return static_cast<std::size_t>(operation); }

  const FaultPlan plan_;
  std::array<std::atomic<std::int64_t>, kOperationCount> calls_ = {};
  std::atomic<std::int64_t> strikes_ = 0;
};

namespace {

// The requests that make up the first `bytes` of a batch.
std::vector<IoRequest> prefix(std::span<const IoRequest> requests, std::int64_t bytes) {
  std::vector<IoRequest> first;
  for (IoRequest request : requests) {
    if (bytes <= 0) break;
    request.bytes = std::min(request.bytes, bytes);
    bytes -= request.bytes;
    first.push_back(request);
  }
  return first;
}

// Where in the file the batch goes on after its first `moved_bytes`.
std::int64_t offset_after(std::span<const IoRequest> requests, std::int64_t moved_bytes) {
  for (const IoRequest& request : requests) {
    if (moved_bytes < request.bytes) return request.offset + moved_bytes;
    moved_bytes -= request.bytes;
  }
  return -1;
}

}  // namespace

class FaultDriver::FaultFile final : public File {
 public:
  FaultFile(std::shared_ptr<Script> script, std::unique_ptr<File> wrapped, std::string path)
      : script_(std::move(script)), wrapped_(std::move(wrapped)), path_(std::move(path)) {}

  IoOutcome transfer(Direction direction, std::span<const IoRequest> requests) override;

  std::int64_t prefetch(std::span<const Extent> ranges) override {
    return script_->next(Operation::kPrefetch) ? 0 : wrapped_->prefetch(ranges);
  }
  void release(std::span<const Extent> ranges) override { wrapped_->release(ranges); }
  Result<std::int64_t> size() override {
    Status fault = script_->next_status(Operation::kSize, "size", path_);
    return fault.ok() ? wrapped_->size() : fault;
  }
  Status resize(std::int64_t bytes) override {
    Status fault = script_->next_status(Operation::kResize, "resize", path_);
    return fault.ok() ? wrapped_->resize(bytes) : fault;
  }
  Status preallocate(std::int64_t bytes) override {
    Status fault = script_->next_status(Operation::kPreallocate, "preallocate", path_);
    return fault.ok() ? wrapped_->preallocate(bytes) : fault;
  }
  Status sync() override {
    Status fault = script_->next_status(Operation::kSync, "sync", path_);
    return fault.ok() ? wrapped_->sync() : fault;
  }
  void refresh() override { wrapped_->refresh(); }
  void refresh_bytes() override { wrapped_->refresh_bytes(); }
  void refresh_range(Extent range) override { wrapped_->refresh_range(range); }
  Status resized(std::int64_t bytes) override { return wrapped_->resized(bytes); }
  Result<std::unique_ptr<RangeLock>> lock(Extent range, LockKind kind) override {
    Status fault = script_->next_status(Operation::kLock, "lock", path_);
    if (!fault.ok()) return fault;
    return wrapped_->lock(range, kind);
  }
  Result<bool> locked_by_other(Extent range) override { return wrapped_->locked_by_other(range); }
  Status close() override {
    Status fault = script_->next_status(Operation::kClose, "close", path_);
    return std::move(fault).or_else(wrapped_->close());
  }
  Capabilities capabilities() const override { return wrapped_->capabilities(); }
  StorageLayout storage() const override { return wrapped_->storage(); }
  IoCounters counters() const override { return wrapped_->counters(); }
  std::uint64_t identity() const override { return wrapped_->identity(); }

 private:
  std::shared_ptr<Script> script_;
  std::unique_ptr<File> wrapped_;
  std::string path_;
};

IoOutcome FaultDriver::FaultFile::transfer(Direction direction, std::span<const IoRequest> requests) {
  bool reading = direction == Direction::kRead;
  std::optional<Fault> fault = script_->next(Operation::kTransfer);
  std::optional<Fault> of_direction = script_->next(reading ? Operation::kRead : Operation::kWrite);
  if (!fault) fault = of_direction;
  if (script_->transfer_delay().count() > 0) sys::sleep_for(script_->transfer_delay());
  if (!fault) return wrapped_->transfer(direction, requests);

  IoOutcome outcome;
  if (fault->bytes_before > 0) {
    outcome = wrapped_->transfer(direction, prefix(requests, fault->bytes_before));
  }
  if (outcome.status.ok()) {
    outcome.status = Status::from_errno(fault->error_number, reading ? "read" : "write", path_,
                                        offset_after(requests, outcome.bytes_moved));
  }
  return outcome;
}

FaultDriver::FaultDriver(FileDriver& wrapped, FaultPlan plan)
    : wrapped_(wrapped), script_(std::make_shared<Script>(std::move(plan))) {}

Result<std::unique_ptr<File>> FaultDriver::open(const std::string& path, OpenMode mode, bool* created) {
  if (created != nullptr) *created = false;
  Status fault = script_->next_status(Operation::kOpen, "open", path);
  if (!fault.ok()) return fault;
  Result<std::unique_ptr<File>> opened = wrapped_.open(path, mode, created);
  if (!opened.ok()) return opened.status();
  return std::unique_ptr<File>(std::make_unique<FaultFile>(script_, std::move(opened).value(), path));
}

Status FaultDriver::remove(const std::string& path) {
  Status fault = script_->next_status(Operation::kRemove, "remove", path);
  return fault.ok() ? wrapped_.remove(path) : fault;
}

std::int64_t FaultDriver::calls(Operation operation) const { return script_->calls(operation); }

std::int64_t FaultDriver::strikes() const { return script_->strikes(); }

}  // namespace weir::driver
