// Error handlers of files: which one is called, with what, and what becomes of it.
#include <string>

#include "access_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;

// What the handlers below were last called with.
struct Call {
  int calls = 0;
  MPI_File file = MPI_FILE_NULL;
  int code = MPI_SUCCESS;
};
Call last_call;
Call other_call;

void note(MPI_File* file, int* code, ...) {
  last_call.calls += 1;
  last_call.file = *file;
  last_call.code = *code;
}

void note_other(MPI_File* file, int* code, ...) {
  other_call.calls += 1;
  other_call.file = *file;
  other_call.code = *code;
}

class Handler {
 public:
  explicit Handler(MPI_File_errhandler_function* function) {
    EXPECT_OK(MPI_File_create_errhandler(function, &handler_));
  }
  ~Handler() {
    if (handler_ != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&handler_);
  }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  operator MPI_Errhandler() const { return handler_; }  // NOLINT(google-explicit-constructor)
  void free() { EXPECT_OK(MPI_Errhandler_free(&handler_)); }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

class Errhandler : public testing::Test {
 protected:
  Errhandler() { last_call = other_call = Call(); }
  ~Errhandler() override { MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN); }
  Errhandler(const Errhandler&) = delete;
  Errhandler& operator=(const Errhandler&) = delete;

  // An error on an open file: a negative count.
  static int provoke(MPI_File file) {
    const char letter = 'x';
    return MPI_File_write_at(file, 0, &letter, -1, MPI_CHAR, MPI_STATUS_IGNORE);
  }
  static MPI_Errhandler handler_of(MPI_File file) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    EXPECT_OK(MPI_File_get_errhandler(file, &handler));
    return handler;
  }
};

TEST_F(Errhandler, DefaultIsToReturn) {
  EXPECT_EQ(handler_of(MPI_FILE_NULL), MPI_ERRORS_RETURN);
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  EXPECT_EQ(handler_of(file), MPI_ERRORS_RETURN);
}

TEST_F(Errhandler, IsCalledWithFileAndCode) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  const Handler handler(note);
  EXPECT_OK(MPI_File_set_errhandler(file, handler));
  const int code = provoke(file);
  EXPECT_CLASS(MPI_ERR_COUNT, code);
  EXPECT_EQ(last_call.calls, 1);
  EXPECT_EQ(last_call.file, static_cast<MPI_File>(file));
  EXPECT_EQ(last_call.code, code);
}

TEST_F(Errhandler, IsNotCalledOnSuccess) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  const Handler handler(note);
  EXPECT_OK(MPI_File_set_errhandler(file, handler));
  const int mine = rank();
  EXPECT_OK(MPI_File_write_at_all(file, 4 * mine, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
  EXPECT_EQ(last_call.calls, 0);
}

TEST_F(Errhandler, LivesOnAfterItWasFreed) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  Handler handler(note);
  EXPECT_OK(MPI_File_set_errhandler(file, handler));
  handler.free();
  const Handler newer(note_other);  // may get the freed handle
  provoke(file);
  EXPECT_EQ(last_call.calls, 1);
  EXPECT_EQ(other_call.calls, 0);
}

TEST_F(Errhandler, CanBeReplaced) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  const Handler first(note);
  const Handler second(note_other);
  EXPECT_OK(MPI_File_set_errhandler(file, first));
  EXPECT_OK(MPI_File_set_errhandler(file, second));
  EXPECT_EQ(handler_of(file), static_cast<MPI_Errhandler>(second));
  provoke(file);
  EXPECT_EQ(last_call.calls, 0);
  EXPECT_EQ(other_call.calls, 1);
  EXPECT_OK(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
  provoke(file);
  EXPECT_EQ(other_call.calls, 1);
}

TEST_F(Errhandler, TwoFilesTwoHandlers) {
  Scratch one("one");
  Scratch two("two");
  const File first(one.path(), kUpdate);
  const File second(two.path(), kUpdate);
  const Handler first_handler(note);
  const Handler second_handler(note_other);
  EXPECT_OK(MPI_File_set_errhandler(first, first_handler));
  EXPECT_OK(MPI_File_set_errhandler(second, second_handler));
  provoke(second);
  EXPECT_EQ(last_call.calls, 0);
  EXPECT_EQ(other_call.calls, 1);
  EXPECT_EQ(other_call.file, static_cast<MPI_File>(second));
}

