/* Writes and reads a file by MPI-IO, and tells whose MPI_File_open it called and which hint value is in force.
 * Arguments: FILE [EXIT_CODE]. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, size, flag = 0, back = -1;
  char value[256] = "";
  Dl_info owner;
  MPI_File file;
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 2 || !dladdr(dlsym(RTLD_DEFAULT, "MPI_File_open"), &owner)) MPI_Abort(MPI_COMM_WORLD, 9);
  if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) ||
      MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE) ||
      MPI_File_read_at_all(file, rank * (MPI_Offset)sizeof rank, &back, 1, MPI_INT, MPI_STATUS_IGNORE) ||
      MPI_File_get_info(file, &info))
    MPI_Abort(MPI_COMM_WORLD, 8);
  MPI_Info_get(info, "cb_buffer_size", 255, value, &flag);
  MPI_Info_free(&info);
  MPI_File_close(&file);
  if (rank == 0) {
    const char* slash = strrchr(owner.dli_fname, '/');
    const char* hints = getenv("WEIR_HINTS");
    printf("size %d by %s cb_buffer_size %s WEIR_HINTS %s %s\n", size, slash ? slash + 1 : owner.dli_fname,
           flag ? value : "-", hints ? hints : "-", back == rank ? "good" : "BAD");
    fflush(stdout);
  }
  MPI_Finalize();
  return argc > 2 ? atoi(argv[2]) : 0;
}
