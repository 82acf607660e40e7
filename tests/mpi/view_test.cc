// Views of each kind of type, get_view, and the arrays that programs share out between ranks.
#include <array>
#include <functional>
#include <numeric>
#include <string>

#include "view_oracle.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;

struct Shape {
  const char* name;
  std::function<TypeModel(const TypeModel&)> make;
};

// The granularity of displacements inside the shapes below, in bytes: those of one int.
constexpr MPI_Aint kInt = 4;

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> kShapes = {
      {"Contiguous", [](const TypeModel& e) { return e.contiguous(5); }},
      {"Vector", [](const TypeModel& e) { return e.vector(3, 2, 5); }},
      {"Hvector", [](const TypeModel& e) { return e.hvector(3, 2, 7 * kInt); }},
      {"Indexed",
       [](const TypeModel& e) {
         return e.indexed({2, 1, 3}, {1, 5, 9});
       }},
      {"IndexedWithEmptyBlocks",
       [](const TypeModel& e) {
         return e.indexed({0, 2, 0, 1}, {0, 3, 4, 8});
       }},
      {"Hindexed",
       [](const TypeModel& e) {
         return e.hindexed({1, 2}, {2 * kInt, 9 * kInt});
       }},
      {"IndexedBlock",
       [](const TypeModel& e) {
         return e.indexed_block(2, {0, 4, 7});
       }},
      {"HindexedBlock",
       [](const TypeModel& e) {
         return e.hindexed_block(2, {0, 4 * kInt, 7 * kInt});
       }},
      {"Struct",
       [](const TypeModel& e) {
         const TypeModel pair = e.contiguous(2);
         return TypeModel::structure({{1, 0, &e}, {2, 3 * kInt, &pair}, {0, 8 * kInt, &e}, {1, 9 * kInt, &e}});
       }},
      {"ResizedWithAGapAtTheEnd", [](const TypeModel& e) { return e.contiguous(2).resized(0, 7 * kInt); }},
      {"ResizedWithALowerBound", [](const TypeModel& e) { return e.vector(2, 1, 3).resized(-2 * kInt, 9 * kInt); }},
      {"ResizedSmallerThanItsSpan",
       [](const TypeModel& e) { return e.hindexed({3}, {2 * kInt}).resized(0, 3 * kInt); }},
      {"Subarray",
       [](const TypeModel& e) {
         return e.subarray({4, 6}, {2, 3}, {1, 2}, MPI_ORDER_C);
       }},
      {"SubarrayFortran",
       [](const TypeModel& e) {
         return e.subarray({4, 6, 3}, {2, 3, 2}, {1, 2, 0}, MPI_ORDER_FORTRAN);
       }},
      {"DarrayCyclic",
       [](const TypeModel& e) {
         return e.darray(6, 4, {{7, MPI_DISTRIBUTE_CYCLIC, 2, 2}, {8, MPI_DISTRIBUTE_CYCLIC, 1, 3}}, MPI_ORDER_C);
       }},
      {"DarrayBlockAndNone",
       [](const TypeModel& e) {
         return e.darray(2, 1,
                         {{5, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, 2},
                          {3, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_DFLT_DARG, 1}},
                         MPI_ORDER_FORTRAN);
       }},
      {"Nested",
       [](const TypeModel& e) {
         return e.vector(2, 1, 3).resized(0, 6 * kInt).indexed({1, 2}, {0, 2}).duplicate();
       }},
      {"Duplicated", [](const TypeModel& e) { return e.vector(3, 1, 2).duplicate(); }},
  };
  return kShapes;
}

class Shapes : public testing::TestWithParam<Shape> {
 protected:
  // Rank by rank in regions of their own: 11 etypes from etype `first` on.
  static ViewAccess access_from(MPI_Offset first) {
    const TypeModel element = TypeModel::basic(MPI_INT, "int");
    ViewAccess access{element, GetParam().make(element), 0, first, element, 11};
    access.displacement = 3 + rank() * (access.file_type.extent() * 12 + 400);
    return access;
  }
  static void check(const AccessOp& op) {
    Scratch scratch;
    for (const MPI_Offset first : {0, 1, 7}) {
      if (op.writes()) {
        check_write(scratch.path(), op, access_from(first), pattern(5000, 3));
      } else {
        check_read(scratch.path(), op, access_from(first), pattern(7000, 3));
      }
    }
  }
  static AccessOp op_named(const std::string& name) {
    return ops_where([&](const AccessOp& op) { return op.name == name; }).at(0);
  }
};

