// One rank's system call fails in a collective MPI call: every rank returns, with the same class, and knows why.
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <tuple>

#include "access_test.h"
#include "fault_control.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kElements = 1000;

struct Failure {
  const char* name;
  int error_number;
  int error_class;
};

constexpr Failure kInputOutput = {"EIO", EIO, MPI_ERR_IO};
constexpr Failure kNoSpace = {"ENOSPC", ENOSPC, MPI_ERR_NO_SPACE};
constexpr Failure kQuota = {"EDQUOT", EDQUOT, MPI_ERR_QUOTA};

class FaultTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Fault::is_possible()) GTEST_SKIP() << "the fault shim is not preloaded";
    if (!under_weir()) GTEST_SKIP() << "the hosts hang or lose errors";
  }
  static std::vector<int> culprits() { return size() == 1 ? std::vector{0} : std::vector{0, size() - 1}; }
  static void expect_text(int code, const Failure& failure, const char* path) {
    const std::string text = error_text(code);
    EXPECT_NE(text.find(failure.name), std::string::npos) << text;
    EXPECT_NE(text.find(path), std::string::npos) << text;
  }
};

class CollectiveAccess : public FaultTest, public testing::WithParamInterface<AccessOp> {
 protected:
  static const AccessOp& op() { return GetParam(); }

  static int run(MPI_File file, std::vector<int>& data) {
    EXPECT_OK(MPI_File_seek(file, kElements * rank(), MPI_SEEK_SET));
    EXPECT_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    return op().run(file, kElements * rank(), data.data(), kElements, MPI_INT, MPI_STATUS_IGNORE);
  }
  // One rank fails, all ranks hear of it, and the next call works again.
  static void check(const Failure& failure, int culprit) {
    Scratch scratch("faulty");
    make_file(scratch.path(), bytes_of(all_records(1, kElements)));
    const File file(scratch.path(), kUpdate);
    set_plain_view(file, MPI_INT);
    std::vector<int> data = record(rank(), 0, kElements);
    int code = MPI_SUCCESS;
    int hits = 0;
    {
      Fault fault(culprit, {op().writes() ? FAULT_WRITE : FAULT_READ, 1, 0, failure.error_number});
      code = run(file, data);
      fault.disarm();
      hits = fault.hits_everywhere();
    }
    EXPECT_SAME_EVERYWHERE(error_class(code));
    EXPECT_CLASS(hits > 0 ? failure.error_class : MPI_SUCCESS, code) << hits << " calls were hit";
    if (hits > 0) expect_text(code, failure, "faulty");
    data = record(rank(), 0, kElements);
    EXPECT_OK(run(file, data));
    EXPECT_EQ(data, record(rank(), 0, kElements));
  }
};

TEST_P(CollectiveAccess, FailsEverywhere) {
  for (const int culprit : culprits()) check(kInputOutput, culprit);
}

TEST_P(CollectiveAccess, RunsOutOfSpaceEverywhere) {
  if (!op().writes()) GTEST_SKIP() << "a write can";
  for (const int culprit : culprits()) check(kNoSpace, culprit);
  check(kQuota, 0);
}

TEST_P(CollectiveAccess, SurvivesInterruptionsAndShortTransfers) {
  for (const int error_number : {EINTR, EAGAIN, 0}) {
    Scratch scratch("faulty");
    make_file(scratch.path(), op().writes() ? Bytes() : bytes_of(all_records(1, kElements)));
    {
      const File file(scratch.path(), kUpdate);
      set_plain_view(file, MPI_INT);
      std::vector<int> data = op().writes() ? record(rank(), 0, kElements) : std::vector<int>(kElements, -1);
      const Fault fault(rank(), {op().writes() ? FAULT_WRITE : FAULT_READ, 1, 3, error_number});
      EXPECT_OK(run(file, data)) << "errno " << error_number;
      EXPECT_EQ(data, record(rank(), 0, kElements)) << "errno " << error_number;
      EXPECT_GT(fault.hits_everywhere(), 0) << "the shim did not meet any call of the driver";
    }
    EXPECT_EQ(file_bytes(scratch.path()), bytes_of(all_records(1, kElements))) << "errno " << error_number;
  }
}

INSTANTIATE_TEST_SUITE_P(Fault, CollectiveAccess,
                         testing::ValuesIn(ops_where([](const AccessOp& op) { return op.collective; })),
                         op_name<testing::TestParamInfo<AccessOp>>);

class OtherCollectives : public FaultTest {};

