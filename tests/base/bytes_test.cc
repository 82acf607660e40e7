#include "base/bytes.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>

namespace weir {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

TEST(Bytes, RoundUpGivesTheNextMultiple) {
  for (std::int64_t unit = 1; unit <= 9; ++unit) {
    for (std::int64_t bytes = 0; bytes <= 40; ++bytes) {
      const std::int64_t rounded = round_up(bytes, unit);
      EXPECT_EQ(rounded % unit, 0) << bytes << " " << unit;
      EXPECT_GE(rounded, bytes);
      EXPECT_LT(rounded - bytes, unit);
    }
  }
  static_assert(round_up(std::size_t{4097}, std::size_t{4096}) == 8192);
}

TEST(Bytes, NumbersAreWhole) {
  EXPECT_EQ(read_number("0"), 0);
  EXPECT_EQ(read_number("+12"), 12);
  EXPECT_EQ(read_number("-12"), -12);
  EXPECT_EQ(read_number("644", 8), 0644);
  for (const char* text : {"", " 1", "1 ", "1k", "x", "+-1", "--1", "1.5"}) EXPECT_FALSE(read_number(text)) << text;
}

TEST(Bytes, WhatDoesNotFitIsTheLargest) {
  EXPECT_EQ(read_number("9223372036854775807"), kLargest);
  EXPECT_EQ(read_number("9223372036854775808"), kLargest);
  EXPECT_EQ(read_number("-99999999999999999999"), -kLargest);
  EXPECT_EQ(read_bytes("9999999999t"), kLargest);
  EXPECT_EQ(read_bytes("-9999999999t"), -kLargest);
  EXPECT_EQ(read_bytes("8388607t"), std::int64_t{8388607} << 40);
}

TEST(Bytes, UnitsArePowersOf1024) {
  for (const char* text : {"1048576", "1048576b", "1024k", "1024KB", "1024 KiB", "1m", "1M", "1 MiB"})
    EXPECT_EQ(read_bytes(text), 1048576) << text;
  EXPECT_EQ(read_bytes("2g"), std::int64_t{2} << 30);
  EXPECT_EQ(read_bytes("-4k"), -4096);
  for (const char* text : {"", "k", "4x", "4mm", "4kbb", "4 k k", "1.5m"}) EXPECT_FALSE(read_bytes(text)) << text;
}

TEST(Bytes, TextIsExactWhereItIsShort) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(10239), "10239 B");
  EXPECT_EQ(bytes_text(10240), "10.0 KiB");
  EXPECT_EQ(bytes_text(3 << 19), "1.5 MiB");
  EXPECT_EQ(bytes_text(std::int64_t{5} << 30), "5.0 GiB");
  EXPECT_EQ(bytes_text(std::int64_t{3} << 40), "3.0 TiB");
  EXPECT_EQ(bytes_text(kLargest), "8.0 EiB");
}

}  // namespace
}  // namespace weir
