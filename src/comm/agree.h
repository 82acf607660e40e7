// agree: one outcome for all ranks of a collective call.
#pragma once

#include <cstddef>

#include "base/status.h"
#include "comm/comm.h"

namespace weir::comm {

// Of a failure's text, this much reaches the other ranks.
inline constexpr std::size_t kAgreedTextBytes = 1024;

// COLLECTIVE: every rank brings its own status and all return the same one: success when all succeeded, otherwise
// the failure of the lowest failing rank, with "(on rank N)" after its text unless an earlier agreement put it there.
// Costs one reduction of one number; one broadcast more when someone failed.
Status agree(Comm& comm, const Status& mine);

// COLLECTIVE: the same where all know already that `rank` failed: all return its failure. Costs one broadcast.
Status share_failure(Comm& comm, int rank, const Status& mine);

}  // namespace weir::comm
