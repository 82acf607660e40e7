#include "driver/io_ways.h"

#include <fmt/format.h>

#include <chrono>

namespace weir::driver {

namespace {

// A call that takes longer waited for more than copies: this, and a nanosecond for each byte.
constexpr std::chrono::nanoseconds kLongCall = std::chrono::microseconds(100);

// How many of the requests, from the first on, touch in the file.
std::size_t touching(std::span<const IoRequest> requests) {
  std::size_t count = 1;
  while (count < requests.size() && requests[count].offset == requests[count - 1].offset + requests[count - 1].bytes) {
    ++count;
  }
  return count;
}

}  // namespace

bool has_latency(const StorageLayout& storage) { return storage.network || storage.file_system.starts_with("fuse"); }

IoWays::IoWays(const Port& port, const KnownStorage& storage, IoTools tools, const OpenMode& mode)
    : port_(port),
      storage_(storage),
      tools_(std::move(tools)),
      buffered_(port, storage, tools_.placements),
      direct_(port, buffered_),
      uncached_(port, storage, mode),
      way_(mode.io) {
  prepare(mode);
}

// A way that cannot be had is found out, and told, when the file is opened.
void IoWays::prepare(const OpenMode& mode) {
  if (way_ == IoWay::kUring) {
    int error_number = 0;
    std::unique_ptr<Flight> flight = tools_.flights->take(port_.system, error_number);
    if (flight != nullptr) return tools_.flights->give_back(std::move(flight));
    replaced_ = fmt::format("weir_io=uring: {}; calls are made one after the other",
                            Status::from_errno(error_number, "io_uring", port_.file.path).text());
  }
  if (way_ == IoWay::kDirect) {
    const Status opened = direct_.open(mode);
    if (opened.ok()) return;
    replaced_ = fmt::format("weir_io=direct: {}; bytes go through the page cache", opened.text());
  }
  if (way_ != IoWay::kAuto) way_ = IoWay::kBuffered;
}

IoOutcome IoWays::move_otherwise(Direction direction, std::span<const IoRequest> requests) {
  switch (way_) {
    case IoWay::kDirect:
      if (direction == Direction::kRead && uncached_.serve()) break;
      return direct_.move(direction, requests);
    case IoWay::kUring: return move_in_flight(direction, requests);
    case IoWay::kAuto:
      if (tools_.is_slow(storage_.get())) return move_watched(direction, requests);
      break;
    case IoWay::kBuffered: break;
  }
  return move_in_turn(direction, requests);
}

// A request that is one call has no company.
IoOutcome IoWays::move_in_flight(Direction direction, std::span<const IoRequest> requests) {
  if (requests.size() == 1 && requests.front().bytes <= kMostLegBytes) return move_in_turn(direction, requests);
  int error_number = 0;
  std::unique_ptr<Flight> flight = tools_.flights->take(port_.system, error_number);
  if (flight == nullptr) return move_in_turn(direction, requests);
  const bool uncached = direction == Direction::kRead && uncached_.serve();
  IoOutcome outcome = flight->move(uncached ? uncached_.port() : port_, direction, requests);
  tools_.flights->give_back(std::move(flight));
  if (uncached) port_.counters.count_direct(outcome.bytes_moved);
  return outcome;
}

// What the page cache has is there at once, and is not worth a flight.
IoOutcome IoWays::move_watched(Direction direction, std::span<const IoRequest> requests) {
  IoOutcome total;
  bool more = true;
  bool is_long = false;
  while (more && !is_long && !requests.empty()) {
    const auto part = requests.first(touching(requests));
    const std::int64_t bytes = bytes_of(part);
    const std::chrono::nanoseconds begin = port_.system.now();
    more = total.add(move_in_turn(direction, part), bytes);
    is_long = port_.system.now() - begin > kLongCall + std::chrono::nanoseconds(bytes);
    requests = requests.subspan(part.size());
  }
  if (more && !requests.empty()) total.add(move_in_flight(direction, requests), bytes_of(requests));
  return total;
}

}  // namespace weir::driver
