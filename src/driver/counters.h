// CounterBoard: IoCounters that several threads may add to at once.
#pragma once

#include <atomic>
#include <cstdint>

#include "driver/file_driver.h"

namespace weir::driver {

class CounterBoard {
 public:
  // One call to the file system that moved `bytes` (0 when it failed).
  void count_call(Direction direction, std::int64_t bytes) {
    bool reading = direction == Direction::kRead;
    (reading ? reads_ : writes_).fetch_add(1, std::memory_order_relaxed);
    (reading ? bytes_read_ : bytes_written_).fetch_add(bytes, std::memory_order_relaxed);
  }
  void count_advice(std::size_t asked, std::int64_t taken) {
    ranges_asked_.fetch_add(static_cast<std::int64_t>(asked), std::memory_order_relaxed);
    ranges_taken_.fetch_add(taken, std::memory_order_relaxed);
  }
  void count_bounced(std::int64_t bytes) { bytes_bounced_.fetch_add(bytes, std::memory_order_relaxed); }
  void count_in_flight() { in_flight_.fetch_add(1, std::memory_order_relaxed); }
  void count_direct(std::int64_t bytes) { bytes_direct_.fetch_add(bytes, std::memory_order_relaxed); }
  void count_sync() { syncs_.fetch_add(1, std::memory_order_relaxed); }

  IoCounters snapshot() const {
    return {reads_.load(std::memory_order_relaxed),        writes_.load(std::memory_order_relaxed),
            bytes_read_.load(std::memory_order_relaxed),   bytes_written_.load(std::memory_order_relaxed),
            syncs_.load(std::memory_order_relaxed),        ranges_asked_.load(std::memory_order_relaxed),
            ranges_taken_.load(std::memory_order_relaxed), bytes_bounced_.load(std::memory_order_relaxed),
            in_flight_.load(std::memory_order_relaxed),    bytes_direct_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<std::int64_t> reads_ = 0;
  std::atomic<std::int64_t> writes_ = 0;
  std::atomic<std::int64_t> bytes_read_ = 0;
  std::atomic<std::int64_t> bytes_written_ = 0;
  std::atomic<std::int64_t> syncs_ = 0;
  std::atomic<std::int64_t> ranges_asked_ = 0;
  std::atomic<std::int64_t> ranges_taken_ = 0;
  std::atomic<std::int64_t> bytes_bounced_ = 0;
  std::atomic<std::int64_t> in_flight_ = 0;
  std::atomic<std::int64_t> bytes_direct_ = 0;
};

}  // namespace weir::driver
