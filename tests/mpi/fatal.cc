// An error on a file whose handler is MPI_ERRORS_ARE_FATAL ends the job; CTest looks at what was printed.
#include <mpi.h>

#include <cstdio>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  std::printf("about to fail\n");
  std::fflush(stdout);
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, "/no/such/directory/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  std::printf("STILL ALIVE\n");
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
