// How an entry point is made.
#pragma once

#include <mpi.h>

#define WEIR_EXPORT extern "C" __attribute__((visibility("default")))

// WEIR_ENTRY(type, MPI_Name, parameters) { body } defines PMPI_Name, and MPI_Name as a weak alias of it: profilers
// define MPI_Name themselves and call PMPI_Name, so they stack on top of weir.
#define WEIR_ENTRY(type, name, ...) WEIR_ENTRY_NAMED(type, name, __VA_ARGS__)
#define WEIR_ENTRY_NAMED(type, name, ...)                                     \
  WEIR_EXPORT type P##name(__VA_ARGS__);                                      \
  WEIR_EXPORT type name(__VA_ARGS__) __attribute__((weak, alias("P" #name))); \
  WEIR_EXPORT type P##name(__VA_ARGS__)
