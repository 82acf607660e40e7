// Data representations: native, internal, external32 to the byte, and the program's own.
#include <array>
#include <cstring>
#include <string>

#include "access_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;

void set_datarep(MPI_File file, MPI_Datatype etype, MPI_Datatype file_type, const char* datarep,
                 MPI_Offset displacement = 0) {
  EXPECT_OK(MPI_File_set_view(file, displacement, etype, file_type, datarep, MPI_INFO_NULL)) << datarep;
}

MPI_Aint extent_in_file(MPI_File file, MPI_Datatype type) {
  MPI_Aint extent = -1;
  EXPECT_OK(MPI_File_get_type_extent(file, type, &extent));
  return extent;
}

// Rank 0 writes one value as `datarep`; the file.
template <typename Value>
Bytes written_as(const char* path, const char* datarep, MPI_Datatype type, Value value) {
  {
    const File file(path, kUpdate);
    set_datarep(file, type, type, datarep);
    EXPECT_OK(MPI_File_write_at_all(file, 0, &value, rank() == 0 ? 1 : 0, type, MPI_STATUS_IGNORE));
  }
  return file_bytes(path);
}

template <typename Value>
void expect_external(MPI_Datatype type, Value value, const Bytes& expected) {
  Scratch scratch;
  EXPECT_EQ(written_as(scratch.path(), "external32", type, value), expected);
  const File file(scratch.path(), MPI_MODE_RDONLY);
  set_datarep(file, type, type, "external32");
  Value found{};
  MPI_Status status;
  EXPECT_OK(MPI_File_read_at_all(file, 0, &found, 1, type, &status));
  EXPECT_EQ(found, value);
  EXPECT_EQ(count_in(status, type), 1);
  EXPECT_EQ(extent_in_file(file, type), static_cast<MPI_Aint>(expected.size()));
}

TEST(External32, Int) { expect_external<int>(MPI_INT, 0x01020304, {1, 2, 3, 4}); }
TEST(External32, NegativeInt) { expect_external<int>(MPI_INT, -2, {0xFF, 0xFF, 0xFF, 0xFE}); }
TEST(External32, Short) { expect_external<short>(MPI_SHORT, 0x0102, {1, 2}); }
TEST(External32, Char) { expect_external<char>(MPI_CHAR, 'A', {0x41}); }
TEST(External32, Byte) { expect_external<std::uint8_t>(MPI_BYTE, 0x99, {0x99}); }
TEST(External32, Float) { expect_external<float>(MPI_FLOAT, 1.0F, {0x3F, 0x80, 0, 0}); }
TEST(External32, Double) { expect_external<double>(MPI_DOUBLE, -2.5, {0xC0, 4, 0, 0, 0, 0, 0, 0}); }
TEST(External32, LongTakesFourBytes) { expect_external<long>(MPI_LONG, 0x01020304, {1, 2, 3, 4}); }
TEST(External32, NegativeLongKeepsItsSign) { expect_external<long>(MPI_LONG, -3, {0xFF, 0xFF, 0xFF, 0xFD}); }
TEST(External32, UnsignedLong) {
  expect_external<unsigned long>(MPI_UNSIGNED_LONG, 0xFFFFFFF0UL, {0xFF, 0xFF, 0xFF, 0xF0});
}
TEST(External32, LongLong) {
  expect_external<long long>(MPI_LONG_LONG, 0x0102030405060708LL, {1, 2, 3, 4, 5, 6, 7, 8});
}
TEST(External32, Int64) { expect_external<std::int64_t>(MPI_INT64_T, 0x0102030405060708LL, {1, 2, 3, 4, 5, 6, 7, 8}); }
TEST(External32, Uint16) { expect_external<std::uint16_t>(MPI_UINT16_T, 0xA1B2, {0xA1, 0xB2}); }

