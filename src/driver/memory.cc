#include "driver/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>
#include <mutex>

#include "driver/checks.h"
#include "driver/counters.h"
#include "driver/range_gate.h"
#include "driver/sparse_bytes.h"

namespace weir::driver {

namespace {

// One file, whatever it is called and however often it is open. All but the gate is guarded by Shared::mutex.
struct Node {
  SparseBytes bytes;
  bool read_only = false;
  bool removed = false;  // then it no longer counts against the capacity
  RangeGate gate;
};

class MemoryLock final : public RangeLock {
 public:
  MemoryLock(std::shared_ptr<Node> node, RangeGate::Ticket ticket) : node_(std::move(node)), ticket_(ticket) {}
  MemoryLock(const MemoryLock&) = delete;
  MemoryLock& operator=(const MemoryLock&) = delete;
  ~MemoryLock() override { node_->gate.leave(ticket_); }

 private:
  std::shared_ptr<Node> node_;
  RangeGate::Ticket ticket_;
};

}  // namespace

struct MemoryDriver::Shared {
  explicit Shared(MemoryOptions given) : options(std::move(given)) {}

  const MemoryOptions options;
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Node>> nodes = {};
  std::int64_t used_bytes = 0;

  // The largest size the node may have.
  std::int64_t most_bytes(const Node& node) const {
    return node.removed ? std::numeric_limits<std::int64_t>::max()
                        : node.bytes.size() + (options.capacity_bytes - used_bytes);
  }

  // REQUIRES: bytes <= most_bytes(node).
  void resize(Node& node, std::int64_t bytes) {
    if (!node.removed) used_bytes += bytes - node.bytes.size();
    node.bytes.resize(bytes);
  }
};

class MemoryDriver::OpenMemoryFile final : public File {
 public:
  OpenMemoryFile(std::shared_ptr<Shared> shared, std::shared_ptr<Node> node, OpenMode mode, std::string path)
      : shared_(std::move(shared)), node_(std::move(node)), mode_(mode), path_(std::move(path)) {}

  IoOutcome transfer(Direction direction, std::span<const IoRequest> requests) override;
  std::int64_t prefetch(std::span<const Extent> ranges) override;
  void release(std::span<const Extent> ranges) override;
  Result<std::int64_t> size() override;
  Status resize(std::int64_t bytes) override;
  Status preallocate(std::int64_t bytes) override;
  Status sync() override;
  Result<std::unique_ptr<RangeLock>> lock(Extent range, LockKind kind) override;
  Result<bool> locked_by_other(Extent range) override;
  Capabilities capabilities() const override {
    return {.locks = true, .preallocates = true, .prefetches = shared_->options.prefetch_slots > 0};
  }
  StorageLayout storage() const override { return shared_->options.storage; }
  IoCounters counters() const override { return counters_.snapshot(); }
  std::uint64_t identity() const override { return reinterpret_cast<std::uintptr_t>(node_.get()); }
  Status close() override;

