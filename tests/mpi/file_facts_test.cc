// What can be asked of and set on an open file: size, space, group, info.
#include <array>
#include <string>

#include "mpi_test.h"
#include "weir_seen.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

MPI_Offset size_of(MPI_File file) {
  MPI_Offset bytes = -1;
  EXPECT_OK(MPI_File_get_size(file, &bytes));
  return bytes;
}

// The value of a hint in force, or "(none)".
std::string hint(MPI_File file, const char* key) {
  MPI_Info info = MPI_INFO_NULL;
  EXPECT_OK(MPI_File_get_info(file, &info));
  EXPECT_NE(info, MPI_INFO_NULL);
  if (info == MPI_INFO_NULL) return "(no info)";
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int found = 0;
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value.data(), &found);
  MPI_Info_free(&info);
  return found != 0 ? value.data() : "(none)";
}

class Hints {
 public:
  Hints(const char* key, const char* value) {
    MPI_Info_create(&info_);
    MPI_Info_set(info_, key, value);
  }
  ~Hints() { MPI_Info_free(&info_); }
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;
  operator MPI_Info() const { return info_; }  // NOLINT(google-explicit-constructor)

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

TEST(Size, OfAnExistingFile) {
  Scratch scratch;
  make_file(scratch.path(), pattern(12345, 1));
  const File file(scratch.path(), MPI_MODE_RDONLY);
  EXPECT_EQ(size_of(file), 12345);
}

TEST(Size, SetGrowsWithZerosAndShrinks) {
  Scratch scratch;
  const Bytes old = pattern(100, 1);
  make_file(scratch.path(), old);
  {
    const File file(scratch.path(), MPI_MODE_RDWR);
    EXPECT_OK(MPI_File_set_size(file, 150));
    EXPECT_EQ(size_of(file), 150);
  }
  Bytes expected = old;
  expected.resize(150, 0);
  EXPECT_EQ(file_bytes(scratch.path()), expected);
  meet("checked");
  {
    const File file(scratch.path(), MPI_MODE_RDWR);
    EXPECT_OK(MPI_File_set_size(file, 40));
    EXPECT_EQ(size_of(file), 40);
  }
  expected.resize(40);
  EXPECT_EQ(file_bytes(scratch.path()), expected);
}

TEST(Size, SetLeavesPointersAlone) {
  Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  EXPECT_OK(MPI_File_seek(file, 50, MPI_SEEK_SET));
  EXPECT_OK(MPI_File_seek_shared(file, 60, MPI_SEEK_SET));
  EXPECT_OK(MPI_File_set_size(file, 10));
  EXPECT_EQ(position(file), 50);
  EXPECT_EQ(shared_position(file), 60);
}

TEST(Size, SetToNonsense) {
  Scratch scratch;
  make_file(scratch.path(), pattern(10, 1));
  const File file(scratch.path(), MPI_MODE_RDWR);
  EXPECT_CLASS(MPI_ERR_ARG, MPI_File_set_size(file, -1));
  EXPECT_EQ(size_of(file), 10);
}

TEST(Size, SetThatDiffersBetweenRanks) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  Scratch scratch;
  make_file(scratch.path(), pattern(10, 1));
  const File file(scratch.path(), MPI_MODE_RDWR);
  const int code = MPI_File_set_size(file, 20 + rank());
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NOT_SAME, MPI_ERR_ARG}), code);
  EXPECT_SAME_EVERYWHERE(error_class(code));
  EXPECT_EQ(size_of(file), 10);
}

TEST(Size, SetOfAReadOnlyFile) {
  Scratch scratch;
  make_file(scratch.path(), pattern(10, 1));
  const File file(scratch.path(), MPI_MODE_RDONLY);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_READ_ONLY, MPI_ERR_ACCESS}), MPI_File_set_size(file, 3));
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_READ_ONLY, MPI_ERR_ACCESS}), MPI_File_preallocate(file, 30));
  EXPECT_EQ(size_of(file), 10);
}

TEST(Preallocate, KeepsBytesAndGrowsTheFile) {
  Scratch scratch;
  const Bytes old = pattern(5000, 2);
  make_file(scratch.path(), old);
  {
    const File file(scratch.path(), MPI_MODE_RDWR);
    EXPECT_OK(MPI_File_preallocate(file, 100000));
    EXPECT_EQ(size_of(file), 100000);
  }
  Bytes found = file_bytes(scratch.path());
  EXPECT_EQ(found.size(), 100000U);
  found.resize(old.size());
  EXPECT_EQ(found, old) << "preallocation must not touch what was written";
}

