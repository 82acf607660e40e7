// Placement: where memory lies relative to the bytes of a file that the kernel copies to or from it, and what that
// costs on this machine.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/extent.h"

namespace weir::driver {

// The page cache puts a byte of a file at its offset within a page. Some processors copy several times slower where the
// destination lies a few bytes behind the source within the page: each load waits for the store before it.
inline constexpr std::int64_t kPageBytes = 4096;

// How far behind its source, within a page, the copy of a transfer puts its bytes: [0, kPageBytes).
int copy_distance(Direction direction, const std::byte* memory, std::int64_t offset);

// Distances that may be slow; all others are well placed.
inline constexpr int kSlowDistances = 64;
inline bool may_be_slow(int distance) { return 0 < distance && distance < kSlowDistances; }

// Bytes per second of the kernel's copy at a distance, on this machine.
struct CopySpeeds {
  double direct = 0;
  double bounced = 0;  // through a bounce buffer that is well placed

  // Copies between caches flatter the bounce buffer: it has to win clearly.
  bool bounce_wins() const { return bounced > 2 * direct; }
};

// Takes about a millisecond of the thread's own time, and half a MiB of memory for as long. Both speeds are 0 where it
// cannot be measured. LOCAL.
CopySpeeds measure_copy(Direction direction, int distance);

// Which placements are slow here, each found out when it is asked for first. Thread-safe.
class PlacementTable {
 public:
  using Measure = std::function<CopySpeeds(Direction, int distance)>;
  explicit PlacementTable(Measure measure = &measure_copy) : measure_(std::move(measure)) {}

  // Whether bytes go faster through a bounce buffer than between this memory and the file directly.
  bool is_slow(Direction direction, const std::byte* memory, std::int64_t offset);

 private:
  enum class Verdict : std::uint8_t { kUnknown, kGood, kSlow };
  Verdict judge(Direction direction, int distance) const;

  const Measure measure_;
  std::array<std::array<std::atomic<Verdict>, kSlowDistances>, 2> verdicts_{};  // by direction and distance
};

}  // namespace weir::driver
