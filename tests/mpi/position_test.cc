// Seeking, in views too: positions are counted in etypes.
#include "access_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

MPI_Offset byte_offset(MPI_File file, MPI_Offset offset) {
  MPI_Offset bytes = -1;
  EXPECT_OK(MPI_File_get_byte_offset(file, offset, &bytes));
  return bytes;
}

class Seek : public testing::Test {
 protected:
  Seek() {
    make_file(scratch_.path(), pattern(100, 1));
    EXPECT_OK(MPI_File_open(MPI_COMM_WORLD, scratch_.path(), MPI_MODE_RDWR, MPI_INFO_NULL, &file_));
  }
  ~Seek() override {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }
  Seek(const Seek&) = delete;
  Seek& operator=(const Seek&) = delete;

  MPI_File file() const { return file_; }
  void view_every_other_int(MPI_Offset displacement) {
    const Type every_other = Type::resized(MPI_INT, 0, 8);
    EXPECT_OK(MPI_File_set_view(file_, displacement, MPI_INT, every_other, "native", MPI_INFO_NULL));
  }

 private:
  Scratch scratch_;
  MPI_File file_ = MPI_FILE_NULL;
};

TEST_F(Seek, SetCurrentEnd) {
  EXPECT_OK(MPI_File_seek(file(), 10, MPI_SEEK_SET));
  EXPECT_EQ(position(file()), 10);
  EXPECT_OK(MPI_File_seek(file(), 5, MPI_SEEK_CUR));
  EXPECT_EQ(position(file()), 15);
  EXPECT_OK(MPI_File_seek(file(), -15, MPI_SEEK_CUR));
  EXPECT_EQ(position(file()), 0);
  EXPECT_OK(MPI_File_seek(file(), -3, MPI_SEEK_END));
  EXPECT_EQ(position(file()), 97);
  EXPECT_OK(MPI_File_seek(file(), 20, MPI_SEEK_END));
  EXPECT_EQ(position(file()), 120) << "a pointer may lie beyond the end";
}

TEST_F(Seek, EachRankHasItsOwnPointer) {
  EXPECT_OK(MPI_File_seek(file(), 10 + rank(), MPI_SEEK_SET));
  meet("all have set theirs");
  EXPECT_EQ(position(file()), 10 + rank());
}

TEST_F(Seek, NonsenseIsRefusedAndChangesNothing) {
  EXPECT_OK(MPI_File_seek(file(), 4, MPI_SEEK_SET));
  EXPECT_CLASS(MPI_ERR_ARG, MPI_File_seek(file(), -1, MPI_SEEK_SET));
  EXPECT_CLASS(MPI_ERR_ARG, MPI_File_seek(file(), -5, MPI_SEEK_CUR));
  EXPECT_CLASS(MPI_ERR_ARG, MPI_File_seek(file(), -101, MPI_SEEK_END));
  EXPECT_CLASS(MPI_ERR_ARG, MPI_File_seek(file(), 1, 12345));
  EXPECT_EQ(position(file()), 4);
}

TEST_F(Seek, SharedSetCurrentEnd) {
  EXPECT_OK(MPI_File_seek_shared(file(), 10, MPI_SEEK_SET));
  EXPECT_EQ(shared_position(file()), 10);
  meet("seen");
  EXPECT_OK(MPI_File_seek_shared(file(), 5, MPI_SEEK_CUR));
  EXPECT_EQ(shared_position(file()), 15);
  meet("seen");
  EXPECT_OK(MPI_File_seek_shared(file(), -3, MPI_SEEK_END));
  EXPECT_EQ(shared_position(file()), 97);
  EXPECT_EQ(position(file()), 0);
}

TEST_F(Seek, SharedNonsense) {
  EXPECT_OK(MPI_File_seek_shared(file(), 4, MPI_SEEK_SET));
  EXPECT_CLASS(MPI_ERR_ARG, MPI_File_seek_shared(file(), -1, MPI_SEEK_SET));
  EXPECT_CLASS(MPI_ERR_ARG, MPI_File_seek_shared(file(), -5, MPI_SEEK_CUR));
  EXPECT_CLASS(MPI_ERR_ARG, MPI_File_seek_shared(file(), 1, 12345));
  EXPECT_EQ(shared_position(file()), 4);
}

