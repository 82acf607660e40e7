// A profiling tool stands on top of weir: it defines MPI_ functions and calls the PMPI_ ones, which must be weir's.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "weir_seen.h"

namespace {

int writes_seen = 0;

}  // namespace

extern "C" int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* data, int count, MPI_Datatype type,
                                     MPI_Status* status) {
  ++writes_seen;
  return PMPI_File_write_at_all(file, offset, data, count, type, status);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string path = std::string(std::getenv("TEST_DIR")) + "/file";  // NOLINT(concurrency-mt-unsafe)
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                &file);
  int found = -1;
  bool right = MPI_File_write_at_all(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  right = right && PMPI_File_read_at(file, 4 * rank, &found, 1, MPI_INT, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  right = right && found == rank && writes_seen == 1 && mpi_test::is_weirs(file);
  MPI_File_close(&file);
  MPI_Finalize();
  std::printf("rank %d: %s\n", rank, right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
