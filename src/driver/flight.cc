#include "driver/flight.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>

namespace weir::driver {

namespace {

constexpr std::size_t kMostPieces = kMostPartsPerCall;  // of a load
constexpr std::int64_t kNotMade = -EAGAIN;              // what a call returned that was not made
constexpr std::size_t kMostKept = 2;

}  // namespace

Flight::Flight(std::unique_ptr<Ring> ring) : ring_(std::move(ring)) {
  pieces_.reserve(kMostPieces);
  parts_.reserve(kMostPieces);
  legs_.reserve(kMostPieces);
}

IoOutcome Flight::move(const Port& port, Direction direction, std::span<const IoRequest> requests) {
  IoOutcome total;
  std::int64_t done_bytes = 0;  // of the first request
  bool more = true;
  while (more && !requests.empty()) {
    load(direction, requests, done_bytes);
    fly(port, direction);
    more = land(port, direction, total);
  }
  return total;
}

// As many requests as there is room for, cut where legs end at the latest.
void Flight::load(Direction direction, std::span<const IoRequest>& requests, std::int64_t& done_bytes) {
  pieces_.clear();
  parts_.clear();
  legs_.clear();
  pieces_end_ = 0;
  while (!requests.empty()) {
    const IoRequest& request = requests.front();
    const std::int64_t offset = request.offset + done_bytes;
    const std::int64_t bytes = std::min(request.bytes - done_bytes, kMostLegBytes - offset % kMostLegBytes);
    if (bytes > 0) {
      if (!add(direction, {offset, request.data + done_bytes, bytes})) return;
      done_bytes += bytes;
    }
    if (done_bytes < request.bytes) continue;
    requests = requests.subspan(1);
    done_bytes = 0;
  }
}

// False where the piece has to wait until those before it have landed.
bool Flight::add(Direction direction, const IoRequest& piece) {
  if (pieces_.size() == kMostPieces) return false;
  if (direction == Direction::kWrite && piece.offset < pieces_end_) return false;
  pieces_end_ = std::max(pieces_end_, piece.offset + piece.bytes);
  Leg* last = legs_.empty() ? nullptr : &legs_.back();
  const bool joins =
      last != nullptr && last->offset + last->bytes == piece.offset && last->bytes + piece.bytes <= kMostLegBytes;
  if (joins) {
    ++last->count;
    last->bytes += piece.bytes;
  } else {
    legs_.push_back({pieces_.size(), 1, piece.offset, piece.bytes, kNotMade});
  }
  pieces_.push_back(piece);
  parts_.push_back({piece.data, static_cast<std::size_t>(piece.bytes)});
  return true;
}

// Makes the legs' calls, as many at a time as the ring takes; none after a failure. Nothing is under way when it
// returns. A single call has no company: it is left to landing.
void Flight::fly(const Port& port, Direction direction) {
  std::array<RingEnd, kMostInFlight> ends;
  std::size_t next = legs_.size() > 1 ? 0 : legs_.size();
  unsigned under_way = 0;
  while (!broken_) {
    for (; next < legs_.size() && under_way < kMostInFlight; ++next, ++under_way) {
      const Leg& leg = legs_[next];
      ring_->put({direction, port.file.fd, std::span(parts_).subspan(leg.first, leg.count), leg.offset, next});
    }
    if (under_way == 0) return;
    const int count = ring_->await(ends);
    broken_ = count < 0;
    for (int i = 0; i < count; ++i) {
      const RingEnd& end = ends[static_cast<std::size_t>(i)];
      legs_[end.number].returned = end.returned;
      port.counters.count_call(direction, std::max<std::int64_t>(end.returned, 0));
      port.counters.count_in_flight();
      if (is_failure(end.returned)) next = legs_.size();
      --under_way;
    }
  }
}

// Sums up in the order of the requests. False where they end: failure, or end of file.
bool Flight::land(const Port& port, Direction direction, IoOutcome& total) {
  for (const Leg& leg : legs_) {
    if (leg.returned == leg.bytes) {
      total.bytes_moved += leg.bytes;
    } else if (is_failure(leg.returned)) {
      total.status = call_failure(port, direction, leg.returned, leg.offset);
      return false;
    } else if (!total.add(go_on(port, direction, leg), leg.bytes)) {
      return false;
    }
  }
  return true;
}

// The whole leg, of which its call has moved less.
IoOutcome Flight::go_on(const Port& port, Direction direction, const Leg& leg) {
  const std::int64_t moved = std::max<std::int64_t>(leg.returned, 0);
  std::int64_t skipped = moved;
  std::span<IoRequest> rest = std::span(pieces_).subspan(leg.first, leg.count);
  for (; skipped >= rest.front().bytes; rest = rest.subspan(1)) skipped -= rest.front().bytes;
  const IoRequest cut = rest.front();
  rest.front() = {cut.offset + skipped, cut.data + skipped, cut.bytes - skipped};
  IoOutcome outcome = transfer_vectored(port, direction, rest);
  outcome.bytes_moved += moved;
  return outcome;
}

std::unique_ptr<Flight> FlightShelf::take(Syscalls& system, int& error_number) {
  {
    const std::scoped_lock lock(mutex_);
    if (owner_ != ::getpid()) kept_.clear();
    owner_ = ::getpid();
    if (!kept_.empty()) {
      std::unique_ptr<Flight> flight = std::move(kept_.back());
      kept_.pop_back();
      return flight;
    }
  }
  try {
    std::unique_ptr<Ring> ring = system.make_ring(error_number);
    return ring != nullptr ? std::make_unique<Flight>(std::move(ring)) : nullptr;
  } catch (const std::bad_alloc&) {
    error_number = ENOMEM;
    return nullptr;
  }
}

void FlightShelf::give_back(std::unique_ptr<Flight> flight) {
  const std::scoped_lock lock(mutex_);
  if (!flight->broken() && kept_.size() < kMostKept) kept_.push_back(std::move(flight));
}

}  // namespace weir::driver
