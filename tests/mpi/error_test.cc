// Calls that must fail, for every access function: bad handles, counts, types, offsets, modes, and split calls in
// the wrong order. The file stays as it was.
#include "access_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

class BadCall : public testing::TestWithParam<AccessOp> {
 protected:
  BadCall() { make_file(scratch_.path(), content_); }
  ~BadCall() override { EXPECT_EQ(file_bytes(scratch_.path()), content_) << "a refused call changed the file"; }
  BadCall(const BadCall&) = delete;
  BadCall& operator=(const BadCall&) = delete;

  static const AccessOp& op() { return GetParam(); }
  const char* path() const { return scratch_.path(); }
  int run(MPI_File file, MPI_Offset offset, MPI_Count count, MPI_Datatype type) {
    return op().run(file, offset, data_.data(), count, type, MPI_STATUS_IGNORE);
  }

 private:
  Scratch scratch_;
  Bytes content_ = pattern(100, 3);
  std::vector<int> data_ = std::vector<int>(64, 1);
};

TEST_P(BadCall, NullFile) { EXPECT_CLASS(MPI_ERR_FILE, run(MPI_FILE_NULL, 0, 1, MPI_INT)); }

TEST_P(BadCall, ClosedFile) {
  if (!under_weir()) GTEST_SKIP() << "the hosts trust stale handles";
  File file(path(), MPI_MODE_RDWR);
  MPI_File stale = file;
  file.close();
  EXPECT_CLASS(MPI_ERR_FILE, run(stale, 0, 1, MPI_INT));
}

TEST_P(BadCall, NegativeCount) {
  const File file(path(), MPI_MODE_RDWR);
  EXPECT_CLASS(MPI_ERR_COUNT, run(file, 0, -1, MPI_INT));
  EXPECT_EQ(position(file), 0);
  EXPECT_EQ(shared_position(file), 0);
}

TEST_P(BadCall, NullType) {
  const File file(path(), MPI_MODE_RDWR);
  EXPECT_CLASS(MPI_ERR_TYPE, run(file, 0, 1, MPI_DATATYPE_NULL));
}

TEST_P(BadCall, UncommittedType) {
  const File file(path(), MPI_MODE_RDWR);
  MPI_Datatype raw = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &raw);
  EXPECT_CLASS(MPI_ERR_TYPE, run(file, 0, 1, raw));
  MPI_Type_free(&raw);
}

TEST_P(BadCall, NegativeOffset) {
  if (op().pointer != Pointer::kExplicit) GTEST_SKIP() << "takes no offset";
  const File file(path(), MPI_MODE_RDWR);
  EXPECT_CLASS(MPI_ERR_ARG, run(file, -1, 1, MPI_INT));
}

TEST_P(BadCall, AgainstTheMode) {
  const File file(path(), op().writes() ? MPI_MODE_RDONLY : MPI_MODE_WRONLY);
  EXPECT_CLASS(op().writes() ? MPI_ERR_READ_ONLY : MPI_ERR_ACCESS, run(file, 0, 1, MPI_INT));
}

TEST_P(BadCall, HalfAnEtype) {
  const File file(path(), MPI_MODE_RDWR);
  set_plain_view(file, MPI_DOUBLE);
  const int code = run(file, 0, 1, MPI_INT);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_IO, MPI_ERR_ARG, MPI_ERR_TYPE, MPI_ERR_COUNT}), code);
}

TEST_P(BadCall, OnOneRankOfACollectiveCall) {
  if (!op().collective || size() == 1) GTEST_SKIP() << "a collective call of two ranks";
  if (!under_weir()) GTEST_SKIP() << "the hosts hang or go on alone";
  const File file(path(), MPI_MODE_RDWR);
  for (const int culprit : {0, size() - 1}) {
    const int code = run(file, 0, rank() == culprit ? -1 : 0, MPI_INT);
    EXPECT_CLASS(MPI_ERR_COUNT, code);
    const int second = run(file, 0, 0, rank() == culprit ? MPI_DATATYPE_NULL : MPI_INT);
    EXPECT_CLASS(MPI_ERR_TYPE, second);
  }
  EXPECT_OK(run(file, 0, 0, MPI_INT)) << "the file is usable afterwards";
}

