// Opens, closes and deletes that must fail: the class that the standard names, on all ranks, and nothing changed.
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "mpi_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

const Bytes kOld = {'o', 'l', 'd'};

// COLLECTIVE. Opens, which must fail and give no handle; the code.
int refused(const char* path, int amode, MPI_Comm comm = MPI_COMM_WORLD) {
  MPI_File file = MPI_FILE_NULL;
  const int code = MPI_File_open(comm, path, amode, MPI_INFO_NULL, &file);
  EXPECT_NE(code, MPI_SUCCESS) << path;
  if (code == MPI_SUCCESS) {
    MPI_File_close(&file);
  }
  EXPECT_EQ(file, MPI_FILE_NULL);
  return code;
}

class IllegalModes : public testing::TestWithParam<int> {};

TEST_P(IllegalModes, AreRefused) {
  Scratch existing("existing");
  Scratch missing("missing");
  make_file(existing.path(), kOld);
  EXPECT_CLASS(MPI_ERR_AMODE, refused(existing.path(), GetParam()));
  EXPECT_CLASS(MPI_ERR_AMODE, refused(missing.path(), GetParam()));
  EXPECT_EQ(file_bytes(existing.path()), kOld);
  EXPECT_FALSE(exists(missing.path()));
}

INSTANTIATE_TEST_SUITE_P(
    Open, IllegalModes,
    testing::Values(0, MPI_MODE_CREATE, MPI_MODE_APPEND, MPI_MODE_SEQUENTIAL, MPI_MODE_RDONLY | MPI_MODE_WRONLY,
                    MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_MODE_WRONLY | MPI_MODE_RDWR,
                    MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR, MPI_MODE_RDONLY | MPI_MODE_CREATE,
                    MPI_MODE_RDONLY | MPI_MODE_EXCL, MPI_MODE_RDONLY | MPI_MODE_CREATE | MPI_MODE_EXCL,
                    MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL | MPI_MODE_CREATE));

TEST(OpenError, ExclusiveKeepsTheExistingFile) {
  Scratch scratch;
  make_file(scratch.path(), kOld);
  EXPECT_CLASS(MPI_ERR_FILE_EXISTS, refused(scratch.path(), MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY));
  EXPECT_EQ(file_bytes(scratch.path()), kOld);
}

TEST(OpenError, MissingFile) {
  Scratch scratch;
  for (const int amode :
       std::initializer_list<int>{MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR, MPI_MODE_RDWR | MPI_MODE_APPEND,
                                  MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE}) {
    EXPECT_CLASS(MPI_ERR_NO_SUCH_FILE, refused(scratch.path(), amode));
    EXPECT_FALSE(exists(scratch.path()));
  }
}

TEST(OpenError, MissingDirectory) {
  Scratch scratch;
  const std::string path = std::string(scratch.path()) + "/none/file";
  EXPECT_CLASS(MPI_ERR_NO_SUCH_FILE, refused(path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR));
}

TEST(OpenError, FileAsDirectory) {
  Scratch scratch;
  make_file(scratch.path(), kOld);
  const std::string path = std::string(scratch.path()) + "/file";
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_BAD_FILE, MPI_ERR_NO_SUCH_FILE}),
                  refused(path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR));
}

TEST(OpenError, Directory) {
  const std::string directory = environment("TEST_DIR");
  for (const int amode : std::initializer_list<int>{MPI_MODE_RDONLY, MPI_MODE_RDWR, MPI_MODE_RDWR | MPI_MODE_CREATE}) {
    EXPECT_CLASS(MPI_ERR_BAD_FILE, refused(directory.c_str(), amode));
  }
  EXPECT_TRUE(exists(directory.c_str()));
}

TEST(OpenError, NameOf4096Letters) {
  std::string path = environment("TEST_DIR") + "/";
  path.resize(4096, 'x');
  EXPECT_CLASS(MPI_ERR_BAD_FILE, refused(path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR));
  EXPECT_CLASS(MPI_ERR_BAD_FILE, refused(path.c_str(), MPI_MODE_RDONLY));
}

TEST(OpenError, PathOf4096LettersInManyDirectories) {
  std::string path = environment("TEST_DIR");
  while (path.size() < 4096) path += "/.";
  path.resize(4096);
  EXPECT_CLASS(MPI_ERR_BAD_FILE, refused(path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR));
}

TEST(OpenError, EmptyName) {
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_BAD_FILE, MPI_ERR_NO_SUCH_FILE, MPI_ERR_ARG}),
                  refused("", MPI_MODE_CREATE | MPI_MODE_RDWR));
}

TEST(OpenError, ModesThatDifferBetweenRanks) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  Scratch scratch;
  const bool last = rank() == size() - 1;
  const int amode = last ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_CREATE | MPI_MODE_RDWR;
  EXPECT_CLASS(MPI_ERR_NOT_SAME, refused(scratch.path(), amode));
  EXPECT_FALSE(exists(scratch.path())) << "nothing may be made by an open that cannot succeed";
}