TEST(External32, StructInMemory) {
  Scratch scratch;
  struct Record {
    int number;
    double value;
    short small;
  };
  constexpr Record kRecord = {0x0A0B0C0D, 1.0, 0x0102};
  const std::array<int, 3> lengths = {1, 1, 1};
  const std::array<MPI_Aint, 3> places = {offsetof(Record, number), offsetof(Record, value), offsetof(Record, small)};
  const std::array<MPI_Datatype, 3> types = {MPI_INT, MPI_DOUBLE, MPI_SHORT};
  MPI_Datatype raw = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(3, lengths.data(), places.data(), types.data(), &raw);
  const Type type(raw);
  {
    const File file(scratch.path(), kUpdate);
    set_datarep(file, MPI_BYTE, MPI_BYTE, "external32");
    MPI_Status status;
    EXPECT_OK(MPI_File_write_at_all(file, 0, &kRecord, rank() == 0 ? 1 : 0, type, &status));
    EXPECT_EQ(count_in(status, type), rank() == 0 ? 1 : 0);
    EXPECT_OK(MPI_File_sync(file));
    Record found{};
    EXPECT_OK(MPI_File_read_at_all(file, 0, &found, 1, type, &status));
    EXPECT_EQ(found.number, kRecord.number);
    EXPECT_EQ(found.value, kRecord.value);
    EXPECT_EQ(found.small, kRecord.small);
  }
  EXPECT_EQ(file_bytes(scratch.path()), (Bytes{0x0A, 0x0B, 0x0C, 0x0D, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 1, 2}));
}

// In the file a long takes four bytes, and so do the steps of a view made of longs.
TEST(External32, ViewOfLongsScalesToTheFile) {
  Scratch scratch;
  const Bytes old(12 * static_cast<std::size_t>(size()), 0xEE);
  make_file(scratch.path(), old);
  const Type every_third = Type::vector(2, 1, 2, MPI_LONG);  // two of three
  const std::array<long, 2> values = {0x0101 + rank(), 0x0202 + rank()};
  {
    const File file(scratch.path(), kUpdate);
    set_datarep(file, MPI_LONG, every_third, "external32", 12 * rank());
    EXPECT_EQ(extent_in_file(file, MPI_LONG), 4);
    EXPECT_EQ(extent_in_file(file, every_third), 12);
    EXPECT_OK(MPI_File_write_at_all(file, 0, values.data(), 2, MPI_LONG, MPI_STATUS_IGNORE));
    MPI_Offset bytes = 0;
    EXPECT_OK(MPI_File_get_byte_offset(file, 1, &bytes));
    EXPECT_EQ(bytes, 12 * rank() + 8);
    std::array<long, 2> found = {};
    EXPECT_OK(MPI_File_read_at_all(file, 0, found.data(), 2, MPI_LONG, MPI_STATUS_IGNORE));
    EXPECT_EQ(found, values);
  }
  Bytes expected = old;
  for (std::size_t r = 0; r < static_cast<std::size_t>(size()); ++r) {
    const Bytes slot = {0, 0, 1, static_cast<std::uint8_t>(1 + r), 0xEE, 0xEE, 0xEE, 0xEE,
                        0, 0, 2, static_cast<std::uint8_t>(2 + r)};
    std::copy(slot.begin(), slot.end(), expected.begin() + static_cast<std::ptrdiff_t>(12 * r));
  }
  EXPECT_EQ(file_bytes(scratch.path()), expected);
}

TEST(External32, PositionsAndCountsAtTheEnd) {
  Scratch scratch;
  make_file(scratch.path(), Bytes{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3});
  const File file(scratch.path(), MPI_MODE_RDONLY);
  set_datarep(file, MPI_LONG, MPI_LONG, "external32");
  std::array<long, 5> found = {-1, -1, -1, -1, -1};
  MPI_Status status;
  EXPECT_OK(MPI_File_read(file, found.data(), 2, MPI_LONG, &status));
  EXPECT_EQ(position(file), 2);
  EXPECT_OK(MPI_File_read(file, found.data() + 2, 3, MPI_LONG, &status));
  EXPECT_EQ(count_in(status, MPI_LONG), 1);
  EXPECT_EQ(found, (std::array<long, 5>{1, 2, 3, -1, -1}));
  EXPECT_OK(MPI_File_seek(file, 0, MPI_SEEK_END));
  EXPECT_EQ(position(file), 3);
}

