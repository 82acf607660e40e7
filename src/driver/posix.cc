#include "driver/posix.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <vector>

#include "driver/checks.h"
#include "driver/counters.h"
#include "driver/posix_open.h"
#include "driver/range_gate.h"
#include "driver/refresh.h"
#include "driver/storage.h"

namespace weir::driver {

namespace {

flock lock_of(Extent range, short type) {
  flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = range.begin;
  lock.l_len = range.bytes();
  return lock;
}

// The lock of one open file description, held through `gate` because such a lock does not tell threads apart.
class PosixLock final : public RangeLock {
 public:
  PosixLock(Syscalls& system, int fd, RangeGate& gate, RangeGate::Ticket ticket)
      : system_(system), fd_(fd), gate_(gate), ticket_(ticket) {}
  PosixLock(const PosixLock&) = delete;
  PosixLock& operator=(const PosixLock&) = delete;

  ~PosixLock() override {
    gate_.leave(ticket_, [this](Extent part) {
      flock unlock = lock_of(part, F_UNLCK);
      retried(system_, [&] { return system_.set_lock_wait(fd_, unlock); });
    });
  }

 private:
  Syscalls& system_;
  int fd_;
  RangeGate& gate_;
  RangeGate::Ticket ticket_;
};

// Less than 2^61, and another on every node. From the kernel: std::random_device asks the processor what it is each
// time, which takes 15 us in a virtual machine.
std::int64_t random_number() {
  std::int64_t number = 0;
  if (::getentropy(&number, sizeof(number)) != 0) number = std::chrono::steady_clock::now().time_since_epoch().count();
  return number & ((std::int64_t{1} << 61) - 1);
}

// A lock on nothing.
class EmptyLock final : public RangeLock {};

class PosixFile final : public File {
 public:
  PosixFile(std::shared_ptr<Syscalls> system, const IoTools& tools, OpenDescriptor file, OpenMode mode,
            std::string striping_refused)
      : system_(std::move(system)),
        file_(std::move(file)),
        mode_(mode),
        striping_refused_(std::move(striping_refused)),
        storage_(*system_, file_.fd, mode.forced),
        ways_({*system_, file_, counters_}, storage_, tools, mode) {}
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  ~PosixFile() override {
    if (file_.fd >= 0) system_->close(file_.fd);
  }

  IoOutcome transfer(Direction direction, std::span<const IoRequest> requests) override;
  std::int64_t prefetch(std::span<const Extent> ranges) override;
  void release(std::span<const Extent> ranges) override;
  Result<std::int64_t> size() override;
  Status resize(std::int64_t bytes) override;
  Status preallocate(std::int64_t bytes) override;
  Status sync() override;
  void refresh() override { driver::refresh(kept()); }
  void refresh_bytes() override { driver::refresh_bytes(kept()); }
  void refresh_range(Extent range) override { driver::refresh_range(kept(), range); }
  Status resized(std::int64_t bytes) override;
  Result<std::unique_ptr<RangeLock>> lock(Extent range, LockKind kind) override;
  Result<bool> locked_by_other(Extent range) override;
  Capabilities capabilities() const override;
  StorageLayout storage() const override;
  std::string io_replaced() const override { return ways_.replaced(); }
  IoCounters counters() const override { return counters_.snapshot(); }
  std::uint64_t identity() const override;
  Status close() override;

 private:
  Status refusal(Direction direction, std::span<const IoRequest> requests) const;
  std::int64_t advise(std::span<const Extent> ranges);
  Advice advice() { return {*system_, file_.fd, storage_.get().lock_bytes}; }
  Status extend_with_zeros(std::int64_t bytes);
  KeptFile kept() const { return {*system_, file_.fd, storage_.mounted(), mode_.read, mode_.write, number_}; }

