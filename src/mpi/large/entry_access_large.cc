// The read and write functions with large counts, for hosts that have them.
#include "mpi/data_access.h"
#include "mpi/entry.h"

using Count = MPI_Count;
#define WEIR_NAME(name) PMPI_File_##name##_c
#include "mpi/entry_access.inc"

WEIR_ALIAS(MPI_File_read_at_c);
WEIR_ALIAS(MPI_File_write_at_c);
WEIR_ALIAS(MPI_File_iread_at_c);
WEIR_ALIAS(MPI_File_iwrite_at_c);
WEIR_ALIAS(MPI_File_read_at_all_c);
WEIR_ALIAS(MPI_File_write_at_all_c);
WEIR_ALIAS(MPI_File_iread_at_all_c);
WEIR_ALIAS(MPI_File_iwrite_at_all_c);
WEIR_ALIAS(MPI_File_read_at_all_begin_c);
WEIR_ALIAS(MPI_File_write_at_all_begin_c);
WEIR_ALIAS(MPI_File_read_c);
WEIR_ALIAS(MPI_File_write_c);
WEIR_ALIAS(MPI_File_iread_c);
WEIR_ALIAS(MPI_File_iwrite_c);
WEIR_ALIAS(MPI_File_read_all_c);
WEIR_ALIAS(MPI_File_write_all_c);
WEIR_ALIAS(MPI_File_iread_all_c);
WEIR_ALIAS(MPI_File_iwrite_all_c);
WEIR_ALIAS(MPI_File_read_all_begin_c);
WEIR_ALIAS(MPI_File_write_all_begin_c);
WEIR_ALIAS(MPI_File_read_shared_c);
WEIR_ALIAS(MPI_File_write_shared_c);
WEIR_ALIAS(MPI_File_iread_shared_c);
WEIR_ALIAS(MPI_File_iwrite_shared_c);
WEIR_ALIAS(MPI_File_read_ordered_c);
WEIR_ALIAS(MPI_File_write_ordered_c);
WEIR_ALIAS(MPI_File_read_ordered_begin_c);
WEIR_ALIAS(MPI_File_write_ordered_begin_c);
