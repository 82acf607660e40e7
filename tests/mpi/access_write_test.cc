// Every function that writes: what it writes where, the status it gives, the pointers it moves.
#include <algorithm>

#include "access_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kElements = 5;
constexpr int kCalls = 3;
constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;

class Write : public testing::TestWithParam<AccessOp> {
 protected:
  static const AccessOp& op() { return GetParam(); }

  // The records of a file, sorted where the function leaves their order open.
  static std::vector<std::vector<int>> records_of(const Bytes& bytes, int elements) {
    std::vector<int> values(bytes.size() / sizeof(int));
    std::copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(values.size() * sizeof(int)),
              reinterpret_cast<std::uint8_t*>(values.data()));
    std::vector<std::vector<int>> records;
    for (auto at = values.begin(); values.end() - at >= elements; at += elements) {
      records.emplace_back(at, at + elements);
    }
    if (op().pointer == Pointer::kShared) std::sort(records.begin(), records.end());
    return records;
  }

  static void expect_records(const char* path, int calls, int elements) {
    const Bytes found = file_bytes(path);
    const Bytes expected = bytes_of(all_records(calls, elements));
    EXPECT_EQ(found.size(), expected.size());
    EXPECT_EQ(records_of(found, elements), records_of(expected, elements));
  }
};

TEST_P(Write, PutsRecordsInPlaceAndCountsThem) {
  Scratch scratch;
  {
    const File file(scratch.path(), kUpdate);
    set_plain_view(file, MPI_INT);
    for (int call = 0; call < kCalls; ++call) {
      std::vector<int> data = record(rank(), call, kElements);
      MPI_Status status;
      aim(op(), file, call, kElements);
      EXPECT_OK(op().run(file, record_offset(rank(), call, kElements), data.data(), kElements, MPI_INT, &status));
      EXPECT_EQ(count_in(status, MPI_INT), kElements);
      EXPECT_EQ(elements_in(status, MPI_INT), kElements);
      EXPECT_EQ(moved_bytes(status), kElements * 4);
      EXPECT_EQ(data, record(rank(), call, kElements)) << "a write must not change its buffer";
    }
  }
  expect_records(scratch.path(), kCalls, kElements);
}

TEST_P(Write, MovesItsOwnPointerOnly) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  set_plain_view(file, MPI_INT);
  EXPECT_OK(MPI_File_seek(file, 2, MPI_SEEK_SET));
  EXPECT_OK(MPI_File_seek_shared(file, 3, MPI_SEEK_SET));
  std::vector<int> data = record(rank(), 0, kElements);
  EXPECT_OK(op().run(file, 40 + rank() * kElements, data.data(), kElements, MPI_INT, MPI_STATUS_IGNORE));
  meet("written");
  EXPECT_EQ(position(file), op().pointer == Pointer::kIndividual ? 2 + kElements : 2);
  EXPECT_EQ(shared_position(file), op().shared() ? 3 + kElements * size() : 3);
}

TEST_P(Write, NothingFromNowhere) {
  Scratch scratch;
  const Bytes old = pattern(64, 1);
  make_file(scratch.path(), old);
  {
    const File file(scratch.path(), kUpdate);
    set_plain_view(file, MPI_INT);
    MPI_Status status;
    EXPECT_OK(op().run(file, 100, nullptr, 0, MPI_INT, &status));
    EXPECT_EQ(count_in(status, MPI_INT), 0);
    EXPECT_EQ(position(file), 0);
    EXPECT_EQ(shared_position(file), 0);
  }
  EXPECT_EQ(file_bytes(scratch.path()), old) << "a write of nothing must not grow the file";
}

TEST_P(Write, GathersMemoryWithGaps) {
  Scratch scratch;
  const Type gappy = Type::resized(Type::vector(3, 1, 2, MPI_INT), 0, 6 * sizeof(int));  // three of six
  {
    const File file(scratch.path(), kUpdate);
    set_plain_view(file, MPI_INT);
    std::vector<int> memory(12, -1);
    for (int i = 0; i < 6; ++i) memory[static_cast<std::size_t>(2 * i)] = element(rank(), 0, i);
    MPI_Status status;
    aim(op(), file, 0, 6);
    EXPECT_OK(op().run(file, record_offset(rank(), 0, 6), memory.data(), 2, gappy, &status));
    EXPECT_EQ(count_in(status, gappy), 2);
    EXPECT_EQ(elements_in(status, gappy), 6);
    EXPECT_EQ(moved_bytes(status), 24);
    if (op().pointer == Pointer::kIndividual) {
      EXPECT_EQ(position(file), record_offset(rank(), 0, 6) + 6) << "pointers count etypes, not memory types";
    }
  }
  expect_records(scratch.path(), 1, 6);
}

