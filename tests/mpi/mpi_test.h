// GoogleTest across ranks. Every rank runs every test; a failure on any rank is printed with its rank number and
// fails the program on all. Ranks meet after each test: when one does not come, because it left a collective call's
// sequence early or hangs in it, the job is aborted with the test's name instead of waiting for the time limit.
//
// Use EXPECT_* wherever ranks communicate afterwards; ASSERT_* leaves the test on one rank only.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mpi_test {

using Bytes = std::vector<std::uint8_t>;

int rank();
int size();

// The thread level that the program was started with (--thread=single|funneled|serialized|multiple).
int thread_level();

// Whether a libweir.so is in this process: tests of what the hosts get badly wrong (crash, hang) ask first.
bool under_weir();

// COLLECTIVE. Waits for all ranks of MPI_COMM_WORLD, and aborts the job when one does not come.
void meet(std::string_view where);

// COLLECTIVE. Whether `value` is the same on all ranks of MPI_COMM_WORLD.
bool same_everywhere(int value);

int error_class(int code);
std::string error_text(int code);

// For EXPECT_OK, EXPECT_CLASS and EXPECT_CLASS_IN below.
testing::AssertionResult is_success(const char* call_text, int code);
testing::AssertionResult is_class(const char* class_text, const char* call_text, int expected_class, int code);
testing::AssertionResult is_class_in(const char* classes_text, const char* call_text,
                                     const std::vector<int>& expected_classes, int code);

// COLLECTIVE. A path for a file of the running test, the same on all ranks, where no file is yet. The file is
// removed at the end.
class Scratch {
 public:
  explicit Scratch(std::string_view name = "file");
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

// An open file, closed at the end of the scope. COLLECTIVE over its communicator.
class File {
 public:
  File(const char* path, int amode, MPI_Comm comm = MPI_COMM_WORLD, MPI_Info info = MPI_INFO_NULL);
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  operator MPI_File() const { return handle_; }  // NOLINT(google-explicit-constructor)
  MPI_File* address() { return &handle_; }
  void close();

 private:
  MPI_File handle_ = MPI_FILE_NULL;
};

// A datatype, committed, freed at the end of the scope. LOCAL.
class Type {
 public:
  explicit Type(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  ~Type();
  Type(Type&& other) noexcept : type_(other.type_) { other.type_ = MPI_DATATYPE_NULL; }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;

  operator MPI_Datatype() const { return type_; }  // NOLINT(google-explicit-constructor)
  static Type contiguous(int count, MPI_Datatype element);
  static Type vector(int count, int block_length, int stride, MPI_Datatype element);
  static Type resized(MPI_Datatype element, MPI_Aint lower_bound, MPI_Aint extent);

 private:
  MPI_Datatype type_;
};

// COLLECTIVE. Rank 0 makes the file with these bytes; all ranks see it on return.
void make_file(const char* path, const Bytes& bytes);
// COLLECTIVE. Waits for all ranks, then each reads the whole file by POSIX means.
Bytes file_bytes(const char* path);
// LOCAL.
bool exists(const char* path);
std::int64_t file_size(const char* path);  // -1: there is none

// Bytes that differ from their neighbours and from one seed to the next.
Bytes pattern(std::size_t bytes, unsigned seed);

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  return Bytes(first, first + values.size() * sizeof(T));
}

// Bytes moved, as the status tells it.
std::int64_t moved_bytes(const MPI_Status& status);
int count_in(const MPI_Status& status, MPI_Datatype type);
int elements_in(const MPI_Status& status, MPI_Datatype type);

MPI_Offset position(MPI_File file);
MPI_Offset shared_position(MPI_File file);

// A directory of the launcher's making, or an empty string where it could not make one.
std::string environment(const char* name);

// COLLECTIVE. TEST_SEED, or a seed of the hour, on all ranks; rank 0 prints it.
unsigned fresh_seed();

}  // namespace mpi_test

#define EXPECT_OK(call) EXPECT_PRED_FORMAT1(mpi_test::is_success, call)
#define EXPECT_CLASS(expected_class, call) EXPECT_PRED_FORMAT2(mpi_test::is_class, expected_class, call)
// The first argument is a list: EXPECT_CLASS_IN((std::vector<int>{MPI_ERR_ARG, MPI_ERR_COUNT}), call).
#define EXPECT_CLASS_IN(expected_classes, call) EXPECT_PRED_FORMAT2(mpi_test::is_class_in, expected_classes, call)
// COLLECTIVE over MPI_COMM_WORLD.
#define EXPECT_SAME_EVERYWHERE(value) EXPECT_TRUE(mpi_test::same_everywhere(value)) << "here: " << (value)
