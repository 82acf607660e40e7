// How often a pattern is repeated: by time, or by an amount of data that was fixed before.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "pattern.h"

namespace beffio {

// A pattern that ends with its repeats alone.
inline constexpr double kNoTimeLimit = std::numeric_limits<double>::infinity();

// Where a pattern stands. Equal on all ranks: `elapsed` is the slowest rank's time.
struct RepeatState {
  std::int64_t done = 0;        // repeats so far
  std::int64_t last_batch = 0;  // of these, since the clock was last looked at
  double elapsed = 0;           // seconds of these
  double seconds = 0;           // how long the pattern may take; kNoTimeLimit: until its limit of repeats
  std::int64_t limit = 0;       // repeats at most
};

// The repeats to make before the clock is looked at again; 0: the pattern ends. The first batch is one repeat, later
// ones grow geometrically as long as they are expected to fit in the time left, so that looking at the clock, which all
// ranks have to do together, costs little and no batch runs away.
std::int64_t next_batch(const RepeatState& state);

// What a rank moved in patterns of a chunk size, and the time units they had.
struct Moved {
  std::int64_t bytes = 0;
  int units = 0;
};

// What writing of types 0 to 2 moved: the amounts of types 3 and 4 follow from it.
class Amounts {
 public:
  // Takes note of a pattern; one without time units says nothing about speed and is left out.
  void add(const Pattern& pattern, std::int64_t repeats);

  // True where no pattern with time units was noted.
  bool empty() const { return moved_.empty(); }

  // What a rank moves in a pattern of types 3 and 4: as much as at the mean speed of types 0 to 2 in that pattern's
  // time, at least one call; one for a pattern without time units. Nothing where types 0 to 2 were not executed.
  std::optional<std::int64_t> bytes_for(const Pattern& pattern) const;
  // The whole calls of that.
  std::optional<std::int64_t> repeats_for(const Pattern& pattern) const;

 private:
  std::map<Chunk, Moved> moved_;
};

// The size of a rank's segment: what the patterns make in `repeats` (one entry each), rounded up to 1 MB and, where
// that is larger, to the striping unit (0: not known).
std::int64_t segment_bytes(std::span<const Pattern> patterns, std::span<const std::int64_t> repeats,
                           std::int64_t striping_unit);

}  // namespace beffio