TEST_P(Shapes, WriteAt) { check(op_named("write_at")); }
TEST_P(Shapes, WriteAll) { check(op_named("write_all")); }
TEST_P(Shapes, ReadAt) { check(op_named("read_at")); }
TEST_P(Shapes, ReadAll) { check(op_named("read_all")); }

INSTANTIATE_TEST_SUITE_P(View, Shapes, testing::ValuesIn(shapes()),
                         [](const auto& test) { return std::string(test.param.name); });

// A global array, dealt out to the ranks by `type_of_rank`: the file must be the array, in order.
void check_shared_array(int elements, const std::function<TypeModel(const TypeModel&)>& type_of_rank) {
  Scratch scratch;
  const TypeModel element = TypeModel::basic(MPI_INT, "int");
  const TypeModel mine = type_of_rank(element);
  std::vector<int> values;
  for (const Piece& piece : mine.pieces()) {
    for (MPI_Aint i = 0; i < piece.bytes / kInt; ++i) values.push_back(static_cast<int>(piece.offset / kInt + i));
  }
  const int count = static_cast<int>(values.size());
  {
    const File file(scratch.path(), kUpdate);
    EXPECT_OK(MPI_File_set_view(file, 0, MPI_INT, mine.type(), "native", MPI_INFO_NULL));
    EXPECT_OK(MPI_File_write_all(file, values.data(), count, MPI_INT, MPI_STATUS_IGNORE));
    std::vector<int> again(values.size(), -1);
    EXPECT_OK(MPI_File_read_at_all(file, 0, again.data(), count, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT_EQ(again, values);
  }
  std::vector<int> expected(static_cast<std::size_t>(elements));
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(first_difference(file_bytes(scratch.path()), bytes_of(expected)), "");
}

TEST(SharedArray, RowsByVector) {
  check_shared_array(60 * size(), [](const TypeModel& e) {
    return e.hindexed({3}, {3 * rank() * kInt}).resized(0, 3 * size() * kInt).contiguous(20);
  });
}

TEST(SharedArray, BlocksOfATable) {
  std::array<int, 2> grid = {0, 0};
  MPI_Dims_create(size(), 2, grid.data());
  for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
    check_shared_array(grid[0] * 5 * grid[1] * 4, [&](const TypeModel& e) {
      const std::array<int, 2> place = {rank() / grid[1], rank() % grid[1]};
      return e.subarray({grid[0] * 5, grid[1] * 4}, {5, 4}, {place[0] * 5, place[1] * 4}, order);
    });
  }
}

TEST(SharedArray, BlockCyclicCube) {
  std::array<int, 3> grid = {0, 0, 0};
  MPI_Dims_create(size(), 3, grid.data());
  for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
    check_shared_array(17 * 19 * 18, [&](const TypeModel& e) {
      return e.darray(size(), rank(),
                      {{17, MPI_DISTRIBUTE_CYCLIC, 2, grid[0]},
                       {19, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, grid[1]},
                       {18, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, grid[2]}},
                      order);
    });
  }
}

struct ViewFacts {
  MPI_Offset displacement = -1;
  MPI_Datatype etype = MPI_DATATYPE_NULL;
  MPI_Datatype file_type = MPI_DATATYPE_NULL;
  std::array<char, MPI_MAX_DATAREP_STRING + 1> datarep{};

  explicit ViewFacts(MPI_File file) {
    EXPECT_OK(MPI_File_get_view(file, &displacement, &etype, &file_type, datarep.data()));
  }
};

// Packs ten items: two types that pack alike are equivalent for a view.
Bytes packed(MPI_Datatype type) {
  const Bytes memory = pattern(4096, 9);
  int bytes = 0;
  MPI_Type_size(type, &bytes);
  Bytes result(static_cast<std::size_t>(bytes) * 10);
  int filled = 0;
  MPI_Pack(memory.data(), 10, type, result.data(), static_cast<int>(result.size()), &filled, MPI_COMM_SELF);
  return result;
}

TEST(GetView, OfANewFile) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  const ViewFacts view(file);
  EXPECT_EQ(view.displacement, 0);
  EXPECT_EQ(view.etype, MPI_BYTE);
  EXPECT_EQ(view.file_type, MPI_BYTE);
  EXPECT_STREQ(view.datarep.data(), "native");
}

