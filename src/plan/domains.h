// File domains: which bytes of a call's region each aggregator owns, and the windows it serves them in.
#pragma once

#include <cstdint>
#include <vector>

#include "base/extent.h"

namespace weir::plan {

enum class DomainKind : std::uint8_t {
  kEven,          // contiguous, of equal size, at any byte
  kAligned,       // the even boundaries, each moved to the nearest multiple of the lock granularity
  kStaticCyclic,  // block b of the file belongs to aggregator b mod A, in every call
  kGroupCyclic,   // contiguous parts for groups of as many aggregators as servers, cyclic inside a group
};

const char* name(DomainKind kind);

// The bytes of `extent` that lie in blocks of `block_bytes`, the first of which begins at `first_block`, each
// `stride_bytes` behind the one before. block_bytes == 0: all bytes of `extent`.
struct Domain {
  Extent extent;
  std::int64_t first_block = 0;
  std::int64_t block_bytes = 0;
  std::int64_t stride_bytes = 0;

  bool operator==(const Domain&) const = default;
};

// The part of a domain that is in the collective buffer in one round: `count` blocks at equal distance, cut at `clip`.
// In the buffer the blocks follow each other without gaps.
struct Window {
  std::int64_t first_block = 0;
  std::int64_t block_bytes = 0;
  std::int64_t stride_bytes = 0;
  std::int64_t count = 0;
  Extent clip;

  // Block `index`, cut; may be empty. REQUIRES 0 <= index < count.
  Extent extent(std::int64_t index) const {
    const std::int64_t begin = first_block + index * stride_bytes;
    return intersection({begin, begin + block_bytes}, clip);
  }
  // Where extent(index) begins in the buffer.
  std::int64_t place(std::int64_t index) const {
    return index * block_bytes + extent(index).begin - (first_block + index * stride_bytes);
  }
  std::int64_t bytes() const;
  // The smallest extent that holds all blocks.
  Extent hull() const {
    return intersection({first_block, first_block + (count - 1) * stride_bytes + block_bytes}, clip);
  }
  Window moved(std::int64_t distance) const;
};

struct DomainRequest {
  DomainKind kind = DomainKind::kEven;
  Extent region;
  int aggregators = 1;
  std::int64_t lock_bytes = 1;
  int servers = 1;
};

// One domain per aggregator, in order: disjoint, together the region; some may be empty. Group-cyclic domains with no
// more aggregators than servers are static-cyclic ones. REQUIRES aggregators >= 1, lock_bytes >= 1, servers >= 1; for
// group-cyclic domains with more aggregators than servers, a multiple of them.
std::vector<Domain> make_domains(const DomainRequest& request);

// How a domain is served through a buffer.
struct RoundSize {
  std::int64_t window_bytes = 1;  // of the buffer
  std::int64_t unit = 1;  // windows of contiguous domains begin at multiples of this, where the buffer holds any
  bool operator==(const RoundSize&) const = default;
};

std::int64_t round_count(const Domain& domain, RoundSize size);
// REQUIRES 0 <= round < round_count().
Window window_of(const Domain& domain, RoundSize size, std::int64_t round);

}  // namespace weir::plan
