// Blobs of all ranks, handed in to rank 0 one after the other.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "base/status.h"
#include "comm/comm.h"

namespace weir::comm {

// COLLECTIVE: rank 0 takes the blob of each rank, in rank order and its own first, in chunks: a few KiB are in its
// memory at a time. `take` is called on rank 0 only, once for each chunk. A rank whose transfer failed stays in step.
using Take = std::function<void(int rank, std::span<const std::byte> chunk)>;
Status hand_in(Comm& comm, std::span<const std::byte> mine, const Take& take);

}  // namespace weir::comm
