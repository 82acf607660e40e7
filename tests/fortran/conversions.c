/* The C side of the Fortran tests: handles that crossed over. */
#include <mpi.h>

/* Writes one int at `offset` of a file opened in Fortran. */
int c_write_int(int fortran_file, int offset, int value) {
  MPI_File file = MPI_File_f2c(fortran_file);
  return MPI_File_write_at(file, offset, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
}

/* The handle after a trip to C and back. */
int c_round_trip(int fortran_file) { return MPI_File_c2f(MPI_File_f2c(fortran_file)); }
int c_null_file(void) { return MPI_File_c2f(MPI_FILE_NULL); }