TEST(GetView, GivesEquivalentTypes) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  const Type etype = Type::contiguous(2, MPI_SHORT);
  const Type file_type = Type::resized(Type::vector(3, 2, 4, etype), 0, 64);
  EXPECT_OK(MPI_File_set_view(file, 28, etype, file_type, "native", MPI_INFO_NULL));
  ViewFacts view(file);
  EXPECT_EQ(view.displacement, 28);
  EXPECT_STREQ(view.datarep.data(), "native");
  MPI_Type_commit(&view.etype);
  MPI_Type_commit(&view.file_type);
  EXPECT_EQ(packed(view.etype), packed(etype));
  EXPECT_EQ(packed(view.file_type), packed(file_type));
  MPI_Aint lower_bound = -1;
  MPI_Aint extent = -1;
  MPI_Type_get_extent(view.file_type, &lower_bound, &extent);
  EXPECT_EQ(lower_bound, 0);
  EXPECT_EQ(extent, 64);
  EXPECT_EQ(MPI_Type_free(&view.etype), MPI_SUCCESS) << "the caller may free what it got";
  EXPECT_EQ(MPI_Type_free(&view.file_type), MPI_SUCCESS);
  const int value = 5;
  EXPECT_OK(MPI_File_write_at(file, 4 * rank(), &value, 1, MPI_INT, MPI_STATUS_IGNORE));
}

TEST(SetView, OutlivesItsTypes) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  {
    const Type etype = Type::contiguous(2, MPI_SHORT);
    const Type file_type = Type::resized(etype, 0, 8);
    EXPECT_OK(MPI_File_set_view(file, 0, etype, file_type, "native", MPI_INFO_NULL));
  }
  for (int i = 0; i < 50; ++i) {
    const Type reuse = Type::vector(4, 1, 5, MPI_DOUBLE);  // may get the freed handles
  }
  MPI_Offset bytes = 0;
  EXPECT_OK(MPI_File_get_byte_offset(file, 3, &bytes));
  EXPECT_EQ(bytes, 24);
}

TEST(SetView, RecycledTypeHandlesAreNotMistaken) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  for (const int stride : {2, 3, 5, 7}) {
    const Type file_type = Type::resized(MPI_INT, 0, 4 * stride);
    EXPECT_OK(MPI_File_set_view(file, 0, MPI_INT, file_type, "native", MPI_INFO_NULL));
    MPI_Offset bytes = 0;
    EXPECT_OK(MPI_File_get_byte_offset(file, 10, &bytes));
    EXPECT_EQ(bytes, 40 * stride);
  }
}

TEST(SetView, CurrentDisplacementOfASequentialFile) {
  Scratch scratch;
  const short mine = static_cast<short>(rank());
  {
    const File file(scratch.path(), MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    EXPECT_OK(MPI_File_write_ordered(file, "abc", rank() == 0 ? 3 : 0, MPI_CHAR, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_SHORT, MPI_SHORT, "native", MPI_INFO_NULL));
    EXPECT_OK(MPI_File_write_ordered(file, &mine, 1, MPI_SHORT, MPI_STATUS_IGNORE));
  }
  EXPECT_EQ(file_bytes(scratch.path()).size(), 3U + 2U * static_cast<std::size_t>(size()));
}

TEST(SetView, OfABillionPiecesIsUsable) {
  if (!under_weir()) GTEST_SKIP() << "the hosts make a list of it";
  Scratch scratch;
  constexpr int kPieces = 1000000000;
  const Type file_type = Type::vector(kPieces, 1, 3, MPI_INT);
  const File file(scratch.path(), kUpdate);
  EXPECT_OK(MPI_File_set_view(file, 8, MPI_INT, file_type, "native", MPI_INFO_NULL));
  MPI_Offset bytes = 0;
  EXPECT_OK(MPI_File_get_byte_offset(file, kPieces - 1, &bytes));
  EXPECT_EQ(bytes, 8 + 12LL * (kPieces - 1));
  const std::array<int, 3> values = {1, 2, 3};
  EXPECT_OK(MPI_File_write_at(file, kPieces / 2 + 3 * rank(), values.data(), 3, MPI_INT, MPI_STATUS_IGNORE));
  std::array<int, 3> found = {};
  EXPECT_OK(MPI_File_read_at(file, kPieces / 2 + 3 * rank(), found.data(), 3, MPI_INT, MPI_STATUS_IGNORE));
  EXPECT_EQ(found, values);
}

TEST(SetView, MayChangeHints) {
  Scratch scratch;
  MPI_Info hints = MPI_INFO_NULL;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "cb_buffer_size", "524288");
  {
    const File file(scratch.path(), kUpdate);
    EXPECT_OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", hints));
    MPI_Info found = MPI_INFO_NULL;
    EXPECT_OK(MPI_File_get_info(file, &found));
    std::array<char, 64> value{};
    int is_there = 0;
    MPI_Info_get(found, "cb_buffer_size", 63, value.data(), &is_there);
    EXPECT_STREQ(value.data(), "524288");
    MPI_Info_free(&found);
  }
  MPI_Info_free(&hints);
}

}  // namespace
