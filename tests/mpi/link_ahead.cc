// A program that is linked to weir ahead of its MPI, without any preloading.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "weir_seen.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string path = std::string(std::getenv("TEST_DIR")) + "/file";  // NOLINT(concurrency-mt-unsafe)
  MPI_File file = MPI_FILE_NULL;
  int code = MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                           MPI_INFO_NULL, &file);
  bool right = code == MPI_SUCCESS && mpi_test::is_weirs(file);
  int found = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_File_iwrite_at_all(file, 4 * rank, &rank, 1, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  code = MPI_File_read_at_all(file, 4 * rank, &found, 1, MPI_INT, MPI_STATUS_IGNORE);
  right = right && code == MPI_SUCCESS && found == rank;
  MPI_File_close(&file);
  MPI_Finalize();
  std::printf("rank %d: %s\n", rank, right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
