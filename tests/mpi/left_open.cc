// Files that are still open when MPI is finalized lose nothing. Rank 0 looks afterwards.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int kElements = 1000;

std::string path_of(const char* name) {
  return std::string(std::getenv("TEST_DIR")) + "/" + name;  // NOLINT(concurrency-mt-unsafe)
}

MPI_File open_file(const char* name, int more) {
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, path_of(name).c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | more, MPI_INFO_NULL, &file);
  return file;
}

std::size_t size_of(const char* name) {
  std::ifstream file(path_of(name), std::ios::binary);
  return std::vector<char>(std::istreambuf_iterator<char>(file), {}).size();
}

bool complain(const char* what) {
  std::printf("FAILED: %s\n", what);
  return false;
}

// What should be there once all ranks have left.
bool looks_right(int ranks) {
  const std::size_t bytes = static_cast<std::size_t>(ranks) * kElements * sizeof(int);
  bool right = true;
  if (size_of("collective") != bytes) right = complain("what was written collectively");
  if (size_of("shared") != bytes) right = complain("what was written through the shared pointer");
  if (size_of("unwaited") != bytes) right = complain("what nobody waited for");
  if (access(path_of("deleted").c_str(), F_OK) == 0) right = complain("a file to be deleted on close is there");
  for (const char* name : {"collective", "shared", "unwaited"}) unlink(path_of(name).c_str());
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<int> data(kElements, rank);
  const MPI_Offset place = static_cast<MPI_Offset>(rank) * kElements * static_cast<MPI_Offset>(sizeof(int));
  MPI_File_write_at_all(open_file("collective", 0), place, data.data(), kElements, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_shared(open_file("shared", 0), data.data(), kElements, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_at(open_file("deleted", MPI_MODE_DELETE_ON_CLOSE), place, data.data(), kElements, MPI_INT,
                    MPI_STATUS_IGNORE);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_File_iwrite_at(open_file("unwaited", 0), place, data.data(), kElements, MPI_INT, &request);
  MPI_Finalize();
  if (rank != 0) return EXIT_SUCCESS;
  sleep(1);  // nothing tells when the last rank has left
  return looks_right(ranks) ? EXIT_SUCCESS : EXIT_FAILURE;
}
