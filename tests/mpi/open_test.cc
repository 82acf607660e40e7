// Opening and closing: what every legal mode does.
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "mpi_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

const Bytes kOld = {'o', 'l', 'd', ' ', 'b', 'y', 't', 'e', 's'};

int amode_of(MPI_File file) {
  int amode = 0;
  EXPECT_OK(MPI_File_get_amode(file, &amode));
  return amode;
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

class LegalModes : public testing::TestWithParam<int> {};

TEST_P(LegalModes, OpenAndAreReported) {
  Scratch scratch;
  make_file(scratch.path(), kOld);
  {
    File file(scratch.path(), GetParam());
    EXPECT_EQ(amode_of(file), GetParam());
  }
  const bool deleted = (GetParam() & MPI_MODE_DELETE_ON_CLOSE) != 0;
  meet("closed");
  EXPECT_EQ(exists(scratch.path()), !deleted);
  if (!deleted) {
    EXPECT_EQ(file_bytes(scratch.path()), kOld) << "an open must not change the file";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Open, LegalModes,
    testing::Values(MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR, MPI_MODE_RDWR | MPI_MODE_CREATE,
                    MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_MODE_RDONLY | MPI_MODE_UNIQUE_OPEN,
                    MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL,
                    MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_CREATE, MPI_MODE_RDWR | MPI_MODE_APPEND,
                    MPI_MODE_RDONLY | MPI_MODE_APPEND, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                    MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE,
                    MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN));

TEST(Open, CreateMakesAnEmptyFile) {
  Scratch scratch;
  File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_WRONLY);
  EXPECT_EQ(file_size(scratch.path()), 0);
}

TEST(Open, ExclusiveCreateMakesAFileOnce) {
  Scratch scratch;
  { const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR); }
  EXPECT_TRUE(exists(scratch.path()));
  MPI_File again = MPI_FILE_NULL;
  EXPECT_CLASS(MPI_ERR_FILE_EXISTS,
               MPI_File_open(MPI_COMM_WORLD, scratch.path(), MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR,
                             MPI_INFO_NULL, &again));
  EXPECT_EQ(again, MPI_FILE_NULL);
}

TEST(Open, ExclusiveWithDeleteOnCloseWorksAgainAndAgain) {
  Scratch scratch;
  const int amode = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
  for (int i = 0; i < 3; ++i) {
    const File file(scratch.path(), amode);
  }
  meet("closed");
  EXPECT_FALSE(exists(scratch.path()));
}

TEST(Open, PointersStartAtZero) {
  Scratch scratch;
  make_file(scratch.path(), kOld);
  const File file(scratch.path(), MPI_MODE_RDWR);
  EXPECT_EQ(position(file), 0);
  EXPECT_EQ(shared_position(file), 0);
}

TEST(Open, AppendPutsAllPointersAtTheEnd) {
  Scratch scratch;
  make_file(scratch.path(), kOld);
  const File file(scratch.path(), MPI_MODE_RDWR | MPI_MODE_APPEND);
  EXPECT_EQ(position(file), static_cast<MPI_Offset>(kOld.size()));
  EXPECT_EQ(shared_position(file), static_cast<MPI_Offset>(kOld.size()));
}

TEST(Open, AppendOnlySetsTheStart) {
  Scratch scratch;
  make_file(scratch.path(), kOld);
  {
    const File file(scratch.path(), MPI_MODE_RDWR | MPI_MODE_APPEND);
    const char letter = 'X';
    if (rank() == 0) {
      EXPECT_OK(MPI_File_write(file, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE));
      EXPECT_OK(MPI_File_write_at(file, 0, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE));
    }
  }
  Bytes expected = kOld;
  expected[0] = 'X';
  expected.push_back('X');
  EXPECT_EQ(file_bytes(scratch.path()), expected);
}

