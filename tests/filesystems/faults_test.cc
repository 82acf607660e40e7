// What ranks hear when the servers of a file system fail them. The script `run` makes the faults.
#include <cstdio>

#include "interleaved.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kPieces = 256;
constexpr int kBytes = kPieces * kPieceBytes;

// COLLECTIVE. A write by all ranks, and its way to the servers.
int write_and_sync(MPI_File file, const Bytes& data) {
  const int code = MPI_File_write_at_all(file, 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE);
  return code != MPI_SUCCESS ? code : MPI_File_sync(file);
}

// In a directory whose quota is less than what is written.
TEST(Quota, IsToldToEveryRank) {
  Scratch scratch;
  const Bytes data = part_of(rank(), kPieces);
  MPI_File file = MPI_FILE_NULL;
  EXPECT_OK(MPI_File_open(MPI_COMM_WORLD, scratch.path(), kUpdate, Hints("weir_method=two_phase"), &file));
  set_interleaved_view(file);
  const int code = write_and_sync(file, data);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_QUOTA, MPI_ERR_NO_SPACE}), code);
  EXPECT_SAME_EVERYWHERE(error_class(code));
  MPI_File_close(&file);
}

// TEST_DIR is mounted for reading; there is a file called "file" in it.
TEST(ReadOnlyMount, IsReadAndNotWritten) {
  const std::string path = environment("TEST_DIR") + "/file";
  MPI_File file = MPI_FILE_NULL;
  for (const int mode : std::initializer_list<int>{MPI_MODE_RDWR, MPI_MODE_WRONLY, kUpdate}) {
    const int code = MPI_File_open(MPI_COMM_WORLD, path.c_str(), mode, MPI_INFO_NULL, &file);
    EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_READ_ONLY, MPI_ERR_ACCESS}), code) << "mode " << mode;
    EXPECT_SAME_EVERYWHERE(error_class(code));
  }
  const File readable(path.c_str(), MPI_MODE_RDONLY);
  char byte = 0;
  EXPECT_OK(MPI_File_read_at_all(readable, 0, &byte, 1, MPI_CHAR, MPI_STATUS_IGNORE));
  EXPECT_EQ(byte, 'x');
}

// COLLECTIVE. Opens, writes, syncs and closes; every call has the same class on all ranks. The first failure.
int use_once(const char* path, const Bytes& data) {
  MPI_File file = MPI_FILE_NULL;
  int code = MPI_File_open(MPI_COMM_WORLD, path, kUpdate, Hints("weir_method=two_phase"), &file);
  EXPECT_SAME_EVERYWHERE(error_class(code));
  if (code != MPI_SUCCESS) return code;
  set_interleaved_view(file);
  code = write_and_sync(file, data);
  EXPECT_SAME_EVERYWHERE(error_class(code));
  const int closed = MPI_File_close(&file);
  EXPECT_SAME_EVERYWHERE(error_class(closed));
  return code != MPI_SUCCESS ? code : closed;
}

// COLLECTIVE. What rank 0 says.
bool alike(bool mine) {
  int said = mine ? 1 : 0;
  MPI_Bcast(&said, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return said != 0;
}

// COLLECTIVE. Uses the file again and again for so long, or until it has failed and `until_failure` is set; how many
// uses failed, and what the last one returned.
struct Uses {
  int failures = 0;
  int last = MPI_SUCCESS;
};

Uses use_for(double seconds, bool until_failure, const char* path, const Bytes& data) {
  const double begin = MPI_Wtime();
  Uses uses;
  do {
    uses.last = use_once(path, data);
    uses.failures += uses.last != MPI_SUCCESS ? 1 : 0;
  } while (alike(MPI_Wtime() - begin < seconds && !(until_failure && uses.failures > 0)));
  return uses;
}

// A server stops answering some seconds after the beginning, for longer than the clients' patience; then it answers
// again. The ranks go on together, and the file system can be used afterwards.
TEST(SilentServer, RanksLeaveCallsTogether) {
  constexpr double kSilentBefore = 25;
  constexpr double kBackWithin = 75;
  Scratch scratch;
  const Bytes data = part_of(rank(), kPieces);
  Uses uses = use_for(kSilentBefore, false, scratch.path(), data);
  const int failures = uses.failures;
  for (const double end = MPI_Wtime() + kBackWithin; uses.last != MPI_SUCCESS && alike(MPI_Wtime() < end);) {
    uses = use_for(1, false, scratch.path(), data);
  }
  EXPECT_OK(uses.last) << "after the server is back";
  if (rank() == 0) std::printf("uses that failed: %d\n", failures);
}

// A server is killed some seconds after the beginning; another one has all it had.
TEST(DeadServer, CopiesServe) {
  constexpr double kSeconds = 25;
  Scratch scratch;
  const Bytes data = part_of(rank(), kPieces);
  EXPECT_EQ(use_for(kSeconds, false, scratch.path(), data).failures, 0);
  const File file(scratch.path(), MPI_MODE_RDONLY);
  set_interleaved_view(file);
  Bytes found(data.size());
  EXPECT_OK(MPI_File_read_at_all(file, 0, found.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
  EXPECT_EQ(found, data);
}

// A server is killed some seconds after the beginning, and what it had is gone. Nobody waits longer than the clients
// do.
TEST(DeadServer, RanksFailTogether) {
  constexpr double kDeadBefore = 60;
  Scratch scratch;
  const Uses uses = use_for(kDeadBefore, true, scratch.path(), part_of(rank(), kPieces));
  EXPECT_NE(uses.last, MPI_SUCCESS);
}

}  // namespace