TEST_F(OtherCollectives, OneRankCannotOpen) {
  for (const auto& [failure, amode] :
       std::initializer_list<std::pair<Failure, int>>{{{"EACCES", EACCES, MPI_ERR_ACCESS}, kUpdate},
                                                      {{"ENOENT", ENOENT, MPI_ERR_NO_SUCH_FILE}, MPI_MODE_RDONLY},
                                                      {kInputOutput, MPI_MODE_RDWR},
                                                      {{"EMFILE", EMFILE, MPI_ERR_IO}, kUpdate}}) {
    for (const int culprit : culprits()) {
      Scratch scratch("faulty");
      make_file(scratch.path(), pattern(10, 1));
      Fault fault(culprit, {FAULT_OPEN, 1, 0, failure.error_number});
      MPI_File file = MPI_FILE_NULL;
      const int code = MPI_File_open(MPI_COMM_WORLD, scratch.path(), amode, MPI_INFO_NULL, &file);
      fault.disarm();
      EXPECT_SAME_EVERYWHERE(error_class(code));
      EXPECT_CLASS(fault.hits_everywhere() > 0 ? failure.error_class : MPI_SUCCESS, code);
      if (code == MPI_SUCCESS) {
        MPI_File_close(&file);
      } else {
        expect_text(code, failure, "faulty");
      }
      EXPECT_EQ(file, MPI_FILE_NULL);
    }
  }
}

TEST_F(OtherCollectives, OneRankCannotSync) {
  for (const int culprit : culprits()) {
    Scratch scratch("faulty");
    const File file(scratch.path(), kUpdate);
    EXPECT_OK(MPI_File_write_at(file, rank(), "x", 1, MPI_CHAR, MPI_STATUS_IGNORE));
    Fault fault(culprit, {FAULT_SYNC, 1, 0, EIO});
    const int code = MPI_File_sync(file);
    fault.disarm();
    EXPECT_SAME_EVERYWHERE(error_class(code));
    EXPECT_CLASS(fault.hits_everywhere() > 0 ? MPI_ERR_IO : MPI_SUCCESS, code);
    EXPECT_OK(MPI_File_sync(file));
  }
}

TEST_F(OtherCollectives, OneRankCannotResize) {
  for (const int culprit : culprits()) {
    Scratch scratch("faulty");
    const File file(scratch.path(), kUpdate);
    for (const bool preallocate : {false, true}) {
      Fault fault(culprit, {FAULT_RESIZE, 1, 0, ENOSPC});
      const int code = preallocate ? MPI_File_preallocate(file, 5000) : MPI_File_set_size(file, 3000);
      fault.disarm();
      EXPECT_SAME_EVERYWHERE(error_class(code));
      EXPECT_CLASS(fault.hits_everywhere() > 0 ? MPI_ERR_NO_SPACE : MPI_SUCCESS, code);
    }
    EXPECT_OK(MPI_File_set_size(file, 10));
  }
}

TEST_F(OtherCollectives, OneRanksIndependentWriteConcernsNobodyElse) {
  Scratch scratch("faulty");
  const File file(scratch.path(), kUpdate);
  const int mine = rank();
  const Fault fault(0, {FAULT_WRITE, 1, 0, EIO});
  const int code = MPI_File_write_at(file, 4 * mine, &mine, 1, MPI_INT, MPI_STATUS_IGNORE);
  EXPECT_CLASS(rank() == 0 ? MPI_ERR_IO : MPI_SUCCESS, code);
}

// A file system of 1 MiB, no shim needed.
TEST(FullDisk, IsToldToEveryRank) {
  const std::string directory = environment("TEST_SMALL_DIR");
  if (directory.empty()) GTEST_SKIP() << "needs a small file system, which the launcher mounts as root only";
  if (!under_weir()) GTEST_SKIP() << "the hosts hang or lose errors";
  const std::string path = directory + "/file";
  const Bytes data(2 << 20, 'x');
  {
    const File file(path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    const MPI_Offset place = static_cast<MPI_Offset>(rank()) * (2 << 20);
    int code = MPI_File_write_at_all(file, place, data.data(), 2 << 20, MPI_BYTE, MPI_STATUS_IGNORE);
    EXPECT_CLASS(MPI_ERR_NO_SPACE, code);
    EXPECT_NE(error_text(code).find("ENOSPC"), std::string::npos) << error_text(code);
    code = MPI_File_preallocate(file, 64 << 20);
    EXPECT_CLASS(MPI_ERR_NO_SPACE, code);
    EXPECT_OK(MPI_File_set_size(file, 0));
    EXPECT_OK(MPI_File_write_at_all(file, 100 * rank(), data.data(), 100, MPI_BYTE, MPI_STATUS_IGNORE));
  }
  meet("closed");
  EXPECT_FALSE(exists(path.c_str()));
}

// The last rank alone may not write beyond 64 KiB: whatever call the driver uses.
TEST(SizeLimit, OfOneRankIsToldToEveryRank) {
  if (!under_weir()) GTEST_SKIP() << "the hosts hang or lose errors";
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tight = {65536, before.rlim_max};
  if (rank() == size() - 1) setrlimit(RLIMIT_FSIZE, &tight);
  const Bytes data(100000, 'x');
  const int code = MPI_File_write_at_all(file, 100000 * rank(), data.data(), 100000, MPI_BYTE, MPI_STATUS_IGNORE);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_SAME_EVERYWHERE(error_class(code));
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NO_SPACE, MPI_ERR_IO, MPI_SUCCESS}), code);
  if (code == MPI_SUCCESS) {
    EXPECT_EQ(file_size(scratch.path()), 100000 * size()) << "success was returned for data that did not arrive";
  }
}

}  // namespace
