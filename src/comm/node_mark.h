// NodeMark: by which two processes find out whether they are on one node and can share memory.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "sys/unique_fd.h"

namespace weir::comm {

// LOCAL: a number that processes have in common which may be on one node: host name, boot, and name space of process
// numbers are the same. Others have it by chance only.
std::uint64_t node_key();

// LOCAL: for each rank, the lowest rank with the same key.
std::vector<int> lowest_with_same_key(std::span<const std::uint64_t> key_of_rank);

// A few random bytes in memory of this process that others of its node can open through /proc while it lives; they go
// with it. LOCAL.
class NodeMark {
 public:
  // What others need to find it; can be sent as bytes.
  struct Invitation {
    std::int64_t process = 0;  // 0: there is no mark
    std::int64_t descriptor = -1;
    std::uint64_t mark = 0;
  };
  static_assert(std::is_trivially_copyable_v<Invitation>);

  // Where the system gives none, the invitation says so.
  NodeMark();
  const Invitation& invitation() const { return invitation_; }

  // Whether the mark that `invitation` tells of can be read here.
  static bool found(const Invitation& invitation);

 private:
  sys::UniqueFd file_;
  Invitation invitation_;
};

}  // namespace weir::comm
