// Structures: which bytes ranks want, told to aggregators that share no memory with them. They travel as nested strided
// runs, never as lists of pieces unless the pieces are irregular.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/status.h"
#include "comm/comm.h"
#include "exec/stage/schedule.h"
#include "exec/stage/share_group.h"
#include "layout/request_list.h"
#include "plan/plan.h"
#include "trace/counters.h"

namespace weir::exec {

// One rank's request as far as each aggregator needs it, encoded; offsets count from the begin of the plan's region.
class Structures {
 public:
  Structures() = default;
  explicit Structures(std::vector<std::vector<std::byte>> of_aggregator) : of_aggregator_(std::move(of_aggregator)) {}

  // All of them in one block; 0 when there are none.
  std::int64_t packed_bytes() const;
  void pack(std::span<std::byte> block) const;  // REQUIRES block.size() == packed_bytes()
  // The structure for an aggregator in a block that pack() filled; may be empty.
  static std::span<const std::byte> unpack(const std::byte* block, std::size_t aggregator);

 private:
  std::vector<std::vector<std::byte>> of_aggregator_;
};

// Of the aggregators that `wanted` names. REQUIRES requests in file offsets.
Structures structures_for(const plan::Plan& plan, const layout::RequestList& requests,
                          const std::function<bool(std::size_t aggregator)>& wanted);

// The requests for an aggregator in blocks that pack() filled, those that ask for nothing left out; offsets as encoded,
// no memory.
Result<std::vector<layout::RequestList>> read_structures(std::span<const std::byte* const> blocks,
                                                         std::size_t aggregator);

struct StructureExchange {
  comm::Comm& comm;
  const ShareGroup& group;
  const plan::Plan& plan;
  std::span<const plan::AccessSummary> summaries;
  std::function<const std::byte*(int rank)> packed_of;  // blocks of this group's ranks, unless merged
  const layout::Layout* merged;  // what a local aggregator has merged, offsets as in structures; or null
  trace::Counters& counters;
};

// COLLECTIVE: local aggregators send their ranks' structures to the aggregators of other groups, merged ones as one; an
// aggregator gets the ranks that have bytes for it, by local aggregator and rank. Two messages for each pair whose
// extents meet (dense plans: for each pair). The outcome is not agreed.
Result<std::vector<FarRank>> exchange_structures(const StructureExchange& exchange);

}  // namespace weir::exec
