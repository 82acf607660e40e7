// Distributed arrays against ownership formulas, for all small cases.
#include <gtest/gtest.h>

#include <algorithm>

#include "layout/oracle.h"
#include "layout/type_tree.h"

namespace weir::layout {
namespace {

using Kind = Distribution::Kind;

std::vector<std::int64_t> bytes_of_rank(Darray shape, std::int64_t rank) {
  shape.rank = rank;
  const Representation native = Representation::native();
  const TypeTree type = make_type(std::move(shape));
  const SizedLayout built = build(*type, native).value();
  const ByteMap expected = byte_map(*type, native);
  EXPECT_EQ(bytes_of(built.layout), expected.offsets) << describe(built.layout);
  EXPECT_EQ(built.ub, expected.ub);
  std::int64_t elements = 0;
  for_each_basic(*type, [&](BasicKind, std::int64_t count) { elements += count; });
  EXPECT_EQ(elements, static_cast<std::int64_t>(expected.kinds.size()));
  return expected.offsets;
}

// All ranks together own every byte once.
void expect_partition(const Darray& shape) {
  std::vector<std::int64_t> all;
  for (std::int64_t rank = 0; rank < shape.process_count; ++rank) {
    const std::vector<std::int64_t> bytes = bytes_of_rank(shape, rank);
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<std::int64_t>(i));
}

std::vector<Distribution> distributions_of(std::int64_t size, std::int64_t processes) {
  std::vector<Distribution> result = {{Kind::kBlock, Distribution::kDefaultArgument},
                                      {Kind::kCyclic, Distribution::kDefaultArgument},
                                      {Kind::kCyclic, 2},
                                      {Kind::kCyclic, 3},
                                      {Kind::kBlock, size}};
  if (processes == 1) result.push_back({Kind::kNone, Distribution::kDefaultArgument});
  return result;
}

TEST(Darray, OneDimensionOfAllSizes) {
  for (std::int64_t size = 1; size <= 13; ++size) {
    for (std::int64_t processes = 1; processes <= 5; ++processes) {
      for (const Distribution distribution : distributions_of(size, processes)) {
        expect_partition(
            {processes, 0, {size}, {distribution}, {processes}, ArrayOrder::kC, make_type(BasicKind::kShort)});
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Darray, TwoDimensionsInBothOrders) {
  for (const ArrayOrder order : {ArrayOrder::kC, ArrayOrder::kFortran}) {
    for (const std::int64_t rows : {1, 4, 7}) {
      for (const Distribution first : distributions_of(rows, 2)) {
        for (const Distribution second : distributions_of(5, 3)) {
          expect_partition({6, 0, {rows, 5}, {first, second}, {2, 3}, order, make_type(BasicKind::kShort)});
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(Darray, ThreeDimensions) {
  const Distribution block{Kind::kBlock, Distribution::kDefaultArgument};
  const Distribution cyclic{Kind::kCyclic, 2};
  const Distribution none{Kind::kNone, Distribution::kDefaultArgument};
  for (const ArrayOrder order : {ArrayOrder::kC, ArrayOrder::kFortran}) {
    expect_partition({6, 0, {5, 4, 7}, {block, none, cyclic}, {2, 1, 3}, order, make_type(BasicKind::kInt)});
    expect_partition({8, 0, {5, 6, 7}, {cyclic, cyclic, cyclic}, {2, 2, 2}, order, make_type(BasicKind::kByte)});
  }
}

TEST(Darray, LargeBlockCyclicCostsAFewNodes) {
  const Distribution cyclic{Kind::kCyclic, 3};
  const TypeTree type = make_type(Darray{64,
                                         37,
                                         {10007, 10009, 10037},
                                         {cyclic, cyclic, cyclic},
                                         {4, 4, 4},
                                         ArrayOrder::kC,
                                         make_type(BasicKind::kDouble)});
  const SizedLayout built = build(*type, Representation::native()).value();
  EXPECT_GT(built.layout.piece_count(), 1000000000);
  EXPECT_LT(built.layout.memory_bytes(), 2048U) << describe(built.layout);
  EXPECT_TRUE(built.layout.is_ascending());
}

}  // namespace
}  // namespace weir::layout
