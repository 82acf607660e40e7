// How one rank reaches the file for itself: the choice between one call, a list of calls, packing and sieving.
#pragma once

#include <cstdint>
#include <string>

#include "base/extent.h"
#include "base/toggle.h"
#include "plan/prefetch.h"

namespace weir::plan {

enum class AccessMethod : std::uint8_t {
  kContiguous,  // one piece in the file and in memory: one request
  kList,        // a request per slice
  kPacked,      // memory has gaps too small to be worth a request each: through a buffer, a request per file piece
  kSieve,       // large extents through a buffer, pieces picked in memory
};

const char* name(AccessMethod method);

// What is known of one access before any byte moves.
struct AccessShape {
  Direction direction = Direction::kRead;
  std::int64_t bytes = 0;
  std::int64_t file_pieces = 0;
  std::int64_t memory_pieces = 0;
  Extent file_extent;
  bool ascending = true;  // pieces ascend in the file
};

// What the hints and the way the file was opened allow.
struct AccessRules {
  Toggle sieve_reads = Toggle::kAutomatic;
  Toggle sieve_writes = Toggle::kAutomatic;
  // A sieving write reads and writes back bytes that nobody asked for. It is allowed only where no other opener of the
  // file can exist, so that no one else's bytes are lost.
  bool sole_owner = false;
  std::int64_t read_buffer_bytes = 4 << 20;
  std::int64_t write_buffer_bytes = 512 << 10;
  // What one system call costs, as the number of bytes that could have been copied instead.
  std::int64_t call_cost_bytes = 4096;
  Prefetch prefetch;  // of reads
};

struct AccessChoice {
  AccessMethod method = AccessMethod::kContiguous;
  std::string reason;
  std::int64_t buffer_bytes = 0;  // for packing and sieving
  Prefetch prefetch = {};         // off for writes, and where pieces do not ascend in the file
};

// The cheapest allowed method, and why.
AccessChoice choose_access(const AccessShape& shape, const AccessRules& rules);

}  // namespace weir::plan