TEST(Preallocate, NeverShrinks) {
  Scratch scratch;
  const Bytes old = pattern(5000, 3);
  make_file(scratch.path(), old);
  {
    const File file(scratch.path(), MPI_MODE_RDWR);
    EXPECT_OK(MPI_File_preallocate(file, 100));
    EXPECT_EQ(size_of(file), 5000);
    EXPECT_CLASS(MPI_ERR_ARG, MPI_File_preallocate(file, -5));
  }
  EXPECT_EQ(file_bytes(scratch.path()), old);
}

TEST(Group, IsTheCommunicatorsGroup) {
  Scratch scratch;
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank(), &reversed);
  MPI_Group expected = MPI_GROUP_NULL;
  MPI_Comm_group(reversed, &expected);
  {
    const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, reversed);
    MPI_Group found = MPI_GROUP_NULL;
    EXPECT_OK(MPI_File_get_group(file, &found));
    int relation = MPI_UNEQUAL;
    MPI_Group_compare(expected, found, &relation);
    EXPECT_EQ(relation, MPI_IDENT);
    MPI_Group_free(&found);
  }
  MPI_Group_free(&expected);
  MPI_Comm_free(&reversed);
}

TEST(Info, TellsTheHintsInForce) {
  Scratch scratch;
  const Hints hints("cb_buffer_size", "1048576");
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_COMM_WORLD, hints);
  EXPECT_EQ(hint(file, "cb_buffer_size"), "1048576");
}

TEST(Info, CanBeChanged) {
  Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  const Hints hints("cb_buffer_size", "2097152");
  EXPECT_OK(MPI_File_set_info(file, hints));
  EXPECT_EQ(hint(file, "cb_buffer_size"), "2097152");
}

TEST(Info, UnknownAndSillyHintsDoNoHarm) {
  Scratch scratch;
  for (const auto& [key, value] : {std::pair("no_such_hint_anywhere", "7"), std::pair("cb_buffer_size", "many"),
                                   std::pair("cb_nodes", "-3"), std::pair("romio_cb_write", "perhaps")}) {
    const Hints hints(key, value);
    const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_COMM_WORLD, hints);
    const int mine = rank();
    EXPECT_OK(MPI_File_write_at_all(file, 4 * mine, &mine, 1, MPI_INT, MPI_STATUS_IGNORE)) << key;
  }
  EXPECT_EQ(file_bytes(scratch.path()).size(), 4U * static_cast<std::size_t>(size()));
}

TEST(Info, HintsThatDifferBetweenRanksDoNotHang) {
  Scratch scratch;
  const Hints hints("cb_buffer_size", std::to_string(1048576 * (1 + rank())).c_str());
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_COMM_WORLD, hints);
  const int mine = rank();
  EXPECT_OK(MPI_File_write_at_all(file, 4 * mine, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
  EXPECT_SAME_EVERYWHERE(std::stoi(hint(file, "cb_buffer_size")));
}

TEST(Info, TellsTheKindsOfMemoryThatBuffersMayBeIn) {
  if (!under_weir()) GTEST_SKIP() << "the hosts tell none";
  Scratch scratch;
  const Hints wish("mpi_memory_alloc_kinds", "cuda:device");
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_COMM_WORLD, wish);
  EXPECT_EQ(hint(file, "mpi_memory_alloc_kinds"), "system,mpi");
}

TEST(Info, ShowsThatWeirIsAtWork) {
  if (!under_weir()) GTEST_SKIP() << "not under weir";
  Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  EXPECT_TRUE(is_weirs(file));
}

TEST(Facts, OfAClosedFile) {
  MPI_Offset offset = 0;
  int amode = 0;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Info info = MPI_INFO_NULL;
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_size(MPI_FILE_NULL, &offset));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_set_size(MPI_FILE_NULL, 1));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_preallocate(MPI_FILE_NULL, 1));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_amode(MPI_FILE_NULL, &amode));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_group(MPI_FILE_NULL, &group));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_info(MPI_FILE_NULL, &info));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_set_info(MPI_FILE_NULL, MPI_INFO_NULL));
}

}  // namespace
