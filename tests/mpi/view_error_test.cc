// Views that must be refused: the class, on all ranks, and the old view stays.
#include <functional>
#include <vector>

#include "mpi_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

const std::vector<int> kBadType = {MPI_ERR_TYPE, MPI_ERR_ARG, MPI_ERR_IO};

class BadView : public testing::Test {
 protected:
  BadView() {
    make_file(scratch_.path(), pattern(200, 1));
    EXPECT_OK(MPI_File_open(MPI_COMM_WORLD, scratch_.path(), MPI_MODE_RDWR, MPI_INFO_NULL, &file_));
    EXPECT_OK(MPI_File_set_view(file_, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  }
  ~BadView() override {
    MPI_Offset displacement = -1;
    MPI_Datatype etype = MPI_DATATYPE_NULL;
    MPI_Datatype file_type = MPI_DATATYPE_NULL;
    std::string datarep(MPI_MAX_DATAREP_STRING + 1, '\0');
    EXPECT_OK(MPI_File_get_view(file_, &displacement, &etype, &file_type, datarep.data()));
    EXPECT_EQ(displacement, 8) << "a refused view must leave the old one";
    EXPECT_EQ(file_type, MPI_INT);
    EXPECT_OK(MPI_File_close(&file_));
    EXPECT_EQ(file_bytes(scratch_.path()), pattern(200, 1));
  }
  BadView(const BadView&) = delete;
  BadView& operator=(const BadView&) = delete;

  MPI_File file() const { return file_; }
  int set(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype file_type, const char* datarep = "native") {
    return MPI_File_set_view(file_, displacement, etype, file_type, datarep, MPI_INFO_NULL);
  }

 private:
  Scratch scratch_;
  MPI_File file_ = MPI_FILE_NULL;
};

Type hindexed(std::vector<int> block_lengths, std::vector<MPI_Aint> displacements, MPI_Datatype element) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(static_cast<int>(block_lengths.size()), block_lengths.data(), displacements.data(), element,
                           &type);
  return Type(type);
}

TEST_F(BadView, NegativeDisplacement) { EXPECT_CLASS(MPI_ERR_ARG, set(-4, MPI_INT, MPI_INT)); }

TEST_F(BadView, CurrentDisplacementWithoutSequentialMode) {
  EXPECT_CLASS(MPI_ERR_ARG, set(MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT));
}

TEST_F(BadView, NullTypes) {
  EXPECT_CLASS_IN(kBadType, set(0, MPI_DATATYPE_NULL, MPI_INT));
  EXPECT_CLASS_IN(kBadType, set(0, MPI_INT, MPI_DATATYPE_NULL));
  EXPECT_CLASS_IN(kBadType, set(0, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL));
}

TEST_F(BadView, FileTypeNotMadeOfEtypes) {
  EXPECT_CLASS_IN(kBadType, set(0, MPI_INT, Type::contiguous(3, MPI_SHORT)));
  EXPECT_CLASS_IN(kBadType, set(0, MPI_DOUBLE, MPI_INT));
}

TEST_F(BadView, NegativeDisplacementInTheFileType) {
  EXPECT_CLASS_IN(kBadType, set(0, MPI_INT, hindexed({1, 1}, {-4, 4}, MPI_INT)));
  EXPECT_CLASS_IN(kBadType, set(0, hindexed({1}, {-4}, MPI_INT), hindexed({1}, {-4}, MPI_INT)));
}

TEST_F(BadView, DecreasingDisplacements) {
  EXPECT_CLASS_IN(kBadType, set(0, MPI_INT, hindexed({1, 1}, {8, 0}, MPI_INT)));
  EXPECT_CLASS_IN(kBadType, set(0, MPI_INT, hindexed({1, 1, 1}, {0, 16, 8}, MPI_INT)));
}

TEST_F(BadView, OverlapInAFileOpenForWriting) {
  EXPECT_CLASS_IN(kBadType, set(0, MPI_INT, hindexed({2, 1}, {0, 4}, MPI_INT)));
}

TEST_F(BadView, UncommittedTypes) {
  MPI_Datatype raw = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &raw);
  if (under_weir()) {  // Open MPI lets it pass
    EXPECT_CLASS_IN(kBadType, set(0, MPI_INT, raw));
  }
  MPI_Type_free(&raw);
}

