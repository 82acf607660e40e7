// File handles as integers. Always there: a program that calls these has them from its own MPI.
#include "mpi/entry.h"
#include "mpi/handle_table.h"

using weir::mpi::HandleTable;

WEIR_ENTRY(int, MPI_File_toint, MPI_File fh) { return HandleTable::to_fortran(fh); }

WEIR_ENTRY(MPI_File, MPI_File_fromint, int fh) { return HandleTable::from_fortran(fh); }
