// DirectTransfer: File::transfer() with large requests going past the page cache (O_DIRECT).
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "driver/bounce_buffer.h"
#include "driver/placed_transfer.h"

namespace weir::driver {

// Smaller ones go through the page cache.
inline constexpr std::int64_t kLeastDirect = 256 << 10;

// Of one file. Of a large request, the whole pages in its middle go directly; its head and tail, and all small
// requests, go through the page cache: no page is in use by both ways. Memory that is not aligned as the file system
// wants it goes through a bounce buffer. Thread-safe, but for open() and close().
class DirectTransfer {
 public:
  // REQUIRES that `buffered`, of the same port, outlives this.
  DirectTransfer(const Port& port, PlacedTransfer& buffered) : port_(port), buffered_(buffered) {}

  // Opens the file once more, by its descriptor. A failure says why nothing goes directly.
  Status open(const OpenMode& mode);
  void close();
  // As transfer_vectored(). What the file system does not take directly goes through the page cache, then and for ever.
  IoOutcome move(Direction direction, std::span<const IoRequest> requests);

 private:
  Extent middle_of(const IoRequest& request) const;
  IoOutcome move_large(Direction direction, const IoRequest& request);
  IoOutcome move_middle(Direction direction, const IoRequest& request);
  std::int64_t call(Direction direction, const IoRequest& chunk, const BounceBuffer* bounce);

  const Port port_;
  PlacedTransfer& buffered_;
  OpenDescriptor file_;  // the second one
  DirectAlignment alignment_;
  std::atomic<bool> barred_ = false;  // the file system took none
  BounceShelf shelf_;
};

}  // namespace weir::driver