TEST(Open, DeleteOnCloseKeepsTheFileUntilTheLastRankCloses) {
  Scratch scratch;
  {
    const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    const int mine = rank();
    EXPECT_OK(MPI_File_write_at(file, mine * 4, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
    int found = -1;
    EXPECT_OK(MPI_File_read_at(file, mine * 4, &found, 1, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT_EQ(found, mine);
  }
  meet("closed");
  EXPECT_FALSE(exists(scratch.path()));
}

TEST(Open, SequentialModeServesTheSharedPointer) {
  Scratch scratch;
  const int mine = 100 + rank();
  {
    const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    EXPECT_OK(MPI_File_write_ordered(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
  }
  meet("written");
  const File file(scratch.path(), MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL);
  int found = -1;
  EXPECT_OK(MPI_File_read_ordered(file, &found, 1, MPI_INT, MPI_STATUS_IGNORE));
  EXPECT_EQ(found, mine);
}

TEST(Open, EachRankAlone) {
  Scratch scratch;
  const std::string own = std::string(scratch.path()) + "." + std::to_string(rank());
  {
    const File file(own.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_COMM_SELF);
    const int mine = rank();
    EXPECT_OK(MPI_File_write_all(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
  }
  EXPECT_EQ(file_size(own.c_str()), 4);
  EXPECT_OK(MPI_File_delete(own.c_str(), MPI_INFO_NULL));
}

TEST(Open, HalvesOfTheWorldUseTheirOwnFiles) {
  Scratch scratch;
  const int colour = rank() % 2;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, colour, rank(), &half);
  int ranks_here = 0;
  MPI_Comm_size(half, &ranks_here);
  const std::string path = std::string(scratch.path()) + "." + std::to_string(colour);
  {
    const File file(path.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, half);
    MPI_Comm_free(&half);  // the file keeps what it needs
    EXPECT_OK(MPI_File_write_ordered(file, &colour, 1, MPI_INT, MPI_STATUS_IGNORE));
  }
  meet("both halves are done");
  EXPECT_EQ(file_size(path.c_str()), 4 * ranks_here);
  meet("both halves were checked");
  if (rank() == colour) {
    EXPECT_OK(MPI_File_delete(path.c_str(), MPI_INFO_NULL));
  }
}

TEST(Open, TheSameFileTwiceAtOnce) {
  Scratch scratch;
  const File one(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  const File two(scratch.path(), MPI_MODE_RDWR);
  const int mine = 7 + rank();
  EXPECT_OK(MPI_File_write_ordered(one, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
  EXPECT_EQ(shared_position(two), 0) << "each open has a shared pointer of its own";
}

TEST(Open, ColonInTheName) {
  Scratch scratch("ufs:with:colons");
  { const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR); }
  meet("closed");
  EXPECT_TRUE(exists(scratch.path()));
}

TEST(Open, RelativeName) {
  Scratch scratch("relative");
  if (chdir(environment("TEST_DIR").c_str()) != 0) GTEST_SKIP() << "cannot enter TEST_DIR";
  const std::string name = std::filesystem::path(scratch.path()).filename();
  { const File file(name.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR); }
  meet("closed");
  EXPECT_TRUE(exists(scratch.path()));
}

TEST(Open, ManyTimesLeaksNothing) {
  Scratch scratch;
  const auto open_and_close = [&] {
    const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_COMM_SELF);
    const char letter = 'x';
    EXPECT_OK(MPI_File_write_shared(file, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE));
  };
  open_and_close();
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 2100 / size(); ++i) open_and_close();
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Open, ManyFilesAtOnceOnOneCommunicator) {
  Scratch scratch;
  std::vector<std::unique_ptr<File>> files;
  for (int i = 0; i < 60; ++i) {
    files.push_back(std::make_unique<File>(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR));
  }
  const int mine = rank();
  EXPECT_OK(MPI_File_write_at_all(*files.front(), 4 * mine, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
  EXPECT_OK(MPI_File_sync(*files.front()));
  int found = -1;
  EXPECT_OK(MPI_File_read_at_all(*files.back(), 4 * mine, &found, 1, MPI_INT, MPI_STATUS_IGNORE));
  EXPECT_EQ(found, mine);
}

}  // namespace
