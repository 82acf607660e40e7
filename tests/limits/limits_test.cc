// When the operating system gives no more descriptors, threads, memory, file size or space, to all ranks or to one
// only: every collective call comes back on every rank with the same class, no rank is left waiting, and the program
// works again when there is more.
#include <sys/wait.h>

#include <functional>

#include "interleaved.h"
#include "limit.h"
#include "time_limit.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kPieces = 2048;
constexpr int kBytes = kPieces * kPieceBytes;
constexpr unsigned kSeconds = 30;
constexpr rlim_t kMebibyte = 1 << 20;

enum class Way { kBlocking, kNonblocking, kSplit };

// COLLECTIVE. Writes this rank's part; the first error wins.
int write_by(Way way, MPI_File file, const Bytes& data) {
  if (way == Way::kBlocking) {
    return MPI_File_write_at_all(file, 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  if (way == Way::kSplit) {
    const int code = MPI_File_write_at_all_begin(file, 0, data.data(), kBytes, MPI_BYTE);
    return code != MPI_SUCCESS ? code : MPI_File_write_at_all_end(file, data.data(), MPI_STATUS_IGNORE);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_File_iwrite_at_all(file, 0, data.data(), kBytes, MPI_BYTE, &request);
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

constexpr Way kWays[] = {Way::kBlocking, Way::kNonblocking, Way::kSplit};

// Which ranks have the limit.
enum class Whom { kAll, kLast };

class Limits : public testing::TestWithParam<Whom> {
 protected:
  void SetUp() override {
    if (!under_weir()) GTEST_SKIP() << "the hosts hang or lose errors";
    std::signal(SIGXFSZ, SIG_IGN);
  }
  static bool here() { return GetParam() == Whom::kAll || rank() == size() - 1; }

  // COLLECTIVE. Opens the file and writes in each way while there is a limit, which `limit` sets before the open and
  // before each access. Classes are the same everywhere. Afterwards, without it, everything works.
  void check(const std::function<Limit()>& limit, const std::string& what) {
    SCOPED_TRACE(what);
    MPI_File file = MPI_FILE_NULL;
    int code = MPI_SUCCESS;
    {
      const Limit tight = limit();
      code = MPI_File_open(MPI_COMM_WORLD, scratch_.path(), kUpdate, hints_, &file);
    }
    EXPECT_SAME_EVERYWHERE(error_class(code));
    meet("opened under a limit");
    if (code == MPI_SUCCESS) {
      check_accesses(file, limit);
      EXPECT_OK(MPI_File_close(&file));
    }
    check_unlimited();
  }

  void check_accesses(MPI_File file, const std::function<Limit()>& limit) {
    set_interleaved_view(file);
    for (const Way way : kWays) {
      int code = MPI_SUCCESS;
      {
        const Limit tight = limit();
        code = write_by(way, file, data_);
      }
      EXPECT_SAME_EVERYWHERE(error_class(code)) << "way " << static_cast<int>(way) << ": " << error_text(code);
      meet("written under a limit");
    }
  }

  void check_unlimited() {
    {
      const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
      set_interleaved_view(file);
      for (const Way way : kWays) EXPECT_OK(write_by(way, file, data_));
    }
    EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
    meet("checked");
    if (rank() == 0) unlink(scratch_.path());
    meet("removed");
  }

  TimeLimit limit_{kSeconds, rank()};
  Scratch scratch_;
  Hints hints_{"weir_method=two_phase"};
  Bytes data_ = part_of(rank(), kPieces);
};
INSTANTIATE_TEST_SUITE_P(Of, Limits, testing::Values(Whom::kAll, Whom::kLast),
                         [](const auto& test) { return test.param == Whom::kAll ? "AllRanks" : "OneRank"; });

TEST_P(Limits, Descriptors) {
  for (const rlim_t more : {0, 1, 2, 4}) {
    check([=] { return Limit(here(), RLIMIT_NOFILE, next_descriptor() + more); }, std::to_string(more) + " more");
  }
}

TEST_P(Limits, NoDescriptorAtAll) {
  MPI_File file = MPI_FILE_NULL;
  Limit limit(here(), RLIMIT_NOFILE, next_descriptor());
  const int code = MPI_File_open(MPI_COMM_WORLD, scratch_.path(), kUpdate, MPI_INFO_NULL, &file);
  limit.lift();
  EXPECT_NE(code, MPI_SUCCESS);
  EXPECT_SAME_EVERYWHERE(error_class(code));
  EXPECT_EQ(file, MPI_FILE_NULL);
}

TEST_P(Limits, Threads) {
  if (geteuid() == 0) GTEST_SKIP() << "the limit does not bind root";
  check([] { return Limit(here(), RLIMIT_NPROC, 0); }, "no more threads");
}

TEST_P(Limits, ThreadsOfBlockingCalls) {
  if (geteuid() == 0) GTEST_SKIP() << "the limit does not bind root";
  {
    Limit limit(here(), RLIMIT_NPROC, 0);
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    EXPECT_OK(write_by(Way::kBlocking, file, data_)) << "a call that waits needs no thread";
    limit.lift();
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
}

TEST_P(Limits, AddressSpace) {
  for (const rlim_t more : {16, 48, 128}) {
    check([=] { return Limit(here(), RLIMIT_AS, address_space() + more * kMebibyte); },
          std::to_string(more) + " MiB more");
  }
}

TEST_P(Limits, FileSize) {
  check([] { return Limit(here(), RLIMIT_FSIZE, 65536); }, "64 KiB");
}

// A file system of 1 MiB. Every rank hears of it, in every way to write.
class FullDisk : public testing::Test {
 protected:
  void SetUp() override {
    if (size() < 2) GTEST_SKIP() << "one rank's part would fit";
    if (directory_.empty()) GTEST_SKIP() << "needs a small file system, which the launcher mounts as root only";
    if (!under_weir()) GTEST_SKIP() << "the hosts hang or lose errors";
  }
  std::string directory_ = environment("TEST_SMALL_DIR");
  TimeLimit limit_{kSeconds, rank()};
};

TEST_F(FullDisk, IsToldToEveryRankInEveryWay) {
  const std::string path = directory_ + "/file";
  const Bytes data = part_of(rank(), kPieces);
  for (const char* method : {"weir_method=two_phase", "weir_method=independent"}) {
    const File file(path.c_str(), kUpdate | MPI_MODE_DELETE_ON_CLOSE, MPI_COMM_WORLD, Hints(method));
    EXPECT_OK(MPI_File_set_size(file, 0));
    set_interleaved_view(file);
    for (const Way way : kWays) {
      const int code = write_by(way, file, data);
      EXPECT_CLASS(MPI_ERR_NO_SPACE, code) << method << ", way " << static_cast<int>(way);
      EXPECT_SAME_EVERYWHERE(error_class(code));
      EXPECT_OK(MPI_File_set_size(file, 0));
    }
  }
}

// A child that has nothing to do with MPI.
class Fork : public testing::Test {
 protected:
  void SetUp() override {
    if (!under_weir()) GTEST_SKIP() << "the host's own affair";
  }
  // LOCAL. Whether a child that ends by `leave` is gone within 10 seconds, with code 0.
  static bool child_ends(void (*leave)(int)) {
    const pid_t child = fork();
    if (child == 0) leave(0);
    for (int i = 0; i < 1000; ++i) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
      usleep(10000);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return false;
  }
  TimeLimit limit_{kSeconds, rank()};
  Scratch scratch_;
};

TEST_F(Fork, ChildrenEndAndTheFileStaysInOrder) {
  const Bytes data = part_of(rank(), kPieces);
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, Hints("weir_method=two_phase"));
    set_interleaved_view(file);
    EXPECT_OK(write_by(Way::kNonblocking, file, data));
    EXPECT_TRUE(child_ends(_exit)) << "the child that called _exit()";
    EXPECT_OK(write_by(Way::kBlocking, file, data));
    EXPECT_TRUE(child_ends(std::exit)) << "the child that called exit()";
    EXPECT_OK(write_by(Way::kNonblocking, file, data));
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
}

}  // namespace
