// GPFS: advice by gpfs_fcntl(), as gpfs_fcntl.h describes it: which ranges of which blocks will be accessed, which are
// done with. Tokens keep writers apart.
#include <algorithm>
#include <array>

#include "driver/systems/file_system.h"

namespace weir::driver {

namespace {

constexpr std::size_t kMostRanges = 8;  // of one call

struct Header {
  std::int32_t total_bytes = 0;
  std::int32_t version = 1;
  std::int32_t error_offset = 0;
  std::int32_t reserved = 0;
};

struct BlockRange {
  std::int64_t block = 0;
  std::int32_t begin = 0;  // in the block
  std::int32_t bytes = 0;
  std::int32_t is_write = 0;
  std::int32_t padding = 0;
};

struct AccessRanges {
  std::int32_t bytes = sizeof(AccessRanges);
  std::int32_t type = 1003;         // GPFS_MULTIPLE_ACCESS_RANGE
  std::int32_t accessed_count = 0;  // comes back as the number that will be fetched, from the first on
  std::int32_t released_count = 0;
  std::array<BlockRange, kMostRanges> accessed = {};
  std::array<BlockRange, kMostRanges> released = {};
};

struct CancelHints {
  std::int32_t bytes = sizeof(CancelHints);
  std::int32_t type = 2001;  // GPFS_CANCEL_HINTS
};

template <typename Body>
struct Message {
  Header header = {.total_bytes = sizeof(Message)};
  Body body;
};
static_assert(sizeof(Message<AccessRanges>) == 416 && sizeof(Message<CancelHints>) == 24);

// A range that goes beyond its first block is advised of up to the end of that.
BlockRange block_range(Extent range, std::int64_t block_bytes) {
  const std::int64_t begin = range.begin % block_bytes;
  const std::int64_t bytes = std::min(range.bytes(), block_bytes - begin);
  return {range.begin / block_bytes, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(bytes)};
}

void fill(std::span<const Extent> ranges, std::int64_t block_bytes, std::array<BlockRange, kMostRanges>& blocks) {
  std::transform(ranges.begin(), ranges.end(), blocks.begin(),
                 [&](Extent range) { return block_range(range, block_bytes); });
}

std::int64_t prefetch(const Advice& advice, std::span<const Extent> ranges) {
  std::int64_t taken = 0;
  while (!ranges.empty()) {
    const std::span<const Extent> some = ranges.first(std::min(ranges.size(), kMostRanges));
    Message<AccessRanges> message;
    message.body.accessed_count = static_cast<std::int32_t>(some.size());
    fill(some, advice.block_bytes, message.body.accessed);
    const int returned = advice.system.gpfs_fcntl(advice.fd, &message);
    if (returned == -ENOSYS && taken == 0) return -1;
    if (returned < 0) break;
    const auto asked = static_cast<std::int64_t>(some.size());
    const std::int64_t accepted = std::clamp<std::int64_t>(message.body.accessed_count, 0, asked);
    taken += accepted;
    if (accepted < asked) break;
    ranges = ranges.subspan(some.size());
  }
  return taken;
}

// What cannot be released is cancelled, with all other advice.
void release(const Advice& advice, std::span<const Extent> ranges) {
  while (!ranges.empty()) {
    const std::span<const Extent> some = ranges.first(std::min(ranges.size(), kMostRanges));
    Message<AccessRanges> message;
    message.body.released_count = static_cast<std::int32_t>(some.size());
    fill(some, advice.block_bytes, message.body.released);
    if (advice.system.gpfs_fcntl(advice.fd, &message) < 0) {
      Message<CancelHints> cancel;
      advice.system.gpfs_fcntl(advice.fd, &cancel);
      return;
    }
    ranges = ranges.subspan(some.size());
  }
}

}  // namespace

constinit const FileSystem kGpfs = {
    .name = "gpfs",
    .prefixes = "gpfs",
    .types = "gpfs",
    .shared = true,
    .lock_protocol = LockProtocol::kToken,
    .prefetch = &prefetch,
    .release = &release,
};

}  // namespace weir::driver
