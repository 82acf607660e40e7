#include "exec/independent/independent.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "driver/advised_file.h"
#include "layout/copy.h"
#include "plan/spans.h"

namespace weir::exec {

namespace {

using driver::File;
using driver::IoOutcome;
using driver::IoRequest;
using layout::RequestList;
using layout::Slice;

// Requests handed to the driver at a time; it serves neighbours with one call.
constexpr std::size_t kBatch = 1024;

// Collects requests and hands them on in batches, keeping count of the prefix that was moved.
class Batch {
 public:
  Batch(driver::AdvisedFile& file, Direction direction) : file_(file), direction_(direction) {
    requests_.reserve(kBatch);
  }

  // False when nothing more can be moved: failure or end of file.
  bool add(const IoRequest& request) {
    requests_.push_back(request);
    asked_ += request.bytes;
    return requests_.size() < kBatch || flush();
  }

  bool flush() {
    if (requests_.empty()) return true;
    IoOutcome outcome = file_.transfer(direction_, requests_);
    requests_.clear();
    outcome_.bytes_moved += outcome.bytes_moved;
    outcome_.status = std::move(outcome.status);
    return outcome_.status.ok() && outcome_.bytes_moved == asked_;
  }

  IoOutcome& outcome() { return outcome_; }

 private:
  driver::AdvisedFile& file_;
  Direction direction_;
  std::vector<IoRequest> requests_;
  std::int64_t asked_ = 0;
  IoOutcome outcome_;
};

IoRequest request_of(const Slice& slice) { return {slice.file_offset, slice.memory, slice.bytes}; }

// A request per slice; a single one goes without a batch.
IoOutcome access_list(driver::AdvisedFile& file, Direction direction, const RequestList& requests) {
  layout::SliceCursor slices = requests.slices();
  if (slices.at_end()) return {};
  const IoRequest first = request_of(slices.next());
  if (slices.at_end()) return file.transfer(direction, std::span(&first, 1));
  Batch batch(file, direction);
  bool more = batch.add(first);
  while (more && !slices.at_end()) more = batch.add(request_of(slices.next()));
  if (!more) return std::move(batch.outcome());
  batch.flush();
  return std::move(batch.outcome());
}

// The pieces of the file at the cursor, for `bytes` bytes of buffer.
IoOutcome access_pieces(driver::AdvisedFile& file, Direction direction, layout::Cursor& pieces, std::byte* buffer,
                        std::int64_t bytes) {
  Batch batch(file, direction);
  std::int64_t position = 0;
  while (position < bytes) {
    layout::Piece piece = pieces.next_piece(bytes - position);
    if (!batch.add({piece.offset, buffer + position, piece.length})) return std::move(batch.outcome());
    position += piece.length;
  }
  batch.flush();
  return std::move(batch.outcome());
}

// Through a buffer that holds the data without the gaps of memory.
IoOutcome access_packed(driver::AdvisedFile& file, Direction direction, const RequestList& requests,
                        std::int64_t buffer_bytes) {
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(buffer_bytes, requests.bytes())));
  layout::Cursor pieces = requests.file_cursor();
  layout::Cursor memory = requests.memory_cursor();
  std::byte* base = requests.memory().base;
  IoOutcome total;
  while (total.bytes_moved < requests.bytes()) {
    auto part_bytes = std::min<std::int64_t>(std::ssize(buffer), requests.bytes() - total.bytes_moved);
    std::span<std::byte> part = std::span(buffer).first(static_cast<std::size_t>(part_bytes));
    if (direction == Direction::kWrite) layout::transfer(direction, base, memory, part);
    IoOutcome outcome = access_pieces(file, direction, pieces, buffer.data(), part_bytes);
    if (direction == Direction::kRead) {
      layout::transfer(direction, base, memory, part.first(static_cast<std::size_t>(outcome.bytes_moved)));
    }
    total.bytes_moved += outcome.bytes_moved;
    total.status = std::move(outcome.status);
    if (!total.status.ok() || outcome.bytes_moved < part_bytes) break;
  }
  return total;
}

// A part of the file in memory, with the slices that lie in it.
class Window {
 public:
  Window(driver::AdvisedFile& file, std::int64_t buffer_bytes)
      : file_(file), buffer_(static_cast<std::size_t>(buffer_bytes)) {}

  Extent extent() const { return extent_; }

  // Reads [begin, end), at most a buffer full. Behind the end of the file there are zeros.
  Status load(std::int64_t begin, std::int64_t end) {
    extent_ = {begin, std::min(end, begin + std::ssize(buffer_))};
    IoRequest request = {begin, buffer_.data(), extent_.bytes()};
    IoOutcome outcome = file_.transfer(Direction::kRead, {&request, 1});
    loaded_end_ = begin + outcome.bytes_moved;
    std::fill(buffer_.begin() + outcome.bytes_moved, buffer_.begin() + extent_.bytes(), std::byte{0});
    touched_end_ = begin;
    return std::move(outcome.status);
  }

