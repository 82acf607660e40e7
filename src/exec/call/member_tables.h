// MemberTables: what the ranks of a group tell each other in its memory while a call is inspected: each its shares, and
// behind them its request or structures, packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "comm/comm.h"
#include "exec/stage/schedule.h"
#include "exec/stage/share_group.h"
#include "plan/plan.h"

namespace weir::exec {

class MemberTables {
 public:
  // Gets all memory that these tables need for themselves.
  MemberTables(comm::Comm& comm, ShareGroup& group, const plan::Plan& plan);

  // The bytes of a table that has so many behind its shares.
  std::int64_t bytes_with(std::int64_t behind) const;

  // COLLECTIVE: room for the tables of all members, `needs` bytes for each rank of the call. All ranks return the same
  // failure.
  Status place(std::span<const std::int64_t> needs);
  // The same where there is one group and all its ranks need as much. Allocates nothing but what is shared.
  Status place_equal(std::int64_t need);

  // Puts this rank's shares into its table and returns the place behind them. tell() says that all is filled in.
  std::byte* fill(std::span<const Share> shares);
  void tell() { group_.tell_tables(); }
  // Waits until all members have told.
  void await() { group_.await_tables(&comm_); }

  // REQUIRES await(). `member` is a place in the group's list of ranks.
  const Share& share(std::size_t member, std::size_t aggregator, std::int64_t round) const;
  // What a rank of the group has put behind its shares, and whatever follows in the group's memory.
  std::span<const std::byte> behind_shares(int rank) const;

 private:
  Status ensure(std::int64_t bytes);
  std::int64_t shares_bytes() const;
  std::byte* table(std::size_t member) const { return group_.tables().bytes().data() + begin_[member]; }

  comm::Comm& comm_;
  ShareGroup& group_;
  const plan::Plan& plan_;
  std::vector<std::int64_t> begin_;         // of each member
  std::vector<std::int64_t> end_of_group_;  // of each group
};

}  // namespace weir::exec
