// Which ranks of a communicator are on one node.
#pragma once

#include <mpi.h>

#include "base/status.h"
#include "comm/comm.h"

namespace weir::comm {

// COLLECTIVE over `own`. A node is what MPI_COMM_TYPE_SHARED says, unless that is a node for every rank: then ranks
// that have the same host name and boot, and can open each other's memory, are on one node all the same.
Result<Topology> find_topology(MPI_Comm own);

}  // namespace weir::comm
