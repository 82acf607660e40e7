// File handles between C and Fortran.
#include "mpi/entry.h"
#include "mpi/handle_table.h"

using weir::mpi::HandleTable;

WEIR_ENTRY(MPI_Fint, MPI_File_c2f, MPI_File fh) { return HandleTable::to_fortran(fh); }

WEIR_ENTRY(MPI_File, MPI_File_f2c, MPI_Fint fh) { return HandleTable::from_fortran(fh); }