TEST(External32, EveryFunctionConverts) {
  for (const AccessOp& write : ops_where([](const AccessOp& op) { return op.writes(); })) {
    Scratch scratch(write.name);
    const long mine = 5;
    {
      const File file(scratch.path(), kUpdate);
      set_datarep(file, MPI_LONG, MPI_LONG, "external32");
      if (write.pointer == Pointer::kIndividual) {
        EXPECT_OK(MPI_File_seek(file, rank(), MPI_SEEK_SET));
      }
      MPI_Status status;
      EXPECT_OK(write.run(file, rank(), const_cast<long*>(&mine), 1, MPI_LONG, &status)) << write.name;
      EXPECT_EQ(count_in(status, MPI_LONG), 1) << write.name;
    }
    Bytes expected;
    for (int r = 0; r < size(); ++r) expected.insert(expected.end(), {0, 0, 0, 5});
    EXPECT_EQ(file_bytes(scratch.path()), expected) << write.name;
  }
}

TEST(Native, BytesAsInMemoryAndExtents) {
  Scratch scratch;
  const long value = 0x0102030405060708L;
  for (const char* datarep : {"native", "internal"}) {
    EXPECT_EQ(written_as(scratch.path(), datarep, MPI_LONG, value), bytes_of(std::vector<long>{value})) << datarep;
    const File file(scratch.path(), MPI_MODE_RDWR);
    set_datarep(file, MPI_LONG, MPI_LONG, datarep);
    EXPECT_EQ(extent_in_file(file, MPI_LONG), 8);
    EXPECT_EQ(extent_in_file(file, Type::vector(2, 1, 3, MPI_INT)), 16);
    MPI_Offset displacement = -1;
    MPI_Datatype etype = MPI_DATATYPE_NULL;
    MPI_Datatype file_type = MPI_DATATYPE_NULL;
    std::array<char, MPI_MAX_DATAREP_STRING + 1> name{};
    EXPECT_OK(MPI_File_get_view(file, &displacement, &etype, &file_type, name.data()));
    EXPECT_STREQ(name.data(), datarep);
  }
}

TEST(TypeExtent, Errors) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  MPI_Aint extent = 0;
  EXPECT_CLASS(MPI_ERR_TYPE, MPI_File_get_type_extent(file, MPI_DATATYPE_NULL, &extent));
  EXPECT_CLASS(MPI_ERR_FILE, MPI_File_get_type_extent(MPI_FILE_NULL, MPI_INT, &extent));
}

// A representation of the program's own: an int takes eight bytes, its value and the complement of its value.
struct Conversions {
  int calls = 0;
  bool refuse = false;
};

int own_extent(MPI_Datatype type, MPI_Aint* extent, void* /*state*/) {
  MPI_Aint lower_bound = 0;
  const int code = MPI_Type_get_extent(type, &lower_bound, extent);
  *extent *= 2;
  return code;
}

int own_read(void* memory, MPI_Datatype /*type*/, int count, void* file, MPI_Offset item, void* state) {
  auto* conversions = static_cast<Conversions*>(state);
  conversions->calls += 1;
  if (conversions->refuse) return MPI_ERR_CONVERSION;
  const auto* from = static_cast<const int*>(file);
  for (int i = 0; i < count; ++i) {
    if (from[2 * i] != ~from[2 * i + 1]) return MPI_ERR_CONVERSION;
    static_cast<int*>(memory)[item + i] = from[2 * i];
  }
  return MPI_SUCCESS;
}

int own_write(void* memory, MPI_Datatype /*type*/, int count, void* file, MPI_Offset item, void* state) {
  auto* conversions = static_cast<Conversions*>(state);
  conversions->calls += 1;
  if (conversions->refuse) return MPI_ERR_CONVERSION;
  auto* to = static_cast<int*>(file);
  for (int i = 0; i < count; ++i) {
    to[2 * i] = static_cast<const int*>(memory)[item + i];
    to[2 * i + 1] = ~to[2 * i];
  }
  return MPI_SUCCESS;
}

Conversions* registered() {
  static Conversions state;
  static const int code = MPI_Register_datarep("complement", own_read, own_write, own_extent, &state);
  EXPECT_OK(code);
  return &state;
}

