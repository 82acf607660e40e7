// Open MPI's Fortran MPI_File_create_errhandler does not come through the C function: its names are taken over here.
// Everything else of Fortran reaches weir through the host's wrappers.
#include "mpi/entry.h"

#ifdef OPEN_MPI

#include "mpi/library.h"

// The callback's arguments are INTEGERs: the handle is the same number in both languages (handle_table.h).
WEIR_EXPORT void ompi_file_create_errhandler_f(void (*function)(MPI_File*, int*, ...), MPI_Fint* errhandler,
                                               MPI_Fint* ierr) {
  MPI_Errhandler made = MPI_ERRHANDLER_NULL;
  int error = weir::mpi::Library::get().error_handlers.create(function, &made);
  if (error == MPI_SUCCESS) *errhandler = PMPI_Errhandler_c2f(made);
  if (ierr != nullptr) *ierr = error;
}

#define WEIR_FORTRAN_NAME(name)                                                                                      \
  WEIR_EXPORT decltype(ompi_file_create_errhandler_f) name __attribute__((weak, alias("ompi_file_create_errhandler_" \
                                                                                      "f")))

WEIR_FORTRAN_NAME(mpi_file_create_errhandler);
WEIR_FORTRAN_NAME(mpi_file_create_errhandler_);
WEIR_FORTRAN_NAME(mpi_file_create_errhandler__);
WEIR_FORTRAN_NAME(MPI_FILE_CREATE_ERRHANDLER);
WEIR_FORTRAN_NAME(pmpi_file_create_errhandler);
WEIR_FORTRAN_NAME(pmpi_file_create_errhandler_);
WEIR_FORTRAN_NAME(pmpi_file_create_errhandler__);
WEIR_FORTRAN_NAME(PMPI_FILE_CREATE_ERRHANDLER);
WEIR_FORTRAN_NAME(MPI_File_create_errhandler_f);
WEIR_FORTRAN_NAME(MPI_File_create_errhandler_f08);
WEIR_FORTRAN_NAME(PMPI_File_create_errhandler_f);
WEIR_FORTRAN_NAME(PMPI_File_create_errhandler_f08);

#endif
