// Every function that reads: what it reads from where, the status it gives, also at the end of the file.
#include <algorithm>

#include "access_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kElements = 5;
constexpr int kCalls = 3;

class Read : public testing::TestWithParam<AccessOp> {
 protected:
  static const AccessOp& op() { return GetParam(); }
};

TEST_P(Read, FindsRecordsAndCountsThem) {
  Scratch scratch;
  make_file(scratch.path(), bytes_of(all_records(kCalls, kElements)));
  const File file(scratch.path(), MPI_MODE_RDONLY);
  set_plain_view(file, MPI_INT);
  int sum = 0;
  for (int call = 0; call < kCalls; ++call) {
    std::vector<int> found(kElements, -1);
    MPI_Status status;
    aim(op(), file, call, kElements);
    EXPECT_OK(op().run(file, record_offset(rank(), call, kElements), found.data(), kElements, MPI_INT, &status));
    EXPECT_EQ(count_in(status, MPI_INT), kElements);
    EXPECT_EQ(moved_bytes(status), kElements * 4);
    if (op().pointer != Pointer::kShared) {
      EXPECT_EQ(found, record(rank(), call, kElements));
    }
    sum += found[0] / 10000 + found[kElements - 1] % 10000;
  }
  int expected_sum = 0;
  for (int r = 0; r < size(); ++r) {
    for (int call = 0; call < kCalls; ++call) expected_sum += element(r, call, 0) / 10000 + kElements - 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(sum, expected_sum) << "every record must be read exactly once";
}

TEST_P(Read, MovesItsOwnPointerOnly) {
  Scratch scratch;
  make_file(scratch.path(), pattern(4000, 1));
  const File file(scratch.path(), MPI_MODE_RDONLY);
  set_plain_view(file, MPI_INT);
  EXPECT_OK(MPI_File_seek(file, 2, MPI_SEEK_SET));
  EXPECT_OK(MPI_File_seek_shared(file, 3, MPI_SEEK_SET));
  std::vector<int> data(kElements);
  EXPECT_OK(op().run(file, 40, data.data(), kElements, MPI_INT, MPI_STATUS_IGNORE));
  meet("read");
  EXPECT_EQ(position(file), op().pointer == Pointer::kIndividual ? 2 + kElements : 2);
  EXPECT_EQ(shared_position(file), op().shared() ? 3 + kElements * size() : 3);
}

TEST_P(Read, NothingToNowhere) {
  Scratch scratch;
  make_file(scratch.path(), pattern(64, 1));
  const File file(scratch.path(), MPI_MODE_RDONLY);
  MPI_Status status;
  EXPECT_OK(op().run(file, 10, nullptr, 0, MPI_INT, &status));
  EXPECT_EQ(count_in(status, MPI_INT), 0);
  EXPECT_EQ(position(file), 0);
  EXPECT_EQ(shared_position(file), 0);
}

TEST_P(Read, ScattersIntoMemoryWithGaps) {
  Scratch scratch;
  make_file(scratch.path(), bytes_of(all_records(1, 6)));
  const Type gappy = Type::resized(Type::vector(3, 1, 2, MPI_INT), 0, 6 * sizeof(int));  // three of six
  const File file(scratch.path(), MPI_MODE_RDONLY);
  set_plain_view(file, MPI_INT);
  std::vector<int> memory(12, -1);
  MPI_Status status;
  aim(op(), file, 0, 6);
  EXPECT_OK(op().run(file, record_offset(rank(), 0, 6), memory.data(), 2, gappy, &status));
  EXPECT_EQ(count_in(status, gappy), 2);
  EXPECT_EQ(elements_in(status, gappy), 6);
  const int from = memory[0] / 1000000;
  std::vector<int> expected(12, -1);
  for (int i = 0; i < 6; ++i) expected[static_cast<std::size_t>(2 * i)] = element(from, 0, i);
  EXPECT_EQ(memory, expected);
  if (op().pointer != Pointer::kShared) {
    EXPECT_EQ(from, rank());
  }
}

// Four elements per rank wanted, ten in the file: exact counts on each rank.
TEST_P(Read, CountsExactlyAtTheEndOfTheFile) {
  Scratch scratch;
  make_file(scratch.path(), bytes_of(record(9, 0, 10)));
  const Type pair = Type::contiguous(4, MPI_INT);
  const File file(scratch.path(), MPI_MODE_RDONLY);
  set_plain_view(file, MPI_INT);
  std::vector<int> found(4, -1);
  MPI_Status status;
  aim(op(), file, 0, 4);
  EXPECT_OK(op().run(file, record_offset(rank(), 0, 4), found.data(), 1, pair, &status));
  const auto elements = static_cast<int>(moved_bytes(status) / 4);
  int total = elements;
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(total, std::min(10, 4 * size()));
  if (op().pointer != Pointer::kShared) {
    EXPECT_EQ(elements, std::clamp(10 - 4 * rank(), 0, 4));
  }
  EXPECT_EQ(elements_in(status, pair), elements);
  EXPECT_EQ(count_in(status, pair), elements == 4 ? 1 : elements == 0 ? 0 : MPI_UNDEFINED);
  for (int i = elements; i < 4; ++i) {
    EXPECT_EQ(found[static_cast<std::size_t>(i)], -1) << "memory past what was read changed, element " << i;
  }
  if (op().pointer == Pointer::kIndividual) {
    EXPECT_TRUE(between(4 * rank() + elements, position(file), 4 * rank() + 4));
  }
}

TEST_P(Read, BeyondTheEndIsEmpty) {
  Scratch scratch;
  make_file(scratch.path(), pattern(40, 1));
  const File file(scratch.path(), MPI_MODE_RDONLY);
  set_plain_view(file, MPI_INT);
  EXPECT_OK(MPI_File_seek(file, 1000, MPI_SEEK_SET));
  EXPECT_OK(MPI_File_seek_shared(file, 1000, MPI_SEEK_SET));
  std::vector<int> found(kElements, -1);
  MPI_Status status;
  EXPECT_OK(op().run(file, 1000, found.data(), kElements, MPI_INT, &status));
  EXPECT_EQ(count_in(status, MPI_INT), 0);
  EXPECT_EQ(found, std::vector<int>(kElements, -1));
}

// Blocks of three bytes in every five; files of every size from none to two tiles: rank 0 reads eight bytes.
TEST_P(Read, CountsExactlyAtTheEndInAViewWithHoles) {
  const Type holes = Type::resized(Type::contiguous(3, MPI_BYTE), 0, 5);
  for (const int bytes_in_file : {0, 1, 3, 4, 5, 7, 8, 11, 12, 13}) {
    Scratch scratch;
    const Bytes content = pattern(static_cast<std::size_t>(bytes_in_file), 5);
    make_file(scratch.path(), content);
    Bytes expected;
    for (int i = 0; i < bytes_in_file && expected.size() < 8; ++i) {
      if (i % 5 < 3) expected.push_back(content[static_cast<std::size_t>(i)]);
    }
    const File file(scratch.path(), MPI_MODE_RDONLY);
    EXPECT_OK(MPI_File_set_view(file, 0, MPI_BYTE, holes, "native", MPI_INFO_NULL));
    Bytes found(8, 0xEE);
    MPI_Status status;
    const int wanted = rank() == 0 ? 8 : 0;
    if (rank() == 0 || op().collective) {
      EXPECT_OK(op().run(file, 0, found.data(), wanted, MPI_BYTE, &status));
      EXPECT_EQ(moved_bytes(status), wanted == 0 ? 0 : static_cast<std::int64_t>(expected.size()))
          << bytes_in_file << " bytes in the file";
    }
    if (rank() != 0) expected.clear();
    expected.resize(8, 0xEE);
    EXPECT_EQ(found, expected) << bytes_in_file << " bytes in the file";
  }
}

TEST_P(Read, HolesInTheFileAreZeros) {
  Scratch scratch;
  make_file(scratch.path(), {1, 2, 3});
  const File file(scratch.path(), MPI_MODE_RDWR);
  EXPECT_OK(MPI_File_set_size(file, 1 << 20));
  EXPECT_OK(MPI_File_seek(file, 5000, MPI_SEEK_SET));
  EXPECT_OK(MPI_File_seek_shared(file, 5000, MPI_SEEK_SET));
  Bytes found(9000, 0xEE);
  MPI_Status status;
  EXPECT_OK(op().run(file, 5000, found.data(), 9000, MPI_BYTE, &status));
  EXPECT_EQ(moved_bytes(status), 9000);
  EXPECT_EQ(found, Bytes(9000, 0));
}

INSTANTIATE_TEST_SUITE_P(Access, Read, testing::ValuesIn(ops_where([](const AccessOp& op) { return !op.writes(); })),
                         op_name<testing::TestParamInfo<AccessOp>>);

}  // namespace
