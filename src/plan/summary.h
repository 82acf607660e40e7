// AccessSummary: what a rank tells the others of its request list before a collective call.
#pragma once

#include <cstdint>
#include <span>

#include "base/extent.h"
#include "layout/layout.h"

namespace weir::plan {

// Fixed size, sent as bytes.
struct AccessSummary {
  Extent file_extent;
  std::int64_t bytes = 0;
  std::int64_t file_pieces = 0;
  std::uint64_t structure = 0;   // equal for requests of the same structure, wherever in the file
  std::int64_t first_piece = 0;  // where the first byte of the request lies
  std::int32_t failed = 0;       // 1: this rank's arguments were refused; it takes part but moves nothing
  std::int32_t ascending = 1;    // 0: its pieces do not ascend in the file
  std::int32_t moved = 0;        // 1: it has moved its bytes already; see moves_ahead()
  std::int32_t move_failed = 0;  // 1: that failed

  bool operator==(const AccessSummary&) const = default;
};

// Of a request for these bytes of the file.
AccessSummary summary_of(const layout::Layout& wanted);

// All summaries together.
struct Totals {
  Extent region;  // all bytes of the call lie in here
  std::int64_t bytes = 0;
  std::int64_t pieces = 0;
  int active_ranks = 0;      // that have bytes to move
  int moved_ranks = 0;       // of these, that have moved them already
  bool refused = false;      // some rank's arguments
  bool ascending = true;     // on all ranks
  bool interleaved = false;  // the extents of some two ranks overlap
};

Totals total_of(std::span<const AccessSummary> summaries);

// Leaves nothing to do for ranks that have moved their bytes already.
void drop_moved(std::span<AccessSummary> summaries);

// Whether a rank asks for the same as before, `distance` further on in the file; for nothing, at any distance.
bool same_but_moved(AccessSummary earlier, const AccessSummary& later, std::int64_t distance);

}  // namespace weir::plan
