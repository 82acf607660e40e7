#include "driver/direct_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "driver/posix_open.h"

namespace weir::driver {

namespace {

bool is_power_of_two(std::int64_t bytes) { return bytes > 0 && std::has_single_bit(static_cast<std::uint64_t>(bytes)); }

// Chunks through a bounce buffer have to keep to it too.
bool is_usable(const DirectAlignment& alignment) {
  return is_power_of_two(alignment.file) && is_power_of_two(alignment.memory) &&
         alignment.file <= BounceShelf::kBytes && alignment.memory <= kPageBytes;
}

bool is_aligned(const std::byte* memory, std::int64_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) % static_cast<std::uintptr_t>(alignment) == 0;
}

}  // namespace

Status DirectTransfer::open(const OpenMode& mode) {
  alignment_ = port_.system.direct_alignment(port_.file.fd);
  if (!is_usable(alignment_)) {
    return {ErrorClass::kUnsupportedOperation,
            fmt::format("'{}' wants offsets of O_DIRECT aligned to {} bytes, memory to {}", port_.file.path,
                        alignment_.file, alignment_.memory)};
  }
  const std::string itself = fmt::format("/proc/self/fd/{}", port_.file.fd);
  const int flags = access_flags(mode) | O_DIRECT;
  const int fd = retried(port_.system, [&] { return port_.system.open(itself.c_str(), flags, 0); });
  if (fd < 0) return Status::from_errno(-fd, "open with O_DIRECT", port_.file.path);
  file_ = {fd, port_.file.path};
  return {};
}

void DirectTransfer::close() {
  if (file_.fd >= 0) port_.system.close(file_.fd);
  file_.fd = -1;
}

// What of the request goes directly: whole pages, or nothing.
Extent DirectTransfer::middle_of(const IoRequest& request) const {
  if (request.bytes < kLeastDirect || file_.fd < 0 || barred_.load(std::memory_order_relaxed)) return {};
  const std::int64_t begin = round_up(request.offset, alignment_.file);
  const std::int64_t end = request.offset + request.bytes;
  const Extent middle = {begin, end - end % alignment_.file};
  return middle.bytes() < kLeastDirect ? Extent{} : middle;
}

// In order: as many small ones as stand together at a time, and each of the others for itself.
IoOutcome DirectTransfer::move(Direction direction, std::span<const IoRequest> requests) {
  const auto is_large = [&](const IoRequest& request) { return !middle_of(request).empty(); };
  IoOutcome total;
  bool more = true;
  while (more && !requests.empty()) {
    const auto small =
        static_cast<std::size_t>(std::find_if(requests.begin(), requests.end(), is_large) - requests.begin());
    const auto part = requests.first(std::max<std::size_t>(small, 1));
    more = total.add(small > 0 ? buffered_.move(direction, part) : move_large(direction, part.front()), bytes_of(part));
    requests = requests.subspan(part.size());
  }
  return total;
}

IoOutcome DirectTransfer::move_large(Direction direction, const IoRequest& request) {
  const Extent middle = middle_of(request);
  if (middle.empty()) return buffered_.move(direction, {&request, 1});
  const std::int64_t end = request.offset + request.bytes;
  const auto part = [&](std::int64_t from, std::int64_t to) {
    return IoRequest{from, request.data + (from - request.offset), to - from};
  };
  const IoRequest head = part(request.offset, middle.begin);
  const IoRequest tail = part(middle.end, end);
  IoOutcome total;
  if (!total.add(buffered_.move(direction, {&head, 1}), head.bytes)) return total;
  if (!total.add(move_middle(direction, part(middle.begin, middle.end)), middle.bytes())) return total;
  total.add(buffered_.move(direction, {&tail, 1}), tail.bytes);
  return total;
}

// What a call moves less than it was asked for goes through the page cache with all that follows: it may be the end of
// the file, or no place to go on from directly.
IoOutcome DirectTransfer::move_middle(Direction direction, const IoRequest& request) {
  const bool bounces = !is_aligned(request.data, alignment_.memory);
  std::unique_ptr<BounceBuffer> buffer = bounces ? shelf_.take() : nullptr;
  if (bounces && buffer == nullptr) return buffered_.move(direction, {&request, 1});
  IoOutcome total;
  while (total.bytes_moved < request.bytes) {
    const IoRequest rest = {request.offset + total.bytes_moved, request.data + total.bytes_moved,
                            request.bytes - total.bytes_moved};
    const IoRequest chunk = {rest.offset, rest.data,
                             std::min(rest.bytes, bounces ? BounceShelf::kBytes : kMostBytesPerCall)};
    const std::int64_t returned = call(direction, chunk, buffer.get());
    total.bytes_moved += std::max<std::int64_t>(returned, 0);
    if (returned == chunk.bytes) continue;
    if (is_failure(returned)) {
      total.status = call_failure(port_, direction, returned, chunk.offset);
      break;
    }
    const std::int64_t moved = std::max<std::int64_t>(returned, 0);
    const IoRequest left = {rest.offset + moved, rest.data + moved, rest.bytes - moved};
    total.add(buffered_.move(direction, {&left, 1}), left.bytes);
    break;
  }
  if (buffer != nullptr) shelf_.give_back(std::move(buffer));
  return total;
}

// One call for a chunk of whole pages: bytes, or -errno.
std::int64_t DirectTransfer::call(Direction direction, const IoRequest& chunk, const BounceBuffer* bounce) {
  const auto bytes = static_cast<std::size_t>(chunk.bytes);
  const iovec part = {bounce != nullptr ? bounce->at(0) : chunk.data, bytes};
  if (bounce != nullptr && direction == Direction::kWrite) std::memcpy(part.iov_base, chunk.data, bytes);
  const Port port = {port_.system, file_, port_.counters};
  const std::int64_t returned = call_vectored(port, direction, {&part, 1}, chunk.offset);
  if (returned == -EINVAL || returned == -EOPNOTSUPP) barred_.store(true, std::memory_order_relaxed);
  if (returned <= 0) return returned;
  if (bounce != nullptr && direction == Direction::kRead) {
    std::memcpy(chunk.data, part.iov_base, static_cast<std::size_t>(returned));
  }
  if (bounce != nullptr) port_.counters.count_bounced(returned);
  port_.counters.count_direct(returned);
  return returned;
}

}  // namespace weir::driver
