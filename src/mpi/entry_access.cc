// The read and write functions with int counts, and the ends of split calls.
#include "mpi/data_access.h"
#include "mpi/entry.h"

using Count = int;
#define WEIR_NAME(name) PMPI_File_##name
#include "mpi/entry_access.inc"

using weir::mpi::access_end;

WEIR_EXPORT int PMPI_File_read_at_all_end(MPI_File fh, void*, MPI_Status* status) {
  return access_end(fh, kReadAtAll, status);
}
WEIR_EXPORT int PMPI_File_write_at_all_end(MPI_File fh, const void*, MPI_Status* status) {
  return access_end(fh, kWriteAtAll, status);
}
WEIR_EXPORT int PMPI_File_read_all_end(MPI_File fh, void*, MPI_Status* status) {
  return access_end(fh, kReadAll, status);
}
WEIR_EXPORT int PMPI_File_write_all_end(MPI_File fh, const void*, MPI_Status* status) {
  return access_end(fh, kWriteAll, status);
}
WEIR_EXPORT int PMPI_File_read_ordered_end(MPI_File fh, void*, MPI_Status* status) {
  return access_end(fh, kReadOrdered, status);
}
WEIR_EXPORT int PMPI_File_write_ordered_end(MPI_File fh, const void*, MPI_Status* status) {
  return access_end(fh, kWriteOrdered, status);
}

WEIR_ALIAS(MPI_File_read_at);
WEIR_ALIAS(MPI_File_write_at);
WEIR_ALIAS(MPI_File_iread_at);
WEIR_ALIAS(MPI_File_iwrite_at);
WEIR_ALIAS(MPI_File_read_at_all);
WEIR_ALIAS(MPI_File_write_at_all);
WEIR_ALIAS(MPI_File_iread_at_all);
WEIR_ALIAS(MPI_File_iwrite_at_all);
WEIR_ALIAS(MPI_File_read_at_all_begin);
WEIR_ALIAS(MPI_File_write_at_all_begin);
WEIR_ALIAS(MPI_File_read);
WEIR_ALIAS(MPI_File_write);
WEIR_ALIAS(MPI_File_iread);
WEIR_ALIAS(MPI_File_iwrite);
WEIR_ALIAS(MPI_File_read_all);
WEIR_ALIAS(MPI_File_write_all);
WEIR_ALIAS(MPI_File_iread_all);
WEIR_ALIAS(MPI_File_iwrite_all);
WEIR_ALIAS(MPI_File_read_all_begin);
WEIR_ALIAS(MPI_File_write_all_begin);
WEIR_ALIAS(MPI_File_read_shared);
WEIR_ALIAS(MPI_File_write_shared);
WEIR_ALIAS(MPI_File_iread_shared);
WEIR_ALIAS(MPI_File_iwrite_shared);
WEIR_ALIAS(MPI_File_read_ordered);
WEIR_ALIAS(MPI_File_write_ordered);
WEIR_ALIAS(MPI_File_read_ordered_begin);
WEIR_ALIAS(MPI_File_write_ordered_begin);
WEIR_ALIAS(MPI_File_read_at_all_end);
WEIR_ALIAS(MPI_File_write_at_all_end);
WEIR_ALIAS(MPI_File_read_all_end);
WEIR_ALIAS(MPI_File_write_all_end);
WEIR_ALIAS(MPI_File_read_ordered_end);
WEIR_ALIAS(MPI_File_write_ordered_end);
