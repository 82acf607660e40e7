// Runs random programs under MPI: those of a range of seeds, or one from a text. All ranks make the same programs and
// check what they see themselves. Prints each seed before it is run, so that the one that hangs or crashes is known.
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "programs/model.h"
#include "programs/mpi_backend.h"
#include "programs/options.h"
#include "programs/text.h"

namespace weir::programs {

namespace {

constexpr int kHung = 99;

volatile int current_step = -1;
int world_rank = 0;

// Only what a signal handler may do: says where this rank is, and ends it; the launcher ends the others.
void on_alarm(int) {
  char text[] = "HANGS: rank ?? at step ?????\n";
  const int step = current_step;
  text[12] = static_cast<char>('0' + world_rank / 10);
  text[13] = static_cast<char>('0' + world_rank % 10);
  int rest = step;
  for (int i = 4; i >= 0; --i, rest /= 10) text[23 + i] = static_cast<char>('0' + rest % 10);
  if (::write(STDOUT_FILENO, text, sizeof text - 1) < 0) ::_exit(kHung);
  ::usleep(300000);  // let the others say where they are
  ::_exit(kHung);
}

// The file is on its servers afterwards: other nodes can read it.
void put_file(const std::string& path, const Buffer& contents) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(contents.data()), std::ssize(contents));
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  ::fsync(fd);
  ::close(fd);
}

// Files are put and looked at by the first rank that opens them: plain accesses of a node that has nothing to do with a
// file may find what its client remembers.
bool is_mine(const Program& program, int file, int colour) {
  const std::vector<int> members = program.communicator_of(file).members(colour);
  return !members.empty() && members.front() == world_rank;
}

void put_files(const Program& program, const std::string& directory) {
  for (int file = 0; file < static_cast<int>(program.files.size()); ++file) {
    for (int colour = 0; colour < program.communicator_of(file).colour_count(); ++colour) {
      if (!is_mine(program, file, colour) || program.files[static_cast<std::size_t>(file)].initial_bytes < 0) continue;
      put_file(directory + "/" + file_name(file, colour), initial_contents(program, file, colour));
    }
  }
}

std::vector<std::string> check_files(const Program& program, const Model& model, const std::string& directory) {
  std::vector<std::string> complaints;
  for (int file = 0; file < static_cast<int>(program.files.size()); ++file) {
    for (int colour = 0; colour < program.communicator_of(file).colour_count(); ++colour) {
      if (!is_mine(program, file, colour)) continue;
      const std::string path = directory + "/" + file_name(file, colour);
      std::ifstream in(path, std::ios::binary);
      const bool exists = in.good();
      const Buffer bytes{std::istreambuf_iterator<char>(in), {}};
      for (std::string& text : complaints_about_file(program, model, file, colour, exists ? &bytes : nullptr)) {
        complaints.push_back(std::move(text));
      }
      ::unlink(path.c_str());
    }
  }
  return complaints;
}

// COLLECTIVE. Whether all ranks are content. Each program has a directory of its own: clients of network file systems
// remember for a while what a name meant before.
bool run_program(const Program& program, const Options& options, std::uint64_t number) {
  const std::string directory =
      options.directory + "/seed" + std::to_string(program.seed) + "." + std::to_string(number);
  if (world_rank == 0) ::mkdir(directory.c_str(), 0777);
  MPI_Barrier(MPI_COMM_WORLD);
  put_files(program, directory);
  MPI_Barrier(MPI_COMM_WORLD);
  Record record;
  {
    MpiBackend backend(program, directory, options.keep_types);
    record = interpret(program, world_rank, backend, current_step);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Model model = run_model(program, {.zero_holes = options.zero_holes});
  std::vector<std::string> complaints = complaints_of(program, model, world_rank, record);
  for (std::string& text : check_files(program, model, directory)) complaints.push_back(std::move(text));
  for (const std::string& text : complaints) std::printf("WRONG: rank %d: %s\n", world_rank, text.c_str());
  std::fflush(stdout);
  int wrong = complaints.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (world_rank == 0) ::rmdir(directory.c_str());
  return wrong == 0;
}

int run_all(const Options& options) {
  const double start = MPI_Wtime();
  const std::uint64_t programs = options.text.empty() ? options.programs : static_cast<std::uint64_t>(options.repeat);
  std::uint64_t passed = 0;
  int failed = 0;
  for (std::uint64_t i = 0; i < programs && failed < options.most_failures; ++i) {
    double seconds = MPI_Wtime() - start;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (seconds > options.seconds) break;
    const Program program = options.text.empty() ? options.program_of(options.seed + i) : options.program();
    if (world_rank == 0) {
      std::printf("seed %llu\n", static_cast<unsigned long long>(program.seed));
      std::fflush(stdout);
    }
    ::alarm(static_cast<unsigned>(options.limit));
    const bool good = run_program(program, options, i);
    ::alarm(0);
    good ? ++passed : static_cast<std::uint64_t>(++failed);
    if (!good && world_rank == 0) std::printf("FAILED seed %llu\n", static_cast<unsigned long long>(program.seed));
  }
  const double seconds = MPI_Wtime() - start;
  if (world_rank == 0) {
    std::printf("mpi: %llu programs passed, %d failed, %.1f s, %.0f programs/s\n",
                static_cast<unsigned long long>(passed), failed, seconds, static_cast<double>(passed) / seconds);
  }
  return failed == 0 ? 0 : 1;
}

int mpi_level(Level level) {
  constexpr int kLevels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
  return kLevels[static_cast<int>(level)];
}

int start(int argc, char** argv) {
  Options options;
  const bool understood = options.parse(argc, argv);
  if (!understood) {
    std::fprintf(stderr, "%s", Options::usage());
    return 2;
  }
  if (const char* directory = std::getenv("TEST_DIR"); options.directory.empty() && directory != nullptr) {
    options.directory = directory;
  }
  if (options.directory.empty()) options.directory = ".";
  int provided = 0;
  const Level level = options.text.empty() ? options.knobs.level : options.program().level;
  MPI_Init_thread(&argc, &argv, mpi_level(level), &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options.knobs.ranks = size;
  options.knobs.faults = false;
  options.mixed_faults = false;
  if (!options.text.empty() && options.program().ranks != size) {
    std::fprintf(stderr, "the program is for %d ranks\n", options.program().ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  ::signal(SIGALRM, on_alarm);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int result = run_all(options);
  MPI_Finalize();
  return result;
}

}  // namespace

}  // namespace weir::programs

int main(int argc, char** argv) { return weir::programs::start(argc, argv); }
