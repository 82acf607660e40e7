// Ranks that do not behave, in the middle of collective calls: company MODE, where MODE is
//   mpi        all ranks meet, without any file
//   write      nothing happens: all ranks write, read and check
//   stop       rank 1 is stopped for two seconds; then everything goes on
//   kill       rank 1 is killed
//   abort      rank 1 calls MPI_Abort while the others are in a collective call
//   leave      rank 1 exits with code 3, without MPI_Finalize, its file open
//   leave_all  all ranks exit so
//   spawn      two processes are spawned while a file is open; all write to it in turn
// What ends well prints "company: done". The modes kill, abort and leave end the job with an error.
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kPiece = 512;
constexpr int kPieces = 2048;
constexpr int kBytes = kPiece * kPieces;
constexpr int kRounds = 30;

std::string path_of(const char* name) {
  return std::string(std::getenv("TEST_DIR")) + "/" + name;  // NOLINT(concurrency-mt-unsafe)
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("WRONG: %s\n", what);
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

MPI_File open_interleaved(MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "weir_method", "two_phase");
  MPI_File file = MPI_FILE_NULL;
  require(MPI_File_open(comm, path_of("company").c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file) == MPI_SUCCESS,
          "open");
  MPI_Info_free(&info);
  MPI_Datatype piece = MPI_DATATYPE_NULL;
  MPI_Datatype mine = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(kPiece, MPI_BYTE, &piece);
  MPI_Type_create_resized(piece, 0, static_cast<MPI_Aint>(kPiece) * ranks, &mine);
  MPI_Type_commit(&mine);
  MPI_File_set_view(file, static_cast<MPI_Offset>(kPiece) * rank_in(comm), MPI_BYTE, mine, "native", MPI_INFO_NULL);
  MPI_Type_free(&piece);
  MPI_Type_free(&mine);
  return file;
}

// COLLECTIVE. Blocking, nonblocking and split writes, then a read, again and again.
void write_rounds(MPI_File file, int rank, int rounds) {
  std::vector<char> data(kBytes, static_cast<char>('a' + rank));
  std::vector<char> found(kBytes);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_File_write_at_all(file, 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at_all(file, 0, data.data(), kBytes, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, 0, data.data(), kBytes, MPI_BYTE);
    MPI_File_write_at_all_end(file, data.data(), MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, 0, found.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    require(found == data, "what was read back");
  }
}

// Sends this process `first` after a fifth of a second, and `second`, if it is not 0, two seconds later.
void signals_soon(int first, int second) {
  const pid_t target = getpid();
  if (fork() != 0) return;
  usleep(200000);
  kill(target, first);
  if (second != 0) {
    sleep(2);
    kill(target, second);
  }
  _exit(0);
}

// COLLECTIVE. REQUIRES that this program is started again by its own path.
void spawn_and_write(const char* program, MPI_Comm parent) {
  MPI_Comm others = parent;
  std::string mode = "spawn";
  char* arguments[] = {mode.data(), nullptr};
  MPI_File file = MPI_FILE_NULL;
  if (parent == MPI_COMM_NULL) {
    file = open_interleaved(MPI_COMM_WORLD);
    write_rounds(file, rank_in(MPI_COMM_WORLD), 1);
    MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
  }
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Intercomm_merge(others, parent != MPI_COMM_NULL ? 1 : 0, &all);
  if (parent == MPI_COMM_NULL) {
    write_rounds(file, rank_in(MPI_COMM_WORLD), 1);
    MPI_File_close(&file);
  }
  MPI_Barrier(all);
  file = open_interleaved(all);
  write_rounds(file, rank_in(all), 2);
  MPI_File_close(&file);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&others);
}

// COLLECTIVE. The modes in which one rank, or all, disturb.
void run(std::string_view mode, int rank) {
  MPI_File file = open_interleaved(MPI_COMM_WORLD);
  const bool ends = mode == "abort" || mode == "leave" || mode == "leave_all";
  if (rank == 1 && mode == "stop") signals_soon(SIGSTOP, SIGCONT);
  if (rank == 1 && mode == "kill") signals_soon(SIGKILL, 0);
  write_rounds(file, rank, ends ? 2 : kRounds);
  if (mode == "leave_all" || (rank == 1 && mode == "leave")) std::exit(3);  // NOLINT(concurrency-mt-unsafe)
  if (rank == 1 && mode == "abort") MPI_Abort(MPI_COMM_WORLD, 3);
  // Whoever kills, kills soon: nobody leaves before.
  for (int i = 0; mode == "kill" && i < 100; ++i) write_rounds(file, rank, 10);
  if (ends) write_rounds(file, rank, kRounds);
  MPI_File_close(&file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return EXIT_FAILURE;
  const std::string mode = argv[1];
  const std::string program = argv[0];
  MPI_Init(&argc, &argv);
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_get_parent(&parent);
  const int rank = rank_in(MPI_COMM_WORLD);
  if (mode == "mpi") {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (mode == "spawn") {
    spawn_and_write(program.c_str(), parent);
  } else {
    run(mode, rank);
  }
  if (rank == 0 && parent == MPI_COMM_NULL) {
    unlink(path_of("company").c_str());
    std::printf("company: done\n");
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
