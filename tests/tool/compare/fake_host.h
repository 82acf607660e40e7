// Hosts and cells that tests invent.
#pragma once

#include "compare/cell.h"

namespace weir::tool::compare {

inline Host open_mpi() {
  return {.family = MpiFamily::kOpenMpi,
          .launcher = "mpirun.openmpi",
          .version = "Open MPI 4.1.4",
          .directory = "/opt/weir/openmpi",
          .components = {"ompio", "romio321"},
          .single_copy = true};
}

inline Host mpich() {
  return {.family = MpiFamily::kMpich,
          .launcher = "mpirun.mpich",
          .version = "MPICH 4.0.2",
          .directory = "/opt/weir/mpich",
          .components = {},
          .single_copy = true};
}

inline Cell cell_of(const Host& host, const Peer& peer, int ranks = 4) {
  return {.workload = "coll_perf",
          .direction = "write",
          .host = host,
          .peer = peer,
          .variant = {},
          .ranks = ranks,
          .bytes = 1000000};
}

}  // namespace weir::tool::compare
