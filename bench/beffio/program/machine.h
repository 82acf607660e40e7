// Where the benchmark runs: nodes, memory, file system, versions.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

namespace beffio {

struct Nodes {
  int nodes = 0;
  int ranks_per_node = 0;         // of the node with most
  std::int64_t memory_bytes = 0;  // of the node with least
  std::int64_t rank_bytes = 0;    // the least that a rank can have now: its node's free memory by the node's ranks
};

// COLLECTIVE.
Nodes nodes_of(MPI_Comm comm);

// LOCAL. As the mount table calls it, e.g. "ext4"; "unknown".
std::string file_system_of(const std::string& directory);

// LOCAL. What files may take in `directory` without getting in others' way: half of what is free; a quarter of what is
// free where files are in memory. 0 if that cannot be found out.
std::int64_t space_for_files(const std::string& directory);

// LOCAL. First line of the library's own version text.
std::string mpi_version();
// LOCAL. Operating system, node and machine.
std::string system_name();
// LOCAL. Now, as 2026-01-31T12:00:00Z.
std::string date_now();

}  // namespace beffio