TEST_F(Errhandler, OfTheNullFileServesFailingOpensAndDeletes) {
  Scratch scratch;
  const Handler handler(note);
  EXPECT_OK(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
  MPI_File file = MPI_FILE_NULL;
  EXPECT_CLASS(MPI_ERR_NO_SUCH_FILE,
               MPI_File_open(MPI_COMM_WORLD, scratch.path(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  EXPECT_EQ(last_call.calls, 1);
  EXPECT_EQ(last_call.file, MPI_FILE_NULL);
  EXPECT_EQ(error_class(last_call.code), MPI_ERR_NO_SUCH_FILE);
  EXPECT_CLASS(MPI_ERR_NO_SUCH_FILE, MPI_File_delete(scratch.path(), MPI_INFO_NULL));
  EXPECT_EQ(last_call.calls, 2);
}

TEST_F(Errhandler, NewFilesInheritFromTheNullFile) {
  Scratch scratch;
  const Handler handler(note);
  EXPECT_OK(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
  const File file(scratch.path(), kUpdate);
  EXPECT_OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
  provoke(file);
  EXPECT_EQ(last_call.calls, 1) << "a file keeps what it got when it was opened";
}

TEST_F(Errhandler, CanBeCalled) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  const Handler handler(note);
  EXPECT_OK(MPI_File_set_errhandler(file, handler));
  EXPECT_OK(MPI_File_call_errhandler(file, MPI_ERR_NO_SPACE));
  EXPECT_EQ(last_call.calls, 1);
  EXPECT_EQ(last_call.code, MPI_ERR_NO_SPACE);
  EXPECT_EQ(last_call.file, static_cast<MPI_File>(file));
}

TEST_F(Errhandler, ManyCanBeMadeAndFreed) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  for (int i = 0; i < 2000; ++i) {
    const Handler handler(i % 2 == 0 ? note : note_other);
    EXPECT_OK(MPI_File_set_errhandler(file, handler));
  }
  provoke(file);
  EXPECT_EQ(other_call.calls, 1);
}

TEST_F(Errhandler, OfAnotherKindIsRefused) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  EXPECT_NE(MPI_File_set_errhandler(file, MPI_ERRHANDLER_NULL), MPI_SUCCESS);
  EXPECT_EQ(handler_of(file), MPI_ERRORS_RETURN);
}

TEST_F(Errhandler, CollectiveErrorsReachTheHandlerOnEveryRank) {
  if (size() == 1) GTEST_SKIP() << "needs two ranks";
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  const Handler handler(note);
  EXPECT_OK(MPI_File_set_errhandler(file, handler));
  const int code = MPI_File_set_view(file, rank() == 0 ? -4 : 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  EXPECT_NE(code, MPI_SUCCESS);
  EXPECT_EQ(last_call.calls, 1);
}

TEST(ErrorString, TellsPathAndErrno) {
  if (!under_weir()) GTEST_SKIP() << "weir's promise";
  Scratch scratch("a_missing_file");
  MPI_File file = MPI_FILE_NULL;
  const int code = MPI_File_open(MPI_COMM_WORLD, scratch.path(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  EXPECT_CLASS(MPI_ERR_NO_SUCH_FILE, code);
  EXPECT_NE(error_text(code).find("a_missing_file"), std::string::npos) << error_text(code);
  EXPECT_NE(error_text(code).find("ENOENT"), std::string::npos) << error_text(code);
}

TEST(ErrorString, ManyErrorsKeepTheirTexts) {
  if (!under_weir()) GTEST_SKIP() << "weir's promise";
  Scratch scratch;
  std::vector<int> codes;
  for (int i = 0; i < 20; ++i) {
    const std::string path = std::string(scratch.path()) + ".missing." + std::to_string(i);
    codes.push_back(MPI_File_delete(path.c_str(), MPI_INFO_NULL));
  }
  for (int i = 0; i < 20; ++i) {
    const std::string text = error_text(codes[static_cast<std::size_t>(i)]);
    EXPECT_NE(text.find(".missing." + std::to_string(i)), std::string::npos) << text;
  }
  for (int i = 0; i < 5000; ++i) {  // codes must not run out
    EXPECT_CLASS(MPI_ERR_NO_SUCH_FILE,
                 MPI_File_delete((std::string(scratch.path()) + std::to_string(i)).c_str(), MPI_INFO_NULL));
  }
}

}  // namespace
