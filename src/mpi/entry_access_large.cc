// The read and write functions with large counts. Always there: a program that calls them has them from its own MPI.
#include "mpi/data_access.h"
#include "mpi/entry.h"

using Count = MPI_Count;
#define WEIR_NAME(name) MPI_File_##name##_c
#include "mpi/entry_access.inc"
