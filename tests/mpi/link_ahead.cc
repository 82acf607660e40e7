// A program that is linked to weir ahead of its MPI, without any preloading.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

bool is_weirs(MPI_File file) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_File_get_info(file, &info);
  int keys = 0;
  MPI_Info_get_nkeys(info, &keys);
  bool found = false;
  for (int i = 0; i < keys; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    MPI_Info_get_nthkey(info, i, key.data());
    found = found || std::string_view(key.data()).starts_with("weir_");
  }
  MPI_Info_free(&info);
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string path = std::string(std::getenv("TEST_DIR")) + "/file";  // NOLINT(concurrency-mt-unsafe)
  MPI_File file = MPI_FILE_NULL;
  int code = MPI_File_open(MPI_COMM_WORLD, path.c_str(),
                           MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  bool right = code == MPI_SUCCESS && is_weirs(file);
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
