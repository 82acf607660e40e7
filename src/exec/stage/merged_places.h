// MergedPlaces: where the bytes of a request stand among those of all ranks that a local aggregator serves, merged.
#pragma once

#include <cstdint>

#include "layout/cursor.h"
#include "layout/layout.h"

namespace weir::exec {

// Places count the bytes of the merged requests in file order, each once. Best asked in ascending order. Allocates when
// constructed only.
class MergedPlaces {
 public:
  // REQUIRES ascending, in pieces that do not touch, as layout::merged() gives them.
  explicit MergedPlaces(const layout::Layout& merged);

  const layout::Layout& merged() const { return merged_; }
  // How many of the bytes lie before the offset.
  std::int64_t below(std::int64_t offset) const;

  // Pieces of a rank at equal distance, and the places of the first `count` of them, at equal distance as well.
  struct Pieces {
    std::int64_t offset = 0;
    std::int64_t stride = 0;  // ascending
    std::int64_t bytes = 0;   // of each
    std::int64_t count = 1;
  };
  struct Places {
    std::int64_t place = 0;
    std::int64_t stride = 0;
    std::int64_t count = 1;
  };
  // REQUIRES that all their bytes are among those merged.
  Places of(const Pieces& pieces);

 private:
  void find(std::int64_t offset);
  // Behind the last piece of the run.
  std::int64_t run_end() const { return run_.offset + (run_.count - 1) * run_.stride + run_.length; }

  layout::Layout merged_;
  layout::Cursor cursor_;  // at the first piece of the run
  layout::Run run_;
};

}  // namespace weir::exec