TEST_P(Write, BytesThroughADisplacedView) {
  Scratch scratch;
  {
    const File file(scratch.path(), kUpdate);
    set_plain_view(file, MPI_INT, 12);
    std::vector<int> data = record(rank(), 0, kElements);
    aim(op(), file, 0, kElements);
    EXPECT_OK(
        op().run(file, record_offset(rank(), 0, kElements), data.data(), kElements * 4, MPI_BYTE, MPI_STATUS_IGNORE));
  }
  Bytes found = file_bytes(scratch.path());
  EXPECT_EQ(found.size(), 12U + 4U * kElements * static_cast<std::size_t>(size()));
  found.erase(found.begin(), found.begin() + 12);
  EXPECT_EQ(records_of(found, kElements), records_of(bytes_of(all_records(1, kElements)), kElements));
}

TEST_P(Write, IntoAViewWithHolesLeavesTheHolesAlone) {
  Scratch scratch;
  const std::size_t slots = static_cast<std::size_t>(size()) * kElements;
  const Bytes old = pattern(slots * 12 + 40, 7);
  make_file(scratch.path(), old);
  const Type every_third = Type::resized(MPI_INT, 0, 3 * sizeof(int));
  {
    const File file(scratch.path(), kUpdate);
    EXPECT_OK(MPI_File_set_view(file, 4, MPI_INT, every_third, "native", MPI_INFO_NULL));
    std::vector<int> data = record(rank(), 0, kElements);
    MPI_Status status;
    aim(op(), file, 0, kElements);
    EXPECT_OK(op().run(file, record_offset(rank(), 0, kElements), data.data(), kElements, MPI_INT, &status));
    EXPECT_EQ(count_in(status, MPI_INT), kElements);
  }
  const Bytes found = file_bytes(scratch.path());
  EXPECT_EQ(found.size(), old.size());
  Bytes written;
  Bytes with_holes_only = found;
  for (std::size_t slot = 0; slot < slots && found.size() == old.size(); ++slot) {
    for (std::size_t at = 4 + slot * 12; at < 8 + slot * 12; ++at) {
      written.push_back(found[at]);
      with_holes_only[at] = old[at];
    }
  }
  EXPECT_EQ(with_holes_only, old) << "bytes outside the view changed";
  EXPECT_EQ(records_of(written, kElements), records_of(bytes_of(all_records(1, kElements)), kElements));
}

TEST_P(Write, RanksOfDifferentLengths) {
  Scratch scratch;
  const int mine = rank() % 3 == 1 ? 0 : 3 * rank() + 1;
  std::vector<int> data = record(rank(), 0, mine);
  {
    const File file(scratch.path(), kUpdate);
    set_plain_view(file, MPI_INT);
    if (op().pointer == Pointer::kIndividual) {
      EXPECT_OK(MPI_File_seek(file, 100 * rank(), MPI_SEEK_SET));
    }
    MPI_Status status;
    EXPECT_OK(op().run(file, 100 * rank(), data.data(), mine, MPI_INT, &status));
    EXPECT_EQ(count_in(status, MPI_INT), mine);
  }
  std::size_t total = 0;
  std::size_t expected_size = 0;
  for (int r = 0; r < size(); ++r) {
    if (r % 3 == 1) continue;
    total += static_cast<std::size_t>(3 * r + 1);
    expected_size = static_cast<std::size_t>(100 * r + 3 * r + 1);
  }
  EXPECT_EQ(file_bytes(scratch.path()).size(), 4 * (op().shared() ? total : expected_size));
}

INSTANTIATE_TEST_SUITE_P(Access, Write, testing::ValuesIn(ops_where([](const AccessOp& op) { return op.writes(); })),
                         op_name<testing::TestParamInfo<AccessOp>>);

}  // namespace