  // Copies a slice between its memory and the window; reading, only what the file had. Returns the bytes copied.
  std::int64_t copy(Direction direction, const Slice& slice) {
    std::byte* place = buffer_.data() + (slice.file_offset - extent_.begin);
    if (direction == Direction::kWrite) {
      std::memcpy(place, slice.memory, static_cast<std::size_t>(slice.bytes));
      touched_end_ = slice.file_offset + slice.bytes;
      return slice.bytes;
    }
    std::int64_t bytes = std::clamp<std::int64_t>(loaded_end_ - slice.file_offset, 0, slice.bytes);
    std::memcpy(slice.memory, place, static_cast<std::size_t>(bytes));
    return bytes;
  }

  // Writes back up to the last byte copied in.
  Status store() {
    IoRequest request = {extent_.begin, buffer_.data(), touched_end_ - extent_.begin};
    return file_.transfer(Direction::kWrite, {&request, 1}).status;
  }

 private:
  driver::AdvisedFile& file_;
  std::vector<std::byte> buffer_;
  Extent extent_;
  std::int64_t loaded_end_ = 0;
  std::int64_t touched_end_ = 0;
};

// One window up to `end`: all slices that begin in it (cut at its end), both directions. `slice` is the next one to
// move. False when nothing more can be moved.
bool sieve_window(Direction direction, Window& window, layout::SliceCursor& slices, Slice& slice, std::int64_t end,
                  IoOutcome& total) {
  total.status = window.load(slice.file_offset, end);
  if (!total.status.ok()) return false;
  std::int64_t copied = 0;
  bool complete = true;
  while (slice.bytes > 0 && complete && window.extent().contains(slice.file_offset)) {
    Slice part = slice;
    part.bytes = std::min(slice.bytes, window.extent().end - slice.file_offset);
    std::int64_t bytes = window.copy(direction, part);
    copied += bytes;
    complete = bytes == part.bytes;
    slice = {slice.file_offset + part.bytes, slice.memory + part.bytes, slice.bytes - part.bytes};
    if (slice.bytes == 0 && !slices.at_end()) slice = slices.next();
  }
  if (direction == Direction::kWrite) total.status = window.store();
  if (total.status.ok()) total.bytes_moved += copied;
  return complete && total.status.ok();
}

// Large extents through a buffer. REQUIRES an ascending view; writing, a sole owner.
IoOutcome access_sieving(driver::AdvisedFile& file, Direction direction, const RequestList& requests,
                         std::int64_t buffer_bytes) {
  const Extent all = requests.file_extent();
  Window window(file, std::min(buffer_bytes, all.bytes()));
  layout::SliceCursor slices = requests.slices();
  Slice slice = slices.next();
  IoOutcome total;
  while (slice.bytes > 0) {
    if (!sieve_window(direction, window, slices, slice, all.end, total)) break;
  }
  return total;
}

}  // namespace

plan::AccessShape shape_of(Direction direction, const RequestList& requests) {
  plan::AccessShape shape;
  shape.direction = direction;
  shape.bytes = requests.bytes();
  shape.file_extent = requests.file_extent();
  shape.ascending = requests.view().is_ascending();
  shape.memory_pieces = requests.memory().layout.piece_count();
  const layout::Layout& filetype = requests.view().filetype();
  if (shape.bytes == 0) return shape;
  if (requests.view().is_contiguous() || (shape.ascending && shape.file_extent.bytes() == shape.bytes)) {
    shape.file_pieces = 1;
  } else {
    const std::int64_t first_tile = requests.data_offset() / filetype.data_bytes();
    const std::int64_t last_tile = (requests.data_offset() + shape.bytes - 1) / filetype.data_bytes();
    shape.file_pieces = std::min((last_tile - first_tile + 1) * filetype.piece_count(), shape.bytes);
  }
  return shape;
}

IoOutcome access_file(File& file, Direction direction, const RequestList& requests, const plan::AccessChoice& choice) {
  const plan::Prefetch& prefetch = choice.prefetch;
  driver::AdvisedFile ahead(
      file, prefetch, [&](std::int64_t from) { return plan::block_span_from(requests, from, prefetch.block_bytes); });
  switch (choice.method) {
    case plan::AccessMethod::kPacked: return access_packed(ahead, direction, requests, choice.buffer_bytes);
    case plan::AccessMethod::kSieve: return access_sieving(ahead, direction, requests, choice.buffer_bytes);
    case plan::AccessMethod::kContiguous:
    case plan::AccessMethod::kList: break;
  }
  return access_list(ahead, direction, requests);
}

}  // namespace weir::exec
