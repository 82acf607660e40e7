// IoWays: File::transfer() of the POSIX driver, by the way that suits the file.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "driver/direct_transfer.h"
#include "driver/flight.h"
#include "driver/placed_transfer.h"
#include "driver/uncached_reads.h"

namespace weir::driver {

// Stores whose bytes come by a network or from another process.
bool has_latency(const StorageLayout& storage);

// What the files of one driver share.
struct IoTools {
  std::shared_ptr<PlacementTable> placements = std::make_shared<PlacementTable>();
  std::shared_ptr<FlightShelf> flights = std::make_shared<FlightShelf>();
  bool (*is_slow)(const StorageLayout&) = &has_latency;
};

// Of one file. Thread-safe, but for close().
//
// IoWay::kAuto makes one call after the other, through the page cache; but where the store has latency, the requests of
// a batch that do not touch go in flight from the first one on that took long. Where reads have to be uncached, they
// are, whatever the way.
class IoWays {
 public:
  // Batches of fewer requests are made one after the other.
  static constexpr std::size_t kLeastInFlight = 8;

  // REQUIRES that the storage outlives this, and that the file is open.
  IoWays(const Port& port, const KnownStorage& storage, IoTools tools, const OpenMode& mode);
  IoWays(const IoWays&) = delete;
  IoWays& operator=(const IoWays&) = delete;
  ~IoWays() { close(); }

  // As transfer_vectored(), whatever the way.
  IoOutcome move(Direction direction, std::span<const IoRequest> requests) {
    const bool plain = way_ == IoWay::kBuffered || (way_ == IoWay::kAuto && requests.size() < kLeastInFlight);
    return plain ? move_in_turn(direction, requests) : move_otherwise(direction, requests);
  }
  // Why the way that was asked for is not taken; empty where it is.
  const std::string& replaced() const { return replaced_; }
  // What was opened beside the file.
  void close() {
    direct_.close();
    uncached_.close();
  }

 private:
  // One call after the other.
  IoOutcome move_in_turn(Direction direction, std::span<const IoRequest> requests) {
    const bool uncached = direction == Direction::kRead && uncached_.serve();
    return uncached ? uncached_.move(requests) : buffered_.move(direction, requests);
  }
  IoOutcome move_otherwise(Direction direction, std::span<const IoRequest> requests);
  IoOutcome move_in_flight(Direction direction, std::span<const IoRequest> requests);
  IoOutcome move_watched(Direction direction, std::span<const IoRequest> requests);
  void prepare(const OpenMode& mode);

  const Port port_;
  const KnownStorage& storage_;
  const IoTools tools_;
  PlacedTransfer buffered_;
  DirectTransfer direct_;
  UncachedReads uncached_;
  IoWay way_;
  std::string replaced_;
};

}  // namespace weir::driver
