// SharedMemory: a block of memory that the ranks of one node have in common.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "base/status.h"
#include "comm/comm.h"

namespace weir::comm {

// The block has no name in any directory: it is an anonymous file (memfd) of the node's first rank, which the others
// open through /proc while that rank waits for them. It belongs to the user, has mode 0600, its size is sealed, and
// whoever maps it has checked owner, size, seals and a random mark inside. It vanishes with the last process that
// maps it, however that ends.
// Where the program runs under a limit on the size of files (ulimit -f) that the block exceeds, it is a segment of
// System V instead, nameless likewise, private to the user, and marked for removal as soon as it is made.
class SharedMemory {
 public:
  // COLLECTIVE over `comm`: makes one block of `block_bytes` per node, filled with zeros; memory is taken as it is
  // touched. When it fails on any rank, all ranks return the same failure and nothing is left. It fails, for instance,
  // where ranks of one node are in different containers; callers must be able to do without.
  // Sends one small message per rank that is not its node's first; then agrees. REQUIRES equal block_bytes > 0.
  static Result<SharedMemory> create(Comm& comm, std::size_t block_bytes);

  SharedMemory(SharedMemory&& other) noexcept
      : mapping_(std::exchange(other.mapping_, {})), block_bytes_(std::exchange(other.block_bytes_, 0)) {}
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  // LOCAL: these bytes will be used soon. Their pages are had in one system call instead of a fault each, where the
  // system can do that. REQUIRES bytes of the block.
  static void expect_use(std::span<std::byte> bytes);

  // The block, at the same offsets on all ranks of the node (not the same addresses); aligned to a page.
  std::span<std::byte> bytes() const { return mapping_.first(block_bytes_); }

 private:
  SharedMemory(std::span<std::byte> mapping, std::size_t block_bytes) : mapping_(mapping), block_bytes_(block_bytes) {}

  std::span<std::byte> mapping_;  // the block, then the mark
  std::size_t block_bytes_ = 0;
};

}  // namespace weir::comm
