#include "compare/numbers.h"

#include <gtest/gtest.h>

namespace weir::tool::compare {
namespace {

TEST(Statistics, MedianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 3}), 3);
  EXPECT_EQ(median({4, 1, 3, 100}), 3.5);
}

TEST(Statistics, SpreadIsTheRangeInUnitsOfTheMedian) {
  EXPECT_EQ(spread({2}), 0);
  EXPECT_DOUBLE_EQ(spread({2, 3, 4}), 2.0 / 3.0);
}

TEST(Statistics, GeometricMean) { EXPECT_DOUBLE_EQ(geometric_mean({1, 4, 16}), 4); }

TEST(Amount, BytesHaveUnitsOf1024) {
  EXPECT_EQ(parse_bytes("4096").value(), 4096);
  EXPECT_EQ(parse_bytes("3K").value(), 3072);
  EXPECT_EQ(parse_bytes("16m").value(), 16 << 20);
  EXPECT_EQ(parse_bytes("2GiB").value(), std::int64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1T").value(), std::int64_t{1} << 40);
}

TEST(Amount, WhatIsNoSizeIsRefused) {
  for (const char* text : {"", "M", "0", "-4", "1.5M", "4X", "4MM", "9999999999T", "99999999999999999999"})
    EXPECT_FALSE(parse_bytes(text).ok()) << text;
}

TEST(Amount, Numbers) {
  EXPECT_EQ(parse_numbers("4,16").value(), (std::vector<int>{4, 16}));
  for (const char* text : {"", ",", "4,x", "0", "-1", "4.5"}) EXPECT_FALSE(parse_numbers(text).ok()) << text;
}

TEST(Amount, Texts) {
  EXPECT_EQ(clock_text(65.4), "1:05");
  EXPECT_EQ(clock_text(7200), "2:00:00");
}

}  // namespace
}  // namespace weir::tool::compare