TEST_P(BadCall, SharedPointerOfASequentialFileOnly) {
  const int amode = (op().writes() ? MPI_MODE_WRONLY : MPI_MODE_RDONLY) | MPI_MODE_SEQUENTIAL;
  const File file(path(), amode);
  if (op().shared()) {
    EXPECT_OK(run(file, 0, 0, MPI_INT));
  } else {
    EXPECT_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, run(file, 0, 1, MPI_INT));
  }
}

INSTANTIATE_TEST_SUITE_P(Errors, BadCall, testing::ValuesIn(all_ops()), op_name<testing::TestParamInfo<AccessOp>>);

class SplitOrder : public testing::Test {
 protected:
  SplitOrder() {
    make_file(scratch_.path(), pattern(400, 3));
    EXPECT_OK(MPI_File_open(MPI_COMM_WORLD, scratch_.path(), MPI_MODE_RDWR, MPI_INFO_NULL, &file_));
  }
  ~SplitOrder() override { EXPECT_OK(MPI_File_close(&file_)); }
  SplitOrder(const SplitOrder&) = delete;
  SplitOrder& operator=(const SplitOrder&) = delete;

  MPI_File file() const { return file_; }
  Scratch scratch_;
  MPI_File file_ = MPI_FILE_NULL;
  int value_ = 0;
  MPI_Status status_{};
};

TEST_F(SplitOrder, EndWithoutBegin) {
  EXPECT_NE(MPI_File_read_all_end(file(), &value_, &status_), MPI_SUCCESS);
  EXPECT_NE(MPI_File_write_all_end(file(), &value_, &status_), MPI_SUCCESS);
  EXPECT_NE(MPI_File_read_at_all_end(file(), &value_, &status_), MPI_SUCCESS);
  EXPECT_NE(MPI_File_write_at_all_end(file(), &value_, &status_), MPI_SUCCESS);
  EXPECT_NE(MPI_File_read_ordered_end(file(), &value_, &status_), MPI_SUCCESS);
  EXPECT_NE(MPI_File_write_ordered_end(file(), &value_, &status_), MPI_SUCCESS);
}

TEST_F(SplitOrder, TwoBegins) {
  int other = 0;
  EXPECT_OK(MPI_File_read_at_all_begin(file(), 4 * rank(), &value_, 1, MPI_INT));
  EXPECT_NE(MPI_File_read_all_begin(file(), &other, 1, MPI_INT), MPI_SUCCESS);
  EXPECT_NE(MPI_File_write_at_all_begin(file(), 0, &other, 1, MPI_INT), MPI_SUCCESS);
  EXPECT_NE(MPI_File_read_ordered_begin(file(), &other, 1, MPI_INT), MPI_SUCCESS);
  EXPECT_OK(MPI_File_read_at_all_end(file(), &value_, &status_));
  EXPECT_EQ(count_in(status_, MPI_INT), 1);
}

TEST_F(SplitOrder, EndOfAnotherKind) {
  if (!under_weir()) GTEST_SKIP() << "the hosts do not look";
  EXPECT_OK(MPI_File_read_at_all_begin(file(), 4 * rank(), &value_, 1, MPI_INT));
  EXPECT_NE(MPI_File_write_all_end(file(), &value_, &status_), MPI_SUCCESS);
  EXPECT_NE(MPI_File_read_ordered_end(file(), &value_, &status_), MPI_SUCCESS);
  EXPECT_OK(MPI_File_read_at_all_end(file(), &value_, &status_));
}

