#include "driver/placed_transfer.h"

#include <algorithm>
#include <cstring>

namespace weir::driver {

// Other file systems may copy from elsewhere, and pay for each call.
bool PlacedTransfer::copies_pages() const {
  const StorageLayout& storage = storage_.get();
  return !storage.network && !storage.file_system.starts_with("fuse");
}

bool PlacedTransfer::bounces(Direction direction, const IoRequest& request) {
  return request.bytes >= kLeastBounced && may_be_slow(copy_distance(direction, request.data, request.offset)) &&
         copies_pages() && placements_->is_slow(direction, request.data, request.offset);
}

bool PlacedTransfer::any_bounces(Direction direction, std::span<const IoRequest> requests) {
  return std::any_of(requests.begin(), requests.end(),
                     [&](const IoRequest& request) { return bounces(direction, request); });
}

// In order: as many as go directly at a time, and each of the others for itself.
IoOutcome PlacedTransfer::move_in_parts(Direction direction, std::span<const IoRequest> requests) {
  const auto slow = [&](const IoRequest& request) { return bounces(direction, request); };
  IoOutcome total;
  while (!requests.empty()) {
    const auto next = std::find_if(requests.begin(), requests.end(), slow);
    const bool directly = next != requests.begin();
    const auto part = requests.first(directly ? static_cast<std::size_t>(next - requests.begin()) : 1);
    std::int64_t asked_bytes = 0;
    for (const IoRequest& request : part) asked_bytes += request.bytes;
    IoOutcome outcome = directly ? transfer_vectored(port_, direction, part) : move_bounced(direction, part.front());
    total.bytes_moved += outcome.bytes_moved;
    total.status = std::move(outcome.status);
    if (!total.status.ok() || outcome.bytes_moved < asked_bytes) break;
    requests = requests.subspan(part.size());
  }
  return total;
}

IoOutcome PlacedTransfer::move_bounced(Direction direction, const IoRequest& request) {
  std::unique_ptr<BounceBuffer> buffer = shelf_.take();
  if (buffer == nullptr) return transfer_vectored(port_, direction, {&request, 1});
  std::byte* const passing = buffer->place_for(request.offset);
  IoOutcome total;
  while (total.bytes_moved < request.bytes) {
    const std::int64_t bytes = std::min(BounceShelf::kBytes, request.bytes - total.bytes_moved);
    std::byte* const memory = request.data + total.bytes_moved;
    const IoRequest part = {request.offset + total.bytes_moved, passing, bytes};
    if (direction == Direction::kWrite) std::memcpy(passing, memory, static_cast<std::size_t>(bytes));
    IoOutcome outcome = transfer_vectored(port_, direction, {&part, 1});
    if (direction == Direction::kRead) std::memcpy(memory, passing, static_cast<std::size_t>(outcome.bytes_moved));
    port_.counters.count_bounced(outcome.bytes_moved);
    total.bytes_moved += outcome.bytes_moved;
    total.status = std::move(outcome.status);
    if (!total.status.ok() || outcome.bytes_moved < bytes) break;
  }
  shelf_.give_back(std::move(buffer));
  return total;
}

}  // namespace weir::driver
