// TouchedBlocks: which parts of file blocks the ranks of an aggregator ask for. A range for each block that somebody
// touches, from the first byte to the last.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/extent.h"
#include "exec/stage/schedule.h"
#include "plan/plan.h"

namespace weir::exec {

// LOCAL; finds ranges when they are asked for. Each costs a comparison per rank, and a logarithmic look-up per rank
// that touches the block.
class TouchedBlocks {
 public:
  // How many ranks have bytes for the aggregator: so many extents it works with.
  static std::size_t ranks_of(const Schedule& schedule) {
    return schedule.near_requests.size() + schedule.far_ranks.size();
  }

  // Of the aggregator that the schedule is for. REQUIRES plan.prefetch.max_acc > 0; room.size() >= ranks_of(); all
  // outlives this.
  TouchedBlocks(const plan::Plan& plan, const Schedule& schedule, std::span<Extent> room);

  // The range of the first block of the domain with bytes at or behind the offset, of these bytes only; empty where
  // there is none. To be asked with ascending offsets.
  Extent next(std::int64_t from);

 private:
  const layout::RequestList& request(std::size_t i) const;
  // What request i has of the first such block; empty, at the greatest offset, where there is none.
  Extent first_range(std::size_t i, std::int64_t from) const;
  Extent within(std::size_t i, Extent part) const;
  // Where the first block of the domain at or behind the offset begins, or the offset if it is in one.
  std::int64_t first_in_domain(std::int64_t offset) const;

  const plan::Plan& plan_;
  const Schedule& schedule_;
  const plan::Domain& domain_;
  std::span<Extent> ranges_;  // by request: the first one at or behind where it was looked for
};

}  // namespace weir::exec