TEST_F(SplitOrder, CollectiveCallsBetweenBeginAndEnd) {
  if (!under_weir()) GTEST_SKIP() << "the hosts do not look";
  EXPECT_OK(MPI_File_read_all_begin(file(), &value_, 1, MPI_INT));
  int other = 0;
  EXPECT_NE(MPI_File_read_at_all(file(), 0, &other, 1, MPI_INT, &status_), MPI_SUCCESS)
      << "no collective access while a split one is active";
  EXPECT_OK(MPI_File_read_all_end(file(), &value_, &status_));
}

TEST_F(SplitOrder, IndependentCallsBetweenBeginAndEndAreFine) {
  EXPECT_OK(MPI_File_read_all_begin(file(), &value_, 1, MPI_INT));
  int other = 0;
  EXPECT_OK(MPI_File_read_at(file(), 4, &other, 1, MPI_INT, &status_));
  EXPECT_EQ(count_in(status_, MPI_INT), 1);
  EXPECT_OK(MPI_File_read_all_end(file(), &value_, &status_));
  EXPECT_EQ(count_in(status_, MPI_INT), 1);
}

TEST_F(SplitOrder, SplitCallsOnTwoFilesAtOnce) {
  Scratch scratch("second");
  make_file(scratch.path(), pattern(400, 4));
  const File second(scratch.path(), MPI_MODE_RDWR);
  int other = 0;
  EXPECT_OK(MPI_File_read_all_begin(file(), &value_, 1, MPI_INT));
  EXPECT_OK(MPI_File_read_all_begin(second, &other, 1, MPI_INT));
  EXPECT_OK(MPI_File_read_all_end(second, &other, &status_));
  EXPECT_OK(MPI_File_read_all_end(file(), &value_, &status_));
  EXPECT_NE(other, value_);
}

TEST(OtherErrors, NullFile) {
  int flag = 0;
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_sync(MPI_FILE_NULL));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_set_atomicity(MPI_FILE_NULL, 1));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_atomicity(MPI_FILE_NULL, &flag));
}

TEST(OtherErrors, AtomicityThatDiffers) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  const int code = MPI_File_set_atomicity(file, rank() == 0 ? 1 : 0);
  EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_NOT_SAME, MPI_ERR_ARG}), code);
  EXPECT_SAME_EVERYWHERE(error_class(code));
}

// Hosts have room for so many codes only.
TEST(ErrorTexts, TheLatestAreTheirOwnHoweverManyThereWere) {
  if (!under_weir()) GTEST_SKIP() << "the hosts tell no paths";
  constexpr int kErrors = 1500;
  constexpr int kLatest = 50;
  Scratch scratch;
  const auto missing = [&](int number) { return std::string(scratch.path()) + "." + std::to_string(number) + "."; };
  std::vector<int> codes;
  for (int i = 0; i < kErrors; ++i) {
    codes.push_back(MPI_File_delete(missing(i).c_str(), MPI_INFO_NULL));
    EXPECT_CLASS(MPI_ERR_NO_SUCH_FILE, codes.back());
    ASSERT_NE(error_text(codes.back()).find(missing(i)), std::string::npos) << error_text(codes.back());
  }
  for (int i = kErrors - kLatest; i < kErrors; ++i) {
    const int code = codes[static_cast<std::size_t>(i)];
    EXPECT_NE(error_text(code).find(missing(i)), std::string::npos) << error_text(code);
  }
}

TEST(ErrorTexts, OneThatComesAgainIsAmongTheLatest) {
  if (!under_weir()) GTEST_SKIP() << "the hosts tell no paths";
  Scratch scratch;
  const std::string often = std::string(scratch.path()) + ".often";
  int code = MPI_SUCCESS;
  for (int i = 0; i < 400; ++i) {
    if (i % 40 == 0) code = MPI_File_delete(often.c_str(), MPI_INFO_NULL);
    EXPECT_NE(MPI_File_delete((often + std::to_string(i)).c_str(), MPI_INFO_NULL), MPI_SUCCESS);
    ASSERT_NE(error_text(code).find(often + "'"), std::string::npos) << error_text(code);
  }
}

}  // namespace
