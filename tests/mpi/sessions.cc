// Files in programs that use sessions. usage: sessions only | threaded | two | again | beside
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#ifndef MPI_SESSION_NULL

int main() {
  std::printf("SKIPPED: this MPI has no sessions\n");
  return 77;
}

#else

namespace {

constexpr int kElements = 1000;
bool failed = false;

void expect(bool holds, const char* what) {
  if (holds) return;
  failed = true;
  std::printf("FAILED: %s\n", what);
}

void expect_ok(int code, const char* what) { expect(code == MPI_SUCCESS, what); }

std::string path_of(const char* name) {
  return std::string(std::getenv("TEST_DIR")) + "/" + name;  // NOLINT(concurrency-mt-unsafe)
}

// A session and a communicator of all processes in it, freed in this order: communicator, session.
class Work {
 public:
  Work(const char* tag, const char* level) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", level);
    expect_ok(MPI_Session_init(info, MPI_ERRORS_RETURN, &session_), "MPI_Session_init");
    MPI_Info_free(&info);
    MPI_Group all = MPI_GROUP_NULL;
    expect_ok(MPI_Group_from_session_pset(session_, "mpi://WORLD", &all), "MPI_Group_from_session_pset");
    expect_ok(MPI_Comm_create_from_group(all, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm_),
              "MPI_Comm_create_from_group");
    MPI_Group_free(&all);
  }

  MPI_Comm comm() const { return comm_; }

  // What the host tells of the session's thread level.
  std::string level() const {
    MPI_Info info = MPI_INFO_NULL;
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int length = sizeof value;
    int found = 0;
    MPI_Session_get_info(session_, &info);
    MPI_Info_get_string(info, "thread_level", &length, value, &found);
    MPI_Info_free(&info);
    return found != 0 ? value : "";
  }

  void end() {
    MPI_Comm_free(&comm_);
    expect_ok(MPI_Session_finalize(&session_), "MPI_Session_finalize");
  }

 private:
  MPI_Session session_ = MPI_SESSION_NULL;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

MPI_File open_file(MPI_Comm comm, const char* name, int mode) {
  MPI_File file = MPI_FILE_NULL;
  expect_ok(MPI_File_open(comm, path_of(name).c_str(), mode, MPI_INFO_NULL, &file), "MPI_File_open");
  return file;
}

// Collective, nonblocking and shared-pointer accesses of all ranks, and what they leave.
void use(MPI_File file, MPI_Comm comm) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const auto place = [](int index) { return static_cast<MPI_Offset>(index) * kElements * MPI_Offset{sizeof(int)}; };
  std::vector<int> data(kElements, rank);
  std::vector<int> found(kElements, -1);
  expect_ok(MPI_File_write_at_all(file, place(rank), data.data(), kElements, MPI_INT, MPI_STATUS_IGNORE), "write");
  MPI_Request request = MPI_REQUEST_NULL;
  expect_ok(MPI_File_iwrite_at_all(file, place(ranks + rank), data.data(), kElements, MPI_INT, &request), "iwrite");
  expect_ok(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  expect_ok(MPI_File_sync(file), "sync");
  const int other = (rank + 1) % ranks;
  expect_ok(MPI_File_read_at(file, place(ranks + other), found.data(), kElements, MPI_INT, MPI_STATUS_IGNORE), "read");
  expect(found == std::vector<int>(kElements, other), "what another rank has written");
  MPI_Offset bytes = 0;
  expect_ok(MPI_File_get_size(file, &bytes), "size");
  expect(bytes == place(2 * ranks), "the file's size");
  MPI_File none = MPI_FILE_NULL;
  const int code = MPI_File_open(comm, path_of("missing").c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &none);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  expect(error_class == MPI_ERR_NO_SUCH_FILE, "a file that is not there");
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  expect(std::string_view(text).find("missing") != std::string_view::npos, "the text of an error");
}

constexpr int kTemporary = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;

void use_new_file(MPI_Comm comm, const char* name) {
  MPI_File file = open_file(comm, name, kTemporary);
  use(file, comm);
  expect_ok(MPI_File_close(&file), "close");
}

// Nothing but a session.
void only() {
  Work work("weir.only", "MPI_THREAD_SINGLE");
  int initialized = 1;
  MPI_Initialized(&initialized);
  expect(initialized == 0, "there is no world");
  use_new_file(work.comm(), "only");
  work.end();
}

// The same with threads.
void threaded() {
  Work threaded("weir.threaded", "MPI_THREAD_MULTIPLE");
  use_new_file(threaded.comm(), "threaded");
  threaded.end();
}

// Two at a time, with a file open in each; the first one ends first.
void two() {
  Work first("weir.first", "MPI_THREAD_MULTIPLE");
  Work second("weir.second", "MPI_THREAD_MULTIPLE");
  MPI_File in_first = open_file(first.comm(), "first", kTemporary);
  MPI_File in_second = open_file(second.comm(), "second", kTemporary);
  use(in_first, first.comm());
  expect_ok(MPI_File_close(&in_first), "close");
  first.end();
  use(in_second, second.comm());
  expect_ok(MPI_File_close(&in_second), "close");
  second.end();
}

// One after the other: nothing of the first helps the next.
void again() {
  for (const char* name : {"a", "b", "c"}) {
    Work work(name, "MPI_THREAD_SINGLE");
    use_new_file(work.comm(), name);
    work.end();
  }
}

// Beside the world, which ends first.
void beside() {
  MPI_Init(nullptr, nullptr);
  Work work("weir.beside", "MPI_THREAD_SINGLE");
  use_new_file(MPI_COMM_WORLD, "world");
  MPI_File file = open_file(work.comm(), "session", kTemporary);
  MPI_Finalize();
  use(file, work.comm());
  expect_ok(MPI_File_close(&file), "close");
  work.end();
}

const std::map<std::string_view, std::function<void()> > kParts = {
    {"only", only}, {"threaded", threaded}, {"two", two}, {"again", again}, {"beside", beside}};

}  // namespace

int main(int argc, char** argv) {
  const auto part = kParts.find(argc > 1 ? argv[1] : "");
  if (part == kParts.end()) return 2;
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
  if (part->first == "again") {
    std::printf("SKIPPED: a session after the end of all others crashes in this MPICH\n");
    return 77;
  }
#endif
  part->second();
  std::printf("%s: %s\n", argv[1], failed ? "FAILED" : "passed");
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
