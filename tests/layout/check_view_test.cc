#include "layout/check_view.h"

#include <gtest/gtest.h>

namespace weir::layout {
namespace {

SizedLayout native(const TypeTree& type) { return build(*type, Representation::native()).value(); }

const TypeTree& byte() {
  static const TypeTree type = make_type(BasicKind::kByte);
  return type;
}

ErrorClass check(const TypeTree& etype, const TypeTree& filetype, bool may_write) {
  return check_view(native(etype), native(filetype), may_write).error_class();
}

TEST(CheckView, TakesWhatAscends) {
  EXPECT_EQ(check(byte(), byte(), true), ErrorClass::kOk);
  EXPECT_EQ(check(byte(), make_type(Vector{3, 2, 5, byte()}), true), ErrorClass::kOk);
  EXPECT_EQ(check(byte(), make_type(Hindexed{{1, 2}, {0, 10}, byte()}), true), ErrorClass::kOk);
  EXPECT_EQ(check(byte(), make_type(Contiguous{0, byte()}), true), ErrorClass::kOk);
}

TEST(CheckView, RefusesNegativeDisplacements) {
  const TypeTree type = make_type(Hindexed{{1, 1}, {-4, 8}, byte()});
  EXPECT_EQ(check(byte(), type, false), ErrorClass::kIo);
  EXPECT_NE(check_view(native(byte()), native(type), false).text().find("negative displacement (-4 bytes)"),
            std::string::npos);
}

TEST(CheckView, RefusesDisplacementsThatGoBackwards) {
  EXPECT_EQ(check(byte(), make_type(Hindexed{{1, 1}, {8, 4}, byte()}), false), ErrorClass::kIo);
  EXPECT_EQ(check(make_type(Hindexed{{1, 1}, {8, 4}, byte()}), make_type(Contiguous{2, byte()}), false),
            ErrorClass::kIo);
}

TEST(CheckView, OverlapIsForReadingOnly) {
  const TypeTree type = make_type(Hindexed{{4, 4}, {0, 2}, byte()});
  EXPECT_EQ(check(byte(), type, false), ErrorClass::kOk);
  EXPECT_EQ(check(byte(), type, true), ErrorClass::kIo);
}

TEST(CheckView, TilesMoveForward) {
  EXPECT_EQ(check(byte(), make_type(Resized{0, 0, byte()}), false), ErrorClass::kIo);
  EXPECT_EQ(check(byte(), make_type(Resized{0, -8, byte()}), false), ErrorClass::kIo);
  const TypeTree dense = make_type(Resized{0, 2, make_type(Contiguous{4, byte()})});
  EXPECT_EQ(check(byte(), dense, false), ErrorClass::kOk);
  EXPECT_EQ(check(byte(), dense, true), ErrorClass::kOk);  // one tile alone has no overlap
}

TEST(CheckView, FileTypeHoldsWholeElementaryTypes) {
  const TypeTree integer = make_type(BasicKind::kInt);
  EXPECT_EQ(check(integer, make_type(Contiguous{6, byte()}), false), ErrorClass::kArgument);
  EXPECT_EQ(check(integer, make_type(Contiguous{8, byte()}), false), ErrorClass::kOk);
  EXPECT_EQ(check(make_type(Contiguous{0, byte()}), byte(), false), ErrorClass::kArgument);
}

}  // namespace
}  // namespace weir::layout
