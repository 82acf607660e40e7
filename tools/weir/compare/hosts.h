// The MPIs that can be measured here, and each one's MPI-IOs.
#pragma once

#include <string>
#include <vector>

#include "apply.h"
#include "base/status.h"
#include "mpi_use.h"
#include "words.h"

namespace weir::tool::compare {

// An MPI with a launcher in PATH and weir's library and benchmark programs.
struct Host {
  MpiFamily family = MpiFamily::kOpenMpi;
  std::string launcher;
  std::string version;      // "Open MPI 4.1.4"
  std::string directory;    // where libweir.so and the benchmark programs for it are
  Words components;         // Open MPI: its MPI-IOs, e.g. "ompio", "romio321"
  bool single_copy = true;  // ranks of a node may read each other's memory
};

// The hosts of these names ("openmpi", "mpich"; none: all). Failure: a name that is none, and no host at all; says what
// is missing.
Result<std::vector<Host>> find_hosts(const Words& names);

// One MPI-IO under a host.
struct Peer {
  std::string name;   // weir, host, ompio, romio
  std::string title;  // for people, e.g. "OMPIO"
  std::vector<Variable> variables;
};

// The names that --against takes. "blockio" is not an MPI-IO of its own: each start measures it too.
const Words& peer_names();

// Those of `wanted` (from peer_names()) that the host has, in this order, each MPI-IO once: MPICH's "romio" is its
// "host". What is left out is told in `left_out`.
std::vector<Peer> peers_of(const Host& host, const Words& wanted, Words& left_out);

// What every program needs that is started under the host here, whatever the MPI-IO: settings for the launcher's own
// environment.
std::vector<std::pair<std::string, std::string>> launcher_environment(const Host& host);

}  // namespace weir::tool::compare
