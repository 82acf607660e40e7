// Typical mistakes of programs with files, one at a time: mistakes NAME. What weir says of them is for
// mistakes_test to look at. Ranks that come through print a line.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace {

int rank = 0;
std::string directory;

std::string path_of(const char* name) { return directory + "/" + name; }

MPI_File open_file(const char* name) {
  MPI_File file = MPI_FILE_NULL;
  const int amode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
  MPI_File_open(MPI_COMM_WORLD, path_of(name).c_str(), amode, MPI_INFO_NULL, &file);
  return file;
}

int write_at_all(MPI_File file) {
  std::array<char, 100> bytes = {};
  return MPI_File_write_at_all(file, 100 * rank, bytes.data(), 100, MPI_CHAR, MPI_STATUS_IGNORE);
}

void say(std::string what) {
  std::replace(what.begin(), what.end(), '\n', ' ');  // the hosts' texts may have several lines
  std::printf("rank %d: %s\n", rank, what.c_str());
  std::fflush(stdout);
}

void say_outcome(const std::string& call, int code) {
  if (code == MPI_SUCCESS) return say(call + ": success");
  int error_class = MPI_SUCCESS;
  std::array<char, MPI_MAX_ERROR_STRING + 1> text = {};
  int bytes = 0;
  MPI_Error_class(code, &error_class);
  MPI_Error_string(code, text.data(), &bytes);
  say(call + ": " + (error_class == MPI_ERR_NOT_SAME ? "MPI_ERR_NOT_SAME" : "another class") + ": " + text.data());
}

// Rank 2 waits for a message that nobody sends.
void never_comes() {
  MPI_File file = open_file("run.dat");
  write_at_all(file);
  int word = 0;
  if (rank == 2) MPI_Recv(&word, 1, MPI_INT, 3, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  write_at_all(file);
  say("STILL ALIVE");
}

// Rank 2 has taken the wrong handle.
void other_file() {
  MPI_File file = open_file("run.dat");
  MPI_File other = open_file("log.dat");
  write_at_all(rank == 2 ? other : file);
  say("STILL ALIVE");
}

// Rank 2 does not open the file, which may be the first of the program.
void not_opened(bool first) {
  if (!first) {
    MPI_File before = open_file("before.dat");
    MPI_File_close(&before);
  }
  if (rank == 2) sleep(120);
  MPI_File file = open_file("run.dat");
  MPI_File_close(&file);
  say("STILL ALIVE");
}

// Rank 1 writes once more than the others.
void too_many_writes() {
  MPI_File file = open_file("run.dat");
  write_at_all(file);
  if (rank == 1) say_outcome("write", write_at_all(file));
  say_outcome("close", MPI_File_close(&file));
  file = open_file("next.dat");
  say_outcome("write next", write_at_all(file));
  say_outcome("close next", MPI_File_close(&file));
}

// Rank 2 takes its time, which is no mistake.
void late() {
  MPI_File file = open_file("run.dat");
  if (rank == 2) sleep(5);
  say_outcome("write", write_at_all(file));
  MPI_File_close(&file);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* scratch = std::getenv("TEST_DIR");
  directory = scratch != nullptr ? scratch : ".";
  const std::map<std::string, std::function<void()>> mistakes = {
      {"never_comes", never_comes},
      {"other_file", other_file},
      {"not_opened", [] { not_opened(true); }},
      {"next_not_opened", [] { not_opened(false); }},
      {"too_many_writes", too_many_writes},
      {"late", late},
  };
  const auto found = argc > 1 ? mistakes.find(argv[1]) : mistakes.end();
  if (found == mistakes.end()) MPI_Abort(MPI_COMM_WORLD, 2);
  found->second();
  MPI_Finalize();
  return 0;
}
