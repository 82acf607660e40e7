// Flight: File::transfer() with several calls under way at a time, by a ring.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "driver/file_driver.h"
#include "driver/ring.h"
#include "driver/vectored.h"

namespace weir::driver {

// Most bytes of one call in flight: larger requests become several.
inline constexpr std::int64_t kMostLegBytes = 1 << 20;

// A ring, and the memory that a transfer by it needs. Used by one thread at a time.
class Flight {
 public:
  explicit Flight(std::unique_ptr<Ring> ring);

  // As transfer_vectored(), which also goes on where a call has moved less than it was asked for: here each is made
  // once. Writes to the same bytes are never under way at a time; the last request wins. Returns when nothing is under
  // way. REQUIRES: the requests passed check_requests().
  IoOutcome move(const Port& port, Direction direction, std::span<const IoRequest> requests);
  // Whether the ring is of no use any more; calls are made one after the other then.
  bool broken() const { return broken_; }

 private:
  // One call: pieces that touch in the file.
  struct Leg {
    std::size_t first = 0;  // piece
    std::size_t count = 0;
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    std::int64_t returned = 0;
  };
  void load(Direction direction, std::span<const IoRequest>& requests, std::int64_t& done_bytes);
  bool add(Direction direction, const IoRequest& piece);
  void fly(const Port& port, Direction direction);
  bool land(const Port& port, Direction direction, IoOutcome& total);
  IoOutcome go_on(const Port& port, Direction direction, const Leg& leg);

  std::unique_ptr<Ring> ring_;
  bool broken_ = false;
  std::vector<IoRequest> pieces_;
  std::vector<iovec> parts_;  // the memory of each piece
  std::vector<Leg> legs_;
  std::int64_t pieces_end_ = 0;  // the largest offset behind one
};

// Flights of one process, kept from one transfer to the next: as many as are in use at once, two at most. Thread-safe.
// A forked child makes its own.
class FlightShelf {
 public:
  // One to be used by one thread at a time, and given back; may not be had, and `error_number` says why.
  std::unique_ptr<Flight> take(Syscalls& system, int& error_number);
  void give_back(std::unique_ptr<Flight> flight);

 private:
  std::mutex mutex_;
  pid_t owner_ = -1;  // of those kept
  std::vector<std::unique_ptr<Flight>> kept_;
};

}  // namespace weir::driver
