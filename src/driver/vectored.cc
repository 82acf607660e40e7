#include "driver/vectored.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weir::driver {

namespace {

constexpr int kMostIdleWrites = 16;  // in a row, before a file that takes no bytes is given up
constexpr std::chrono::microseconds kIdlePause{1000};

// How far a batch has come: the first `index` requests are done, and `done_bytes` of the next one.
class BatchCursor {
 public:
  explicit BatchCursor(std::span<const IoRequest> requests) : requests_(requests) { skip_done(); }

  // Only the last request is left.
  bool alone() const { return index_ + 1 == requests_.size(); }
  bool at_end() const { return index_ == requests_.size(); }
  std::int64_t offset() const { return requests_[index_].offset + done_bytes_; }

  // Fills `parts` with the memory of the requests that follow each other in the file from here on, within the limits
  // of one call; returns how many parts.
  int gather(std::span<iovec> parts) const {
    std::size_t part_count = 0;
    std::int64_t total_bytes = 0;
    std::int64_t done = done_bytes_;
    for (std::size_t i = index_; i < requests_.size() && part_count < parts.size(); ++i, done = 0) {
      const IoRequest& request = requests_[i];
      if (request.bytes == 0) continue;
      if (request.offset + done != offset() + total_bytes) break;
      std::int64_t bytes = std::min(request.bytes - done, kMostBytesPerCall - total_bytes);
      if (bytes == 0) break;
      parts[part_count++] = {request.data + done, static_cast<std::size_t>(bytes)};
      total_bytes += bytes;
    }
    return static_cast<int>(part_count);
  }

  void advance(std::int64_t moved_bytes) {
    done_bytes_ += moved_bytes;
    skip_done();
  }

 private:
  void skip_done() {
    while (!at_end() && done_bytes_ >= requests_[index_].bytes) {
      done_bytes_ -= requests_[index_].bytes;
      ++index_;
    }
  }

  std::span<const IoRequest> requests_;
  std::size_t index_ = 0;
  std::int64_t done_bytes_ = 0;
};

inline std::int64_t move_parts(const Port& port, Direction direction, std::span<const iovec> parts,
                               std::int64_t offset) {
  const int part_count = static_cast<int>(parts.size());
  return retried(port.system, [&] {
    std::int64_t returned = direction == Direction::kRead
                                ? port.system.preadv(port.file.fd, parts.data(), part_count, offset)
                                : port.system.pwritev(port.file.fd, parts.data(), part_count, offset);
    port.counters.count_call(direction, std::max<std::int64_t>(returned, 0));
    return returned;
  });
}

[[gnu::noinline]] std::int64_t move_gathered(const Port& port, Direction direction, const BatchCursor& cursor) {
  std::array<iovec, kMostPartsPerCall> parts;
  const int part_count = cursor.gather(parts);
  return move_parts(port, direction, std::span(parts).first(static_cast<std::size_t>(part_count)), cursor.offset());
}

// What lies at the cursor, as far as one call goes. A request that comes alone needs no room for many parts.
std::int64_t move_some(const Port& port, Direction direction, const BatchCursor& cursor) {
  if (!cursor.alone()) return move_gathered(port, direction, cursor);
  iovec part;
  cursor.gather({&part, 1});
  return move_parts(port, direction, {&part, 1}, cursor.offset());
}

Status no_progress(const OpenDescriptor& file, std::int64_t offset) {
  return Status(ErrorClass::kIo,
                fmt::format("write of '{}' at offset {}: the file system took no bytes {} times in a row", file.path,
                            offset, kMostIdleWrites));
}

}  // namespace

// Inlined as a whole: small requests come here one at a time.
[[gnu::flatten]] IoOutcome transfer_vectored(const Port& port, Direction direction,
                                             std::span<const IoRequest> requests) {
  IoOutcome outcome;
  BatchCursor cursor(requests);
  int idle_writes = 0;
  while (!cursor.at_end()) {
    std::int64_t returned = move_some(port, direction, cursor);
    if (returned < 0) {
      outcome.status = call_failure(port, direction, returned, cursor.offset());
      break;
    }
    if (returned > 0) {
      idle_writes = 0;
      outcome.bytes_moved += returned;
      cursor.advance(returned);
      continue;
    }
    if (direction == Direction::kRead) break;  // end of file
    if (++idle_writes == kMostIdleWrites) {
      outcome.status = no_progress(port.file, cursor.offset());
      break;
    }
    port.system.pause(kIdlePause);
  }
  return outcome;
}

bool is_failure(std::int64_t returned) {
  return returned < 0 && returned != -EINTR && returned != -EAGAIN && returned != -ECANCELED && returned != -EINVAL &&
         returned != -EOPNOTSUPP;
}

Status call_failure(const Port& port, Direction direction, std::int64_t returned, std::int64_t offset) {
  const char* what = direction == Direction::kRead ? "read" : "write";
  return Status::from_errno(static_cast<int>(-returned), what, port.file.path, offset);
}

std::int64_t call_vectored(const Port& port, Direction direction, std::span<const iovec> parts, std::int64_t offset) {
  return move_parts(port, direction, parts, offset);
}

}  // namespace weir::driver