TEST(OpenError, IllegalModeOnOneRankOnly) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  Scratch scratch;
  const int code = refused(scratch.path(), rank() == 0 ? 0 : MPI_MODE_CREATE | MPI_MODE_RDWR);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NOT_SAME, MPI_ERR_AMODE}), code);
  EXPECT_SAME_EVERYWHERE(error_class(code));
  EXPECT_FALSE(exists(scratch.path()));
}

TEST(OpenError, OneRankHasNoSuchDirectory) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  Scratch scratch;
  std::string path = scratch.path();
  if (rank() == size() - 1) path += ".none/file";
  const int code = refused(path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NO_SUCH_FILE, MPI_ERR_NOT_SAME}), code);
  EXPECT_SAME_EVERYWHERE(error_class(code));
}

TEST(OpenError, OnlyRankZeroHasNoSuchDirectory) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  Scratch scratch;
  std::string path = scratch.path();
  if (rank() == 0) path += ".none/file";
  const int code = refused(path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NO_SUCH_FILE, MPI_ERR_NOT_SAME}), code);
  EXPECT_SAME_EVERYWHERE(error_class(code));
}

// Root may open everything: be somebody else for the time of one call.
class WithoutPrivileges {
 public:
  WithoutPrivileges() : was_root_(geteuid() == 0) {
    if (was_root_) {
      EXPECT_EQ(seteuid(65534), 0);
    }
  }
  ~WithoutPrivileges() {
    if (was_root_) {
      EXPECT_EQ(seteuid(0), 0);
    }
    prctl(PR_SET_DUMPABLE, 1);  // lost by seteuid; MPI's transports need it
  }
  WithoutPrivileges(const WithoutPrivileges&) = delete;
  WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;

 private:
  bool was_root_;
};

TEST(OpenError, NoPermission) {
  Scratch scratch;
  make_file(scratch.path(), kOld);
  if (rank() == 0) chmod(scratch.path(), 0);
  meet("made unreadable");
  for (const int amode :
       std::initializer_list<int>{MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR | MPI_MODE_CREATE}) {
    const WithoutPrivileges nobody;
    EXPECT_CLASS(MPI_ERR_ACCESS, refused(scratch.path(), amode));
  }
  if (rank() == 0) chmod(scratch.path(), 0600);
  EXPECT_EQ(file_bytes(scratch.path()), kOld);
}

TEST(OpenError, ReadOnlyFileSystem) {
  const std::string directory = environment("TEST_READONLY_DIR");
  if (directory.empty()) GTEST_SKIP() << "needs a read-only mount, which the launcher makes as root only";
  const std::string present = directory + "/present";
  EXPECT_CLASS(MPI_ERR_READ_ONLY, refused(present.c_str(), MPI_MODE_RDWR));
  EXPECT_CLASS(MPI_ERR_READ_ONLY, refused((directory + "/new").c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY));
  EXPECT_CLASS(MPI_ERR_READ_ONLY, MPI_File_delete(present.c_str(), MPI_INFO_NULL));
  const File file(present.c_str(), MPI_MODE_RDONLY);
  char text[13] = "";
  EXPECT_OK(MPI_File_read_all(file, text, 12, MPI_CHAR, MPI_STATUS_IGNORE));
  EXPECT_STREQ(text, "twelve bytes");
}

TEST(OpenError, NullCommunicator) {
  Scratch scratch;
  EXPECT_CLASS(MPI_ERR_COMM, refused(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_COMM_NULL));
  EXPECT_FALSE(exists(scratch.path()));
}

TEST(OpenError, Intercommunicator) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  Scratch scratch;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, rank(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank() % 2, 3, &between);
  EXPECT_CLASS(MPI_ERR_COMM, refused(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, between));
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

TEST(CloseError, NullFile) {
  MPI_File file = MPI_FILE_NULL;
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_close(&file));
}

TEST(CloseError, Twice) {
  if (!under_weir()) GTEST_SKIP() << "the hosts trust stale handles";
  Scratch scratch;
  MPI_File file = MPI_FILE_NULL;
  EXPECT_OK(MPI_File_open(MPI_COMM_WORLD, scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  MPI_File stale = file;
  EXPECT_OK(MPI_File_close(&file));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_close(&stale));
}

TEST(Delete, RemovesTheFile) {
  Scratch scratch;
  make_file(scratch.path(), kOld);
  if (rank() == 0) {
    EXPECT_OK(MPI_File_delete(scratch.path(), MPI_INFO_NULL));
  }
  meet("deleted");
  EXPECT_FALSE(exists(scratch.path()));
}

TEST(DeleteError, MissingFile) {
  Scratch scratch;
  EXPECT_CLASS(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(scratch.path(), MPI_INFO_NULL));
}

TEST(DeleteError, Directory) {
  const std::string directory = environment("TEST_DIR");
  EXPECT_NE(MPI_File_delete(directory.c_str(), MPI_INFO_NULL), MPI_SUCCESS);
  EXPECT_TRUE(exists(directory.c_str()));
}

}  // namespace
