// RequestMerge: local aggregators merge what their ranks ask for, and tell them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/status.h"
#include "comm/comm.h"
#include "exec/stage/buffers.h"
#include "exec/stage/share_group.h"
#include "layout/layout.h"
#include "plan/merging.h"
#include "plan/plan.h"

namespace weir::exec {

// One rank's part in it. Offsets count from the begin of the plan's region.
class RequestMerge {
 public:
  struct Input {
    comm::Comm& comm;
    ShareGroup& group;
    const plan::Plan& plan;
    const Berths& berths;
    // What a rank of this group asks for, encoded, from the front of these bytes.
    std::function<std::span<const std::byte>(int rank)> request_of;
  };
  explicit RequestMerge(Input input);

  // COLLECTIVE, first: what merging finds, summed up over all local aggregators; or one failure for all.
  Result<plan::MergeCounts> count();
  // What this rank found as local aggregator.
  const layout::PieceCounts& own_pieces() const { return found_.pieces; }

  // COLLECTIVE, then: ranks see what their local aggregator has merged; or one failure for all.
  Status share();

  // After share(): the merged requests of the ranks that are served with this one, and how many of their bytes lie in a
  // window of an aggregator that shares no memory with them.
  const layout::Layout& merged() const { return merged_; }
  std::int64_t bytes_in(std::size_t aggregator, std::int64_t round) const;

 private:
  bool is_local_aggregator() const { return local_aggregator_ == input_.comm.rank(); }
  Status merge();
  void tell();
  Status read();
  std::int64_t table_bytes() const;
  std::byte* block_of(int local_aggregator) const;

  const Input input_;
  const int local_aggregator_;  // of this rank
  layout::Layout merged_;
  plan::MergeCounts found_;
  std::vector<std::byte> encoded_;
  std::int64_t block_bytes_ = 0;  // of every local aggregator in the group's memory
};

}  // namespace weir::exec
