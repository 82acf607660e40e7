// Open MPI's Fortran and C++ forms of MPI_File_create_errhandler do not come through the C function: their names are
// taken over here. Everything else of these languages reaches weir through the host's wrappers.
#include "mpi/entry.h"

#ifdef OPEN_MPI

#include <dlfcn.h>

#include "mpi/library.h"

namespace {

// Open MPI's C++ library makes an MPI::File of the handle and calls the function with it.
using CxxInvoke = void (*)(MPI_File* file, int* code, const char* message, weir::mpi::ErrorFunction function);

}  // namespace

WEIR_EXPORT MPI_Errhandler ompi_cxx_errhandler_create_file(weir::mpi::ErrorFunction function) {
  auto invoke = reinterpret_cast<CxxInvoke>(dlsym(RTLD_DEFAULT, "ompi_mpi_cxx_file_errhandler_invoke"));
  auto call = [=](MPI_File* file, int* code) {
    if (invoke != nullptr) invoke(file, code, "", function);
  };
  MPI_Errhandler made = MPI_ERRHANDLER_NULL;
  weir::mpi::Library::get().error_handlers.create(function, call, &made);
  return made;
}

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
