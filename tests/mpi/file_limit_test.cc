// Programs under a limit on the size of files (ulimit -f): weir's own memory is none of their files, and a file that
// reaches the limit is an error on all ranks.
#include <sys/resource.h>

#include <csignal>

#include "mpi_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr rlim_t kLimit = 1 << 20;

class FileLimit : public testing::Test {
 protected:
  FileLimit() {
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit low = {kLimit, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
  }
  ~FileLimit() override { setrlimit(RLIMIT_FSIZE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

  // A communicator on which no file has been opened: nothing is left from before the limit.
  static MPI_Comm fresh_comm() {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return comm;
  }
  Scratch scratch_;

 private:
  rlimit before_ = {};
};

// The signal would end the program: nothing here comes near the limit but weir itself.
TEST_F(FileLimit, SmallFilesAreWrittenAsEver) {
  MPI_Comm comm = fresh_comm();
  {
    const File file(scratch_.path(), kUpdate, comm);
    const int value = 1000 + rank();
    EXPECT_OK(MPI_File_write_at_all(file, 4 * rank(), &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    std::vector<int> all(static_cast<std::size_t>(size()));
    EXPECT_OK(MPI_File_sync(file));
    EXPECT_OK(MPI_File_read_at_all(file, 0, all.data(), size(), MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < size(); ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], 1000 + i);
  }
  MPI_Comm_free(&comm);
}

// With the signal ignored, the kernel refuses the bytes behind the limit.
class FileLimitReached : public FileLimit, public testing::WithParamInterface<const char*> {
 protected:
  FileLimitReached() { std::signal(SIGXFSZ, SIG_IGN); }
  ~FileLimitReached() override { std::signal(SIGXFSZ, SIG_DFL); }
};

TEST_P(FileLimitReached, IsAnErrorOnAllRanks) {
  constexpr int kBytes = 1 << 20;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "weir_method", GetParam());
  MPI_Comm comm = fresh_comm();
  {
    const File file(scratch_.path(), kUpdate, comm, info);
    const Type element = Type::contiguous(1024, MPI_BYTE);
    const Type filetype = Type::resized(element, 0, 1024 * size());
    EXPECT_OK(MPI_File_set_view(file, 1024 * rank(), MPI_BYTE, filetype, "native", MPI_INFO_NULL));
    const Bytes bytes = pattern(2 * kBytes, 1);
    const int code = MPI_File_write_at_all(file, 0, bytes.data(), 2 * kBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    EXPECT_CLASS(MPI_ERR_NO_SPACE, code);
    const int size_code = MPI_File_set_size(file, 4 * kBytes);
    EXPECT_CLASS(MPI_ERR_NO_SPACE, size_code);
    EXPECT_OK(MPI_File_write_at_all(file, 0, bytes.data(), 1024, MPI_BYTE, MPI_STATUS_IGNORE)) << "goes on";
  }
  MPI_Comm_free(&comm);
  MPI_Info_free(&info);
}

INSTANTIATE_TEST_SUITE_P(Methods, FileLimitReached, testing::Values("two_phase", "independent"));

}  // namespace
