// Small independent calls for contiguous memory and a contiguous view allocate nothing. The program's malloc stands in
// front of the C library's, for all libraries of the process, and counts.
#include <cstddef>
#include <cstdlib>
#include <functional>

#include "mpi_test.h"

namespace {

// Of the thread that counts; initialized at compile time, so that malloc may be called before anything else runs.
constinit thread_local bool counting = false;
constinit thread_local int allocations = 0;

void note_allocation() {
  if (counting) ++allocations;
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t bytes);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t bytes);        // NOLINT
void* __libc_realloc(void* memory, std::size_t bytes);            // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t bytes);  // NOLINT

void* malloc(std::size_t bytes) {
  note_allocation();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  note_allocation();
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  note_allocation();
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  note_allocation();
  return __libc_memalign(alignment, bytes);
}
}

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kBytes = 4096;
constexpr int kCalls = 100;

// Allocations of this thread during kCalls calls, after one that may fill caches.
int allocations_of(const std::function<int()>& call) {
  EXPECT_OK(call());
  allocations = 0;
  counting = true;
  bool went_well = true;
  for (int i = 0; i < kCalls; ++i) went_well = call() == MPI_SUCCESS && went_well;
  counting = false;
  EXPECT_TRUE(went_well);
  return allocations;
}

class Allocation : public testing::Test {
 protected:
  void SetUp() override {
    if (!under_weir()) GTEST_SKIP() << "about weir";
  }

  // All calls there are, for `count` instances of the type.
  void expect_none(MPI_File file, MPI_Datatype type, int count) {
    MPI_Status status;
    const MPI_Offset offset = rank();
    EXPECT_EQ(allocations_of([&] { return MPI_File_write_at(file, offset, data_, count, type, &status); }), 0);
    EXPECT_EQ(allocations_of([&] { return MPI_File_read_at(file, offset, data_, count, type, &status); }), 0);
    EXPECT_EQ(allocations_of([&] { return MPI_File_write(file, data_, count, type, MPI_STATUS_IGNORE); }), 0);
    EXPECT_OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    EXPECT_EQ(allocations_of([&] { return MPI_File_read(file, data_, count, type, MPI_STATUS_IGNORE); }), 0);
  }

  char data_[kBytes] = {};
};

TEST_F(Allocation, TheCounterSeesTheLibrary) {
  const Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  const auto ask_for_info = [&] {
    MPI_Info info;
    const int code = MPI_File_get_info(file, &info);
    return code == MPI_SUCCESS ? MPI_Info_free(&info) : code;
  };
  EXPECT_GT(allocations_of(ask_for_info), kCalls);
}

TEST_F(Allocation, NoneWithTheWholeFileAsView) {
  const Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  expect_none(file, MPI_BYTE, kBytes);
  expect_none(file, MPI_DOUBLE, kBytes / 8);
}

TEST_F(Allocation, NoneWithADisplacedViewOfLargerEtypes) {
  const Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  EXPECT_OK(MPI_File_set_view(file, 100, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL));
  expect_none(file, MPI_DOUBLE, 8);
}

TEST_F(Allocation, NoneForDerivedTypesWithoutGaps) {
  MPI_Datatype block;
  MPI_Type_contiguous(16, MPI_INT, &block);
  const Type committed(block);
  const Scratch scratch;
  const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_RDWR);
  expect_none(file, block, kBytes / 64);
}

}  // namespace