 private:
  std::int64_t move(Direction direction, const IoRequest& request);
  Status set_size(std::int64_t bytes, const char* what, bool may_shrink);

  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Node> node_;
  OpenMode mode_;
  std::string path_;
  CounterBoard counters_;
  std::int64_t held_ranges_ = 0;  // guarded by Shared::mutex
  bool closed_ = false;
};

// Serves one request as far as end of file or capacity allow; returns the bytes moved. REQUIRES: the mutex is held.
std::int64_t MemoryDriver::OpenMemoryFile::move(Direction direction, const IoRequest& request) {
  SparseBytes& bytes = node_->bytes;
  Extent wanted = {request.offset, request.offset + request.bytes};
  if (direction == Direction::kWrite && wanted.end > bytes.size()) {
    std::int64_t most_bytes = shared_->most_bytes(*node_);
    // As on a full disk, a write that cannot even begin leaves the size alone.
    if (wanted.begin < most_bytes) shared_->resize(*node_, std::min(wanted.end, most_bytes));
  }
  std::int64_t moved_bytes = intersection(wanted, {0, bytes.size()}).bytes();
  if (moved_bytes == 0) return 0;
  std::span<std::byte> memory(request.data, static_cast<std::size_t>(moved_bytes));
  if (direction == Direction::kWrite) {
    bytes.write(request.offset, memory);
  } else {
    bytes.read(request.offset, memory);
  }
  return moved_bytes;
}

IoOutcome MemoryDriver::OpenMemoryFile::transfer(Direction direction, std::span<const IoRequest> requests) {
  const char* what = direction == Direction::kRead ? "read" : "write";
  Status refused = check_allowed(mode_, direction, what, path_).or_else(check_requests(requests, path_));
  if (!refused.ok()) return {0, refused};
  std::lock_guard guard(shared_->mutex);
  IoOutcome outcome;
  for (const IoRequest& request : requests) {
    if (request.bytes == 0) continue;
    std::int64_t moved_bytes = move(direction, request);
    counters_.count_call(direction, moved_bytes);
    outcome.bytes_moved += moved_bytes;
    if (moved_bytes == request.bytes) continue;
    if (direction == Direction::kWrite) {
      outcome.status = Status::from_errno(ENOSPC, what, path_, request.offset + moved_bytes);
    }
    break;
  }
  return outcome;
}

std::int64_t MemoryDriver::OpenMemoryFile::prefetch(std::span<const Extent> ranges) {
  std::lock_guard guard(shared_->mutex);
  const std::int64_t taken = std::min<std::int64_t>(std::ssize(ranges), shared_->options.prefetch_slots - held_ranges_);
  held_ranges_ += taken;
  counters_.count_advice(ranges.size(), taken);
  return taken;
}

void MemoryDriver::OpenMemoryFile::release(std::span<const Extent> ranges) {
  std::lock_guard guard(shared_->mutex);
  held_ranges_ -= std::ssize(ranges);
}

Result<std::int64_t> MemoryDriver::OpenMemoryFile::size() {
  std::lock_guard guard(shared_->mutex);
  return node_->bytes.size();
}

Status MemoryDriver::OpenMemoryFile::resize(std::int64_t bytes) {
  return set_size(bytes, "resize", /*may_shrink=*/true);
}

Status MemoryDriver::OpenMemoryFile::preallocate(std::int64_t bytes) {
  return set_size(bytes, "preallocate", /*may_shrink=*/false);
}

Status MemoryDriver::OpenMemoryFile::set_size(std::int64_t bytes, const char* what, bool may_shrink) {
  Status refused = check_allowed(mode_, Direction::kWrite, what, path_).or_else(check_file_bytes(bytes, what, path_));
  if (!refused.ok()) return refused;
  std::lock_guard guard(shared_->mutex);
  if (bytes <= node_->bytes.size() && !may_shrink) return {};
  if (bytes > shared_->most_bytes(*node_)) return Status::from_errno(ENOSPC, what, path_, bytes);
  shared_->resize(*node_, bytes);
  return {};
}

Status MemoryDriver::OpenMemoryFile::sync() {
  counters_.count_sync();
  return {};
}

Result<std::unique_ptr<RangeLock>> MemoryDriver::OpenMemoryFile::lock(Extent range, LockKind kind) {
  Status refused = check_lock(range, kind, mode_, path_);
  if (!refused.ok()) return refused;
  RangeGate::Ticket ticket = node_->gate.enter(range, kind, this);
  return std::unique_ptr<RangeLock>(std::make_unique<MemoryLock>(node_, ticket));
}

Result<bool> MemoryDriver::OpenMemoryFile::locked_by_other(Extent range) {
  if (!shared_->options.tells_locks) return File::locked_by_other(range);
  return node_->gate.held_by_other(range, this);
}

Status MemoryDriver::OpenMemoryFile::close() {
  if (closed_) {
    return Status(ErrorClass::kFile, fmt::format("close of '{}': it is closed already", path_));
  }
  closed_ = true;
  return {};
}

MemoryDriver::MemoryDriver(MemoryOptions options) : shared_(std::make_shared<Shared>(std::move(options))) {}

Result<std::unique_ptr<File>> MemoryDriver::open(const std::string& path, OpenMode mode, bool* created) {
  if (created != nullptr) *created = false;
  Status refused = check_open(mode, path);
  if (!refused.ok()) return refused;
  std::lock_guard guard(shared_->mutex);
  auto found = shared_->nodes.find(path);
  bool exists = found != shared_->nodes.end();
  if (!exists && !mode.create) return Status::from_errno(ENOENT, "open", path);
  if (exists && mode.create && mode.exclusive) return Status::from_errno(EEXIST, "open", path);
  if (exists && mode.write && found->second->read_only) {
    return Status::from_errno(EACCES, "open", path);
  }
  if (!exists) found = shared_->nodes.emplace(path, std::make_shared<Node>()).first;
  if (created != nullptr) *created = !exists;
  return std::unique_ptr<File>(std::make_unique<OpenMemoryFile>(shared_, found->second, mode, path));
}

Status MemoryDriver::remove(const std::string& path) {
  std::lock_guard guard(shared_->mutex);
  auto found = shared_->nodes.find(path);
  if (found == shared_->nodes.end()) return Status::from_errno(ENOENT, "remove", path);
  shared_->used_bytes -= found->second->bytes.size();
  found->second->removed = true;
  shared_->nodes.erase(found);
  return {};
}

Status MemoryDriver::make_read_only(const std::string& path) {
  std::lock_guard guard(shared_->mutex);
  auto found = shared_->nodes.find(path);
  if (found == shared_->nodes.end()) return Status::from_errno(ENOENT, "make read-only", path);
  found->second->read_only = true;
  return {};
}

Result<std::vector<std::byte>> MemoryDriver::contents(const std::string& path) {
  std::lock_guard guard(shared_->mutex);
  auto found = shared_->nodes.find(path);
  if (found == shared_->nodes.end()) return Status::from_errno(ENOENT, "contents", path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(found->second->bytes.size()));
  found->second->bytes.read(0, bytes);
  return bytes;
}

}  // namespace weir::driver
