#include "agent/packed_requests.h"

#include <cstring>

namespace weir::agent {

namespace {

using driver::IoRequest;

struct PackedRequest {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

// Room for this many requests beside a block's bytes.
constexpr std::size_t kRequestRoom = 256 * sizeof(PackedRequest);

std::size_t size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

std::size_t most_packed_bytes(std::int64_t block_bytes) { return size(block_bytes) + kRequestRoom; }

std::span<const IoRequest> fitting(std::span<const IoRequest> requests, std::size_t taken, std::size_t room) {
  std::size_t count = 0;
  for (; count < requests.size(); ++count) {
    const bool first = taken == 0;
    taken += sizeof(PackedRequest) + size(requests[count].bytes);
    if (taken > room && !first) break;
  }
  return requests.first(count);
}

std::size_t packed_bytes(std::span<const IoRequest> requests) {
  return requests.size() * sizeof(PackedRequest) + size(driver::bytes_of(requests));
}

void pack(std::span<const IoRequest> requests, std::vector<std::byte>& payload) {
  payload.clear();
  for (const IoRequest& request : requests) {
    const PackedRequest packed{request.offset, request.bytes};
    const auto bytes = std::as_bytes(std::span(&packed, 1));
    payload.insert(payload.end(), bytes.begin(), bytes.end());
  }
  for (const IoRequest& request : requests) {
    payload.insert(payload.end(), request.data, request.data + request.bytes);
  }
}

std::vector<IoRequest> unpack(std::int64_t count, std::span<std::byte> payload) {
  std::vector<IoRequest> requests;
  requests.reserve(size(count));
  std::byte* data = payload.data() + size(count) * sizeof(PackedRequest);
  for (std::size_t i = 0; i < size(count); ++i) {
    PackedRequest packed;
    std::memcpy(&packed, payload.data() + i * sizeof(packed), sizeof(packed));
    requests.push_back({packed.offset, data, packed.bytes});
    data += packed.bytes;
  }
  return requests;
}

}  // namespace weir::agent
