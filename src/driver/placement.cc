#include "driver/placement.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

#include "driver/bounce_buffer.h"
#include "sys/waiting.h"

namespace weir::driver {

namespace {

// Stays in the caches of all processors that have the effect, which shows there most.
constexpr std::int64_t kProbeBytes = 128 << 10;
constexpr int kProbes = 5;

// A file without a name, in memory, that is copied to and from as files in the page cache are.
class ProbeFile {
 public:
  ProbeFile() : fd_(::memfd_create("weir-placement", MFD_CLOEXEC)) {}
  ProbeFile(const ProbeFile&) = delete;
  ProbeFile& operator=(const ProbeFile&) = delete;
  ~ProbeFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  // All bytes of the file to or from the memory.
  bool copy(Direction direction, std::byte* memory) const {
    const ssize_t moved =
        direction == Direction::kRead ? ::pread(fd_, memory, kProbeBytes, 0) : ::pwrite(fd_, memory, kProbeBytes, 0);
    return moved == kProbeBytes;
  }

 private:
  int fd_;
};

// Seconds that `copy` takes, the least of several; infinite when it fails.
template <typename Copy>
double least_seconds(Copy copy) {
  double least = std::numeric_limits<double>::infinity();
  for (int probe = 0; probe < kProbes; ++probe) {
    const std::chrono::nanoseconds begin = sys::thread_time();
    if (!copy()) return std::numeric_limits<double>::infinity();
    least = std::min(least, std::chrono::duration<double>(sys::thread_time() - begin).count());
  }
  return least;
}

}  // namespace

int copy_distance(Direction direction, const std::byte* memory, std::int64_t offset) {
  const auto behind = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory)) - offset;
  const std::int64_t distance = direction == Direction::kRead ? behind : -behind;
  return static_cast<int>(((distance % kPageBytes) + kPageBytes) % kPageBytes);
}

CopySpeeds measure_copy(Direction direction, int distance) {
  const ProbeFile file;
  const BounceBuffer slow(kProbeBytes);
  const BounceBuffer apart(kProbeBytes);
  if (!slow.had() || !apart.had()) return {};
  std::byte* memory = slow.at(direction == Direction::kRead ? distance : -distance);
  std::byte* buffer = apart.place_for(0);
  std::memset(memory, 1, kProbeBytes);
  if (!file.copy(Direction::kWrite, memory)) return {};
  const auto direct = [&] { return file.copy(direction, memory); };
  const auto bounced = [&] {
    if (direction == Direction::kWrite) std::memcpy(buffer, memory, kProbeBytes);
    const bool copied = file.copy(direction, buffer);
    if (direction == Direction::kRead) std::memcpy(memory, buffer, kProbeBytes);
    return copied;
  };
  return {kProbeBytes / least_seconds(direct), kProbeBytes / least_seconds(bounced)};
}

bool PlacementTable::is_slow(Direction direction, const std::byte* memory, std::int64_t offset) {
  const int distance = copy_distance(direction, memory, offset);
  if (!may_be_slow(distance)) return false;
  std::atomic<Verdict>& verdict = verdicts_[static_cast<std::size_t>(direction)][static_cast<std::size_t>(distance)];
  Verdict known = verdict.load(std::memory_order_relaxed);
  if (known == Verdict::kUnknown) {
    known = judge(direction, distance);
    verdict.store(known, std::memory_order_relaxed);
  }
  return known == Verdict::kSlow;
}

PlacementTable::Verdict PlacementTable::judge(Direction direction, int distance) const {
  return measure_(direction, distance).bounce_wins() ? Verdict::kSlow : Verdict::kGood;
}

}  // namespace weir::driver