TEST_F(Seek, SharedArgumentsThatDiffer) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  const int code = MPI_File_seek_shared(file(), rank() == 0 ? 1 : 2, MPI_SEEK_SET);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NOT_SAME, MPI_ERR_ARG}), code);
  EXPECT_SAME_EVERYWHERE(error_class(code));
  const int second = MPI_File_seek_shared(file(), 1, rank() == 0 ? MPI_SEEK_SET : MPI_SEEK_CUR);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NOT_SAME, MPI_ERR_ARG}), second);
  EXPECT_SAME_EVERYWHERE(error_class(second));
}

TEST_F(Seek, ViewCountsEtypes) {
  view_every_other_int(12);
  EXPECT_OK(MPI_File_seek(file(), 3, MPI_SEEK_SET));
  EXPECT_EQ(position(file()), 3);
  EXPECT_EQ(byte_offset(file(), 3), 12 + 24);
  int value = 0;
  EXPECT_OK(MPI_File_read(file(), &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  EXPECT_EQ(position(file()), 4);
}

// The end of the file is the first etype of the view that starts after the last byte of the file.
TEST_F(Seek, EndInAViewWithHoles) {
  struct Case {
    MPI_Offset file_bytes;
    MPI_Offset end;
  };
  view_every_other_int(0);
  for (const Case& one : {Case{0, 0}, Case{1, 1}, Case{4, 1}, Case{8, 1}, Case{9, 2}, Case{12, 2}, Case{16, 2},
                          Case{17, 3}, Case{100, 13}}) {
    EXPECT_OK(MPI_File_set_size(file(), one.file_bytes));
    EXPECT_OK(MPI_File_seek(file(), 0, MPI_SEEK_END));
    EXPECT_EQ(position(file()), one.end) << one.file_bytes << " bytes";
    EXPECT_OK(MPI_File_seek_shared(file(), 0, MPI_SEEK_END));
    EXPECT_EQ(shared_position(file()), one.end) << one.file_bytes << " bytes, shared";
    meet("seen");
  }
}

TEST_F(Seek, EndBeforeTheViewBegins) {
  view_every_other_int(400);
  EXPECT_OK(MPI_File_seek(file(), 0, MPI_SEEK_END));
  EXPECT_EQ(position(file()), 0);
}

TEST_F(Seek, ByteOffset) {
  EXPECT_EQ(byte_offset(file(), 0), 0);
  EXPECT_EQ(byte_offset(file(), 77), 77);
  const Type blocks = Type::resized(Type::vector(2, 3, 5, MPI_SHORT), 0, 40);  // bytes 0-5, 10-15 of every 40
  EXPECT_OK(MPI_File_set_view(file(), 7, MPI_SHORT, blocks, "native", MPI_INFO_NULL));
  EXPECT_EQ(byte_offset(file(), 0), 7);
  EXPECT_EQ(byte_offset(file(), 2), 11);
  EXPECT_EQ(byte_offset(file(), 3), 17);
  EXPECT_EQ(byte_offset(file(), 5), 21);
  EXPECT_EQ(byte_offset(file(), 6), 47);
  EXPECT_EQ(byte_offset(file(), 6000003), 7 + 40000000 + 10);
  MPI_Offset bytes = 0;
  EXPECT_CLASS(MPI_ERR_ARG, MPI_File_get_byte_offset(file(), -1, &bytes));
}

TEST_F(Seek, SetViewResetsAllPointers) {
  EXPECT_OK(MPI_File_seek(file(), 10, MPI_SEEK_SET));
  EXPECT_OK(MPI_File_seek_shared(file(), 20, MPI_SEEK_SET));
  view_every_other_int(16);
  EXPECT_EQ(position(file()), 0);
  EXPECT_EQ(shared_position(file()), 0);
}

TEST_F(Seek, NullFile) {
  MPI_Offset offset = 0;
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_seek(MPI_FILE_NULL, 0, MPI_SEEK_SET));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_seek_shared(MPI_FILE_NULL, 0, MPI_SEEK_SET));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_position(MPI_FILE_NULL, &offset));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_position_shared(MPI_FILE_NULL, &offset));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_byte_offset(MPI_FILE_NULL, 0, &offset));
}

TEST(SequentialFile, KnowsNoPositions) {
  Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
  MPI_Offset offset = 0;
  const char letter = 'x';
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_seek(file, 0, MPI_SEEK_SET));
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_get_position(file, &offset));
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_get_position_shared(file, &offset));
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_get_byte_offset(file, 0, &offset));
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_write_at(file, 0, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE));
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_write_at_all(file, 0, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE));
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_write(file, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE));
}

}  // namespace
