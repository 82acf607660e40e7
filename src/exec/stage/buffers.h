// Buffers: where the windows of a group's aggregators and the parcels of its local aggregators lie in its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "comm/comm.h"
#include "exec/stage/share_group.h"
#include "layout/coverage_map.h"
#include "plan/plan.h"

namespace weir::exec {

// A window's buffer in one slot of its ring.
struct WindowSlot {
  // Written by the keeper before it opens the round.
  struct Header {
    std::int64_t data_end;  // reading: file offsets from here on were not read
    std::int64_t marked;    // writing: 1 when users have to mark their bytes
  };
  Header* header = nullptr;
  std::byte* data = nullptr;
  std::span<std::uint64_t> marks;  // words of a CoverageMap
};

// Who has buffers in a group's memory.
struct Berths {
  std::vector<int> aggregators;  // of the group, ascending
  std::vector<int> local_aggregators;
  std::size_t most_aggregators = 0;  // of any group
  std::size_t most_local_aggregators = 0;

  static Berths of(const ShareGroup& group, const plan::Plan& plan);
};

class Buffers {
 public:
  // COLLECTIVE: makes sure that the group's memory holds them all; the same failure on all ranks.
  // REQUIRES that the berths, of this group and plan, outlive it.
  static Result<Buffers> make(comm::Comm& comm, ShareGroup& group, const plan::Plan& plan, const Berths& berths,
                              std::int64_t parcel_buffer_bytes);

  // REQUIRES: the rank is of the group, and an aggregator; a local aggregator.
  WindowSlot window(int aggregator_rank, std::size_t slot) const;
  std::byte* parcels(int local_aggregator_rank, std::size_t slot) const;

 private:
  std::byte* base_ = nullptr;
  std::size_t depth_ = 1;
  std::size_t window_bytes_ = 0;
  std::size_t slot_bytes_ = 0;  // header, window and marks
  std::size_t parcel_bytes_ = 0;
  const Berths* berths_ = nullptr;
};

}  // namespace weir::exec