TEST_F(BadView, NothingInTheFileType) {
  const int code = set(0, MPI_INT, Type::contiguous(0, MPI_INT));
  if (code == MPI_SUCCESS) {  // allowed, as long as nothing is accessed through it
    MPI_Status status;
    EXPECT_OK(MPI_File_write_at_all(file(), 0, nullptr, 0, MPI_INT, &status));
    EXPECT_OK(set(8, MPI_INT, MPI_INT));
  } else {
    EXPECT_CLASS_IN(kBadType, code);
  }
}

TEST_F(BadView, UnknownDataRepresentation) {
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_DATAREP, set(0, MPI_INT, MPI_INT, "morse"));
  EXPECT_CLASS(MPI_ERR_UNSUPPORTED_DATAREP, set(0, MPI_INT, MPI_INT, ""));
}

TEST_F(BadView, OnOneRankOnly) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  for (const int culprit : {0, size() - 1}) {
    const bool bad = rank() == culprit;
    int code = set(bad ? -8 : 16, MPI_INT, MPI_INT);
    EXPECT_NE(code, MPI_SUCCESS);
    EXPECT_SAME_EVERYWHERE(error_class(code));
    code = set(0, MPI_INT, bad ? MPI_DATATYPE_NULL : MPI_INT);
    EXPECT_NE(code, MPI_SUCCESS);
    EXPECT_SAME_EVERYWHERE(error_class(code));
  }
}

TEST_F(BadView, EtypeExtentsThatDiffer) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  const MPI_Datatype type = rank() == 0 ? MPI_INT : MPI_DOUBLE;
  const int code = set(0, type, type);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NOT_SAME, MPI_ERR_ARG}), code);
  EXPECT_SAME_EVERYWHERE(error_class(code));
}

TEST_F(BadView, DataRepresentationsThatDiffer) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  const int code = set(0, MPI_INT, MPI_INT, rank() == 0 ? "native" : "external32");
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NOT_SAME, MPI_ERR_ARG}), code);
  EXPECT_SAME_EVERYWHERE(error_class(code));
}

TEST(Views, OverlapIsFineForReading) {
  Scratch scratch;
  const Bytes content = pattern(64, 2);
  make_file(scratch.path(), content);
  const File file(scratch.path(), MPI_MODE_RDONLY);
  EXPECT_OK(MPI_File_set_view(file, 0, MPI_BYTE, hindexed({4, 4}, {0, 2}, MPI_BYTE), "native", MPI_INFO_NULL));
  Bytes found(8);
  EXPECT_OK(MPI_File_read_at(file, 0, found.data(), 8, MPI_BYTE, MPI_STATUS_IGNORE));
  const Bytes expected = {content[0], content[1], content[2], content[3],
                          content[2], content[3], content[4], content[5]};
  EXPECT_EQ(found, expected);
}

// Only a second tile would overlap: PnetCDF and HDF5 set such views and stay inside the first.
TEST(Views, TilesMayOverlapWhenOnlyOneIsUsed) {
  Scratch scratch;
  {
    const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
    const Type short_extent = Type::resized(Type::contiguous(4, MPI_INT), 0, 8);
    EXPECT_OK(MPI_File_set_view(file, 16 * rank(), MPI_INT, short_extent, "native", MPI_INFO_NULL));
    const int values[4] = {rank(), 1, 2, 3};
    EXPECT_OK(MPI_File_write_at_all(file, 0, values, 4, MPI_INT, MPI_STATUS_IGNORE));
    int found[4] = {};
    EXPECT_OK(MPI_File_read_at_all(file, 0, found, 4, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT_EQ(std::vector<int>(found, found + 4), std::vector<int>(values, values + 4));
  }
  EXPECT_EQ(file_bytes(scratch.path()).size(), 16U * static_cast<std::size_t>(size()));
}

TEST(Views, OfANullFile) {
  MPI_Offset displacement = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::string datarep(MPI_MAX_DATAREP_STRING + 1, '\0');
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_set_view(MPI_FILE_NULL, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_view(MPI_FILE_NULL, &displacement, &type, &type, datarep.data()));
}

TEST(Views, DisplacementOfASequentialFile) {
  Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
  EXPECT_OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  EXPECT_NE(MPI_File_set_view(file, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_SUCCESS);
}

}  // namespace