TEST(OwnDatarep, WritesAndReads) {
  if (!under_weir()) GTEST_SKIP() << "the hosts do not support user-defined representations";
  Conversions* state = registered();
  Scratch scratch;
  std::vector<int> values(1000);
  for (int i = 0; i < 1000; ++i) values[static_cast<std::size_t>(i)] = 1000 * rank() + i;
  {
    const File file(scratch.path(), kUpdate);
    set_datarep(file, MPI_INT, MPI_INT, "complement");
    EXPECT_EQ(extent_in_file(file, MPI_INT), 8);
    MPI_Status status;
    EXPECT_OK(MPI_File_write_at_all(file, 1000 * rank(), values.data(), 1000, MPI_INT, &status));
    EXPECT_EQ(count_in(status, MPI_INT), 1000);
    EXPECT_GT(state->calls, 0);
    std::vector<int> found(1000);
    EXPECT_OK(MPI_File_read_at(file, 1000 * rank(), found.data(), 500, Type::contiguous(2, MPI_INT), &status));
    EXPECT_EQ(found, values);
  }
  std::vector<int> expected;
  for (int i = 0; i < 1000 * size(); ++i) expected.insert(expected.end(), {i, ~i});
  EXPECT_EQ(file_bytes(scratch.path()), bytes_of(expected));
}

TEST(OwnDatarep, AFailingConversionFailsTheCallEverywhere) {
  if (!under_weir()) GTEST_SKIP() << "the hosts do not support user-defined representations";
  Conversions* state = registered();
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  set_datarep(file, MPI_INT, MPI_INT, "complement");
  int value = 1;
  state->refuse = rank() == size() - 1;
  EXPECT_CLASS(MPI_ERR_CONVERSION, MPI_File_write_at_all(file, rank(), &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  state->refuse = false;
  EXPECT_OK(MPI_File_write_at_all(file, rank(), &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  state->refuse = rank() == 0;
  EXPECT_CLASS(MPI_ERR_CONVERSION, MPI_File_read_at_all(file, rank(), &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  state->refuse = false;
}

TEST(OwnDatarep, WithoutConversionIsNative) {
  if (!under_weir()) GTEST_SKIP() << "the hosts do not support user-defined representations";
  Scratch scratch;
  static const int code = MPI_Register_datarep(
      "as is", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL,
      [](MPI_Datatype type, MPI_Aint* extent, void* /*state*/) {
        MPI_Aint lower_bound = 0;
        return MPI_Type_get_extent(type, &lower_bound, extent);
      },
      nullptr);
  EXPECT_OK(code);
  EXPECT_EQ(written_as(scratch.path(), "as is", MPI_INT, 0x01020304), (Bytes{4, 3, 2, 1}));
}

TEST(OwnDatarep, NamesAreTakenOnce) {
  registered();
  Conversions other;
  for (const char* name : {"complement", "native", "internal", "external32"}) {
    EXPECT_CLASS(MPI_ERR_DUP_DATAREP, MPI_Register_datarep(name, own_read, own_write, own_extent, &other)) << name;
  }
}

TEST(OwnDatarep, BadNames) {
  Conversions other;
  const std::string endless(MPI_MAX_DATAREP_STRING + 10, 'x');
  EXPECT_NE(MPI_Register_datarep(endless.c_str(), own_read, own_write, own_extent, &other), MPI_SUCCESS);
}

#if MPI_VERSION >= 4
TEST(LargeCounts, TypeExtentAndDatarep) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  MPI_Count extent = -1;
  EXPECT_OK(MPI_File_get_type_extent_c(file, MPI_DOUBLE, &extent));
  EXPECT_EQ(extent, 8);
  if (!under_weir()) return;
  static Conversions state;
  const auto convert = [](void* to, const void* from, MPI_Count count) -> int {
    state.calls += 1;
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(int));
    return MPI_SUCCESS;
  };
  static const auto shared_convert = convert;
  const int code = MPI_Register_datarep_c(
      "counted",
      [](void* memory, MPI_Datatype, MPI_Count count, void* from, MPI_Offset item, void*) {
        return shared_convert(static_cast<int*>(memory) + item, from, count);
      },
      [](void* memory, MPI_Datatype, MPI_Count count, void* to, MPI_Offset item, void*) {
        return shared_convert(to, static_cast<int*>(memory) + item, count);
      },
      [](MPI_Datatype type, MPI_Aint* bytes, void*) {
        MPI_Aint lower_bound = 0;
        return MPI_Type_get_extent(type, &lower_bound, bytes);
      },
      nullptr);
  EXPECT_OK(code);
  EXPECT_EQ(written_as(scratch.path(), "counted", MPI_INT, 0x01020304), (Bytes{4, 3, 2, 1}));
  if (rank() == 0) {
    EXPECT_GT(state.calls, 0);
  }
}
#endif

}  // namespace
