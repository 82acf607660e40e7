// How an entry point is made: define PMPI_Name, then WEIR_ALIAS(MPI_Name). Profilers define MPI_Name themselves and
// call PMPI_Name, so they stack on top of weir.
#pragma once

#include <mpi.h>

#define WEIR_EXPORT extern "C" __attribute__((visibility("default")))
#define WEIR_ALIAS(name) WEIR_EXPORT decltype(P##name) name __attribute__((weak, alias("P" #name)))
