// The read and write functions with int counts, and the ends of split calls.
#include "mpi/data_access.h"
#include "mpi/entry.h"

using Count = int;
#define WEIR_NAME(name) MPI_File_##name
#include "mpi/entry_access.inc"

using weir::mpi::access_end;

WEIR_ENTRY(int, MPI_File_read_at_all_end, MPI_File fh, void*, MPI_Status* status) {
  return access_end(fh, kReadAtAll, status);
}
WEIR_ENTRY(int, MPI_File_write_at_all_end, MPI_File fh, const void*, MPI_Status* status) {
  return access_end(fh, kWriteAtAll, status);
}
WEIR_ENTRY(int, MPI_File_read_all_end, MPI_File fh, void*, MPI_Status* status) {
  return access_end(fh, kReadAll, status);
}
WEIR_ENTRY(int, MPI_File_write_all_end, MPI_File fh, const void*, MPI_Status* status) {
  return access_end(fh, kWriteAll, status);
}
WEIR_ENTRY(int, MPI_File_read_ordered_end, MPI_File fh, void*, MPI_Status* status) {
  return access_end(fh, kReadOrdered, status);
}
WEIR_ENTRY(int, MPI_File_write_ordered_end, MPI_File fh, const void*, MPI_Status* status) {
  return access_end(fh, kWriteOrdered, status);
}
