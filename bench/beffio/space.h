// How the space for files is dealt out: before anything is written it is known that all fits, also what types 3 and 4
// have to write because of what types 0 to 2 will have written.
#pragma once

#include <cstdint>
#include <span>

#include "pattern.h"

namespace beffio {

class Space {
 public:
  // For the files of partitions of so many ranks that exist together; `patterns` are those that each of them executes.
  Space(std::int64_t bytes, std::span<const int> ranks, std::span<const Pattern> patterns);

  // What the files take at least: every pattern of types 0 to 2 once; of types 3 and 4 what follows from that, or once
  // where there is nothing to follow from.
  std::int64_t least_bytes() const { return least_of_rank_ * ranks_; }

  // What a rank of a partition of so many ranks may write in one time unit, beyond the least: an equal part for every
  // partition. All files then fit; rounding segments up leaves holes, which take no space.
  std::int64_t bytes_of_unit(int ranks) const;

 private:
  std::int64_t bytes_;
  std::int64_t ranks_ = 0;  // of all partitions
  std::int64_t partitions_;
  std::int64_t units_ = 0;
  std::int64_t least_of_rank_;
};

// Repeats of a pattern whose amount nothing else decides: the first, which is always made, and those that the bytes of
// its units pay for.
std::int64_t repeats_within(std::int64_t bytes_of_unit, const Pattern& pattern);

}  // namespace beffio
