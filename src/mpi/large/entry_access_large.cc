// The read and write functions with large counts, for hosts that have them.
#include "mpi/data_access.h"
#include "mpi/entry.h"

using Count = MPI_Count;
#define WEIR_NAME(name) MPI_File_##name##_c
#include "mpi/entry_access.inc"
