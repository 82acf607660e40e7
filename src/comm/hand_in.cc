#include "comm/hand_in.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace weir::comm {

namespace {

constexpr std::size_t kChunkBytes = 16 << 10;

// Calls pass(chunk begin, chunk bytes) for a blob of so many bytes.
template <typename Pass>
Status in_chunks(std::size_t bytes, Pass pass) {
  Status status;
  for (std::size_t begin = 0; begin < bytes; begin += kChunkBytes) {
    status = std::move(status).or_else(pass(begin, std::min(kChunkBytes, bytes - begin)));
  }
  return status;
}

Status send_blob(Comm& comm, std::span<const std::byte> blob) {
  const std::uint64_t bytes = blob.size();
  Status status = send_now(comm, 0, std::as_bytes(std::span(&bytes, 1)));
  return std::move(status).or_else(in_chunks(
      blob.size(), [&](std::size_t begin, std::size_t length) { return send_now(comm, 0, blob.subspan(begin, length)); }));
}

Status receive_blob(Comm& comm, int from, const Take& take) {
  std::uint64_t bytes = 0;
  Status status = receive_now(comm, from, std::as_writable_bytes(std::span(&bytes, 1)));
  if (!status.ok()) return status;
  std::array<std::byte, kChunkBytes> chunk;
  return in_chunks(bytes, [&](std::size_t, std::size_t length) {
    const auto place = std::span(chunk).first(length);
    Status got = receive_now(comm, from, place);
    if (got.ok()) take(from, place);
    return got;
  });
}

}  // namespace

Status hand_in(Comm& comm, std::span<const std::byte> mine, const Take& take) {
  if (comm.rank() != 0) return send_blob(comm, mine);
  take(0, mine);
  Status status;
  for (int rank = 1; rank < comm.size(); ++rank) {
    status = std::move(status).or_else(receive_blob(comm, rank, take));
  }
  return status;
}

}  // namespace weir::comm
