#include "layout/type_tree.h"

#include <gtest/gtest.h>

#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;

SizedLayout native(const TypeTree& type) { return build(*type, Representation::native()).value(); }
SizedLayout external32(const TypeTree& type) { return build(*type, Representation::external32()).value(); }

void expect_as_oracle(const TypeTree& type, const Representation& representation) {
  const ByteMap expected = byte_map(*type, representation);
  const Result<SizedLayout> built = build(*type, representation);
  ASSERT_TRUE(built.ok()) << built.status().text();
  const Layout& layout = built.value().layout;
  SCOPED_TRACE(describe(layout));
  EXPECT_EQ(bytes_of(layout), expected.offsets);
  EXPECT_EQ(built.value().lb, expected.lb);
  EXPECT_EQ(built.value().ub, expected.ub);
}

std::vector<BasicKind> kinds_of(const TypeTree& type) {
  std::vector<BasicKind> kinds;
  for_each_basic(*type, [&](BasicKind kind, std::int64_t count) {
    EXPECT_GT(count, 0);
    EXPECT_TRUE(kinds.empty() || kinds.back() != kind) << "neighbouring runs of one kind";
    kinds.insert(kinds.end(), static_cast<std::size_t>(count), kind);
  });
  return kinds;
}

TEST(TypeTree, AllSmallTypesAreAsTheOracleSays) {
  for (const TypeTree& type : small_types(2)) {
    expect_as_oracle(type, Representation::native());
    expect_as_oracle(type, Representation::external32());
    EXPECT_EQ(kinds_of(type), byte_map(*type, Representation::native()).kinds);
    if (HasFailure()) return;
  }
}

TEST(TypeTree, RandomTypesAreAsTheOracleSays) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2000; ++i) {
    const TypeTree type = random_type(random, 4, i % 2 == 0);
    if (native(type).layout.data_bytes() > 20000) continue;
    expect_as_oracle(type, Representation::native());
    expect_as_oracle(type, Representation::external32());
    EXPECT_EQ(kinds_of(type), byte_map(*type, Representation::native()).kinds);
    if (HasFailure()) return;
  }
}

TEST(TypeTree, PairsHaveTheHolesOfAStruct) {
  const SizedLayout sized = native(make_type(BasicKind::kShortInt));
  EXPECT_EQ(bytes_of(sized.layout), (Numbers{0, 1, 4, 5, 6, 7}));
  EXPECT_EQ(sized.extent(), 8);
  EXPECT_EQ(native(make_type(BasicKind::kLongDoubleInt)).extent(), 32);
  EXPECT_EQ(native(make_type(BasicKind::kDoubleInt)).extent(), 16);
  EXPECT_TRUE(native(make_type(BasicKind::kTwoInt)).layout.is_contiguous());
}

TEST(TypeTree, External32HasItsOwnSizesAndNoPadding) {
  EXPECT_EQ(external32(make_type(BasicKind::kLong)).extent(), 4);
  EXPECT_EQ(external32(make_type(BasicKind::kWchar)).extent(), 2);
  EXPECT_EQ(external32(make_type(BasicKind::kLongDouble)).extent(), 16);
  EXPECT_EQ(external32(make_type(BasicKind::kShortInt)).extent(), 6);
  EXPECT_TRUE(external32(make_type(BasicKind::kShortInt)).layout.is_contiguous());
  // Elements scale with their extent in the file: long is 4 bytes there.
  const TypeTree vector = make_type(Vector{2, 1, 2, make_type(BasicKind::kLong)});
  EXPECT_EQ(external32(vector).layout, native(make_type(Vector{2, 1, 2, make_type(BasicKind::kInt)})).layout);
}

TEST(TypeTree, AStructIsRoundedUpToItsAlignmentUnlessResized) {
  const TypeTree plain =
      make_type(Struct{{1, 1}, {0, 8}, {make_type(BasicKind::kDouble), make_type(BasicKind::kChar)}});
  EXPECT_EQ(native(plain).extent(), 16);
  EXPECT_EQ(external32(plain).extent(), 9);
  EXPECT_EQ(native(make_type(Resized{0, 9, plain})).extent(), 9);
}

TEST(TypeTree, ExplicitBoundsWinOverData) {
  const TypeTree resized = make_type(Resized{0, 4, make_type(BasicKind::kChar)});
  const TypeTree mixed = make_type(Struct{{1, 1}, {0, 100}, {resized, make_type(BasicKind::kDouble)}});
  EXPECT_EQ(native(mixed).lb, 0);
  EXPECT_EQ(native(mixed).ub, 4);
}

TEST(TypeTree, RepresentationFollowsTheCompiler) {
  Representation wide = Representation::native();
  wide.set(BasicKind::kInteger, 8, 8);
  EXPECT_EQ(build(*make_type(BasicKind::kInteger), wide).value().extent(), 8);
  EXPECT_EQ(build(*make_type(BasicKind::kTwoInteger), wide).value().extent(), 16);
  EXPECT_NE(wide, Representation::native());
}

TEST(TypeTree, EveryKindHasANameAndSizes) {
  for (std::size_t i = 0; i < kBasicKinds; ++i) {
    const auto kind = static_cast<BasicKind>(i);
    EXPECT_EQ(std::string(name(kind)).substr(0, 4), "MPI_");
    EXPECT_GT(Representation::native().bytes(kind), 0) << name(kind);
    EXPECT_GT(Representation::external32().bytes(kind), 0) << name(kind);
    EXPECT_EQ(value_class(kind) == ValueClass::kPair, pair_members(kind).has_value());
  }
}

TEST(TypeTree, TypesBeyond64BitsFail) {
  const TypeTree byte = make_type(BasicKind::kByte);
  const std::int64_t huge = std::int64_t{1} << 62;
  const std::vector<TypeTree> types = {
      make_type(Contiguous{huge, make_type(BasicKind::kInt)}),
      make_type(Vector{3, 1, huge, byte}),
      make_type(Hindexed{{1, 1}, {-huge, huge}, make_type(Contiguous{huge, byte})}),
      make_type(Subarray{{huge, 4}, {1, 1}, {0, 0}, ArrayOrder::kC, byte}),
      make_type(Resized{huge, huge, byte}),
      make_type(Indexed{{1}, {huge}, make_type(BasicKind::kDouble)}),
  };
  for (const TypeTree& type : types) {
    const Result<SizedLayout> built = build(*type, Representation::native());
    ASSERT_FALSE(built.ok());
    EXPECT_EQ(built.status().error_class(), ErrorClass::kDatatype);
  }
}

TEST(TypeTree, OneKindTakesOneCall) {
  const TypeTree array = make_type(
      Subarray{{2000, 2000, 2000}, {1000, 1000, 1000}, {0, 0, 0}, ArrayOrder::kC, make_type(BasicKind::kDouble)});
  int calls = 0;
  for_each_basic(*array, [&](BasicKind kind, std::int64_t count) {
    ++calls;
    EXPECT_EQ(kind, BasicKind::kDouble);
    EXPECT_EQ(count, 1000000000);
  });
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace weir::layout
