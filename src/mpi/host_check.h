// Whether weir has every file function that the host has.
#pragma once

#include <string>
#include <vector>

namespace weir::mpi {

// LOCAL: functions of the file chapter that the library of `in_host` offers and that of `in_weir` does not, by their
// PMPI_ names. Both are addresses inside of loaded libraries.
std::vector<std::string> left_to_host(const void* in_host, const void* in_weir);

// LOCAL, as MPI starts: ends the process with a message when there are any, once. Their calls would reach the host with
// handles that only weir knows.
void check_host();

}  // namespace weir::mpi