  std::shared_ptr<Syscalls> system_;
  OpenDescriptor file_;
  OpenMode mode_;
  std::string striping_refused_;
  const std::int64_t number_ = random_number();
  RangeGate gate_;
  CounterBoard counters_;
  KnownStorage storage_;
  IoWays ways_;
  std::atomic<bool> preallocates_ = true;  // until the file system says otherwise
};

IoOutcome PosixFile::transfer(Direction direction, std::span<const IoRequest> requests) {
  const bool allowed = direction == Direction::kRead ? mode_.read : mode_.write;
  const bool sane = std::all_of(requests.begin(), requests.end(), is_byte_range);
  if (!allowed || !sane) return {0, refusal(direction, requests)};
  return ways_.move(direction, requests);
}

Status PosixFile::refusal(Direction direction, std::span<const IoRequest> requests) const {
  const char* what = direction == Direction::kRead ? "read" : "write";
  return check_allowed(mode_, direction, what, file_.path).or_else(check_requests(requests, file_.path));
}

std::uint64_t PosixFile::identity() const {
  struct stat facts = {};
  return ::fstat(file_.fd, &facts) == 0 ? facts.st_ino : 0;
}

StorageLayout PosixFile::storage() const {
  StorageLayout layout = storage_.get();
  layout.striping_refused = striping_refused_;
  return layout;
}

// By the file system's own way of advice, where it has one.
std::int64_t PosixFile::prefetch(std::span<const Extent> ranges) {
  const FileSystem& file_system = storage_.system();
  std::int64_t taken = file_system.prefetch != nullptr ? file_system.prefetch(advice(), ranges) : -1;
  if (taken < 0) taken = advise(ranges);
  counters_.count_advice(ranges.size(), taken);
  return taken;
}

// What was fetched otherwise stays in the page cache: there is nothing to release.
void PosixFile::release(std::span<const Extent> ranges) {
  const FileSystem& file_system = storage_.system();
  if (file_system.release != nullptr) file_system.release(advice(), ranges);
}

// Ranges that touch go into one call.
std::int64_t PosixFile::advise(std::span<const Extent> ranges) {
  std::size_t taken = 0;
  while (taken < ranges.size()) {
    Extent joined = ranges[taken];
    std::size_t next = taken + 1;
    while (next < ranges.size() && ranges[next].begin == joined.end) joined.end = ranges[next++].end;
    if (retried(*system_, [&] { return system_->advise_willneed(file_.fd, joined.begin, joined.bytes()); }) != 0) break;
    taken = next;
  }
  return static_cast<std::int64_t>(taken);
}

Result<std::int64_t> PosixFile::size() {
  struct stat attributes = {};
  if (::fstat(file_.fd, &attributes) != 0) return Status::from_errno(errno, "size", file_.path);
  return std::int64_t{attributes.st_size};
}

Status PosixFile::resize(std::int64_t bytes) {
  Status refused = check_allowed(mode_, Direction::kWrite, "resize", file_.path)
                       .or_else(check_file_bytes(bytes, "resize", file_.path));
  if (!refused.ok()) return refused;
  int returned = retried(*system_, [&] { return system_->ftruncate(file_.fd, bytes); });
  return returned < 0 ? Status::from_errno(-returned, "resize", file_.path, bytes) : Status();
}

Status PosixFile::resized(std::int64_t bytes) {
  Status status = storage_.mounted().keeps_own_size ? resize(bytes) : Status();
  refresh();
  return status;
}

Status PosixFile::preallocate(std::int64_t bytes) {
  Status refused = check_allowed(mode_, Direction::kWrite, "preallocate", file_.path)
                       .or_else(check_file_bytes(bytes, "preallocate", file_.path));
  if (!refused.ok() || bytes == 0) return refused;
  int returned = retried(*system_, [&] { return system_->fallocate(file_.fd, 0, bytes); });
  if (returned == -EOPNOTSUPP || returned == -ENOSYS) {
    preallocates_.store(false, std::memory_order_relaxed);
    return extend_with_zeros(bytes);
  }
  return returned < 0 ? Status::from_errno(-returned, "preallocate", file_.path) : Status();
}

// Writes zeros from the current end of file up to `bytes`; what lies before the end is not touched.
Status PosixFile::extend_with_zeros(std::int64_t bytes) {
  constexpr std::int64_t kChunkBytes = 1 << 20;
  Result<std::int64_t> end = size();
  if (!end.ok()) return end.status();
  std::int64_t missing_bytes = bytes - end.value();
  if (missing_bytes <= 0) return {};
  std::vector<std::byte> zeros(static_cast<std::size_t>(std::min(kChunkBytes, missing_bytes)));
  for (std::int64_t offset = end.value(); offset < bytes; offset += kChunkBytes) {
    IoRequest chunk = {offset, zeros.data(), std::min(kChunkBytes, bytes - offset)};
    IoOutcome outcome = transfer(Direction::kWrite, {&chunk, 1});
    if (!outcome.status.ok()) return outcome.status;
  }
  return {};
}

Status PosixFile::sync() {
  counters_.count_sync();
  int returned = retried(*system_, [&] { return system_->fsync(file_.fd); });
  return returned < 0 ? Status::from_errno(-returned, "sync", file_.path) : Status();
}

Result<bool> PosixFile::locked_by_other(Extent range) {
  if (range.empty()) return false;  // to the system, a length of 0 means up to the end of the file
  flock request = lock_of(range, F_WRLCK);
  int returned = retried(*system_, [&] { return system_->get_lock(file_.fd, request); });
  if (returned < 0) return Status::from_errno(-returned, "lock query", file_.path, range.begin);
  return request.l_type != F_UNLCK;
}

Result<std::unique_ptr<RangeLock>> PosixFile::lock(Extent range, LockKind kind) {
  Status refused = check_lock(range, kind, mode_, file_.path);
  if (!refused.ok()) return refused;
  if (range.empty()) return std::unique_ptr<RangeLock>(std::make_unique<EmptyLock>());
  RangeGate::Ticket ticket = gate_.enter(range, kind);
  flock request = lock_of(range, kind == LockKind::kShared ? F_RDLCK : F_WRLCK);
  int returned = retried(*system_, [&] { return system_->set_lock_wait(file_.fd, request); });
  auto held = std::make_unique<PosixLock>(*system_, file_.fd, gate_, ticket);
  if (returned < 0) return Status::from_errno(-returned, "lock", file_.path, range.begin);
  refresh_range(range);
  return std::unique_ptr<RangeLock>(std::move(held));
}

Capabilities PosixFile::capabilities() const {
  return {.locks = true, .preallocates = preallocates_.load(std::memory_order_relaxed), .prefetches = mode_.read};
}

Status PosixFile::close() {
  if (file_.fd < 0) {
    return Status(ErrorClass::kFile, fmt::format("close of '{}': it is closed already", file_.path));
  }
  ways_.close();
  // Never repeated: the descriptor is gone whatever close says, and may be another file's by then.
  int returned = system_->close(file_.fd);
  file_.fd = -1;
  return returned < 0 ? Status::from_errno(-returned, "close", file_.path) : Status();
}

}  // namespace

Result<std::unique_ptr<File>> PosixDriver::open(const std::string& path, OpenMode mode, bool* created) {
  if (created != nullptr) *created = false;
  Status refused = check_open(mode, path);
  if (!refused.ok()) return refused;
  Result<Opened> opened = open_descriptor(*system_, path, mode);
  if (!opened.ok()) return opened.status();
  if (created != nullptr) *created = opened.value().created;
  OpenDescriptor file = {opened.value().fd, path};
  return std::unique_ptr<File>(
      std::make_unique<PosixFile>(system_, tools_, std::move(file), mode, std::move(opened.value().striping_refused)));
}

Status PosixDriver::remove(const std::string& path) {
  if (::unlink(path.c_str()) != 0) return Status::from_errno(errno, "remove", path);
  return {};
}

std::string PosixDriver::lasting_name(const std::string& path) const {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
  return failed ? path : absolute.string();
}

}  // namespace weir::driver
