#include "memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace beffio {
namespace {

constexpr std::int64_t kBytes = 1032;

// Lets `reader` read what `writer` wrote with this stamp.
void transfer(Memory& writer, const Stamp& stamp, Memory& reader) {
  std::memcpy(reader.to_read(), writer.to_write(stamp), kBytes);
}

TEST(MemoryTest, WhatWasWrittenIsRight) {
  Memory memory(3, kBytes);
  const Stamp stamp{7, Method::kRewrite, 123456789};
  transfer(memory, stamp, memory);
  memory.to_write({8, Method::kWrite, 0});
  EXPECT_TRUE(memory.is_right(kBytes, stamp)) << "whatever was written afterwards";
}

TEST(MemoryTest, EveryPartOfAStampMatters) {
  Memory memory(0, kBytes);
  transfer(memory, {7, Method::kWrite, 5}, memory);
  EXPECT_TRUE(memory.is_right(kBytes, {7, Method::kWrite, 5}));
  EXPECT_FALSE(memory.is_right(kBytes, {6, Method::kWrite, 5}));
  EXPECT_FALSE(memory.is_right(kBytes, {7, Method::kRewrite, 5}));
  EXPECT_FALSE(memory.is_right(kBytes, {7, Method::kWrite, 4}));
}

TEST(MemoryTest, AnotherRanksDataAreWrong) {
  Memory one(1, kBytes);
  Memory two(2, kBytes);
  const Stamp stamp{0, Method::kWrite, 0};
  transfer(two, stamp, one);
  EXPECT_FALSE(one.is_right(kBytes, stamp));
}

TEST(MemoryTest, EveryByteMatters) {
  Memory memory(0, kBytes);
  const Stamp stamp{0, Method::kWrite, 0};
  transfer(memory, stamp, memory);
  for (std::int64_t at = 0; at < kBytes; ++at) {
    memory.to_read()[at] ^= std::byte{1};
    ASSERT_FALSE(memory.is_right(kBytes, stamp)) << at;
    memory.to_read()[at] ^= std::byte{1};
  }
  EXPECT_TRUE(memory.is_right(kBytes, stamp));
}

TEST(MemoryTest, NothingReadIsWrong) {
  Memory memory(0, kBytes);
  const Stamp stamp{0, Method::kWrite, 0};
  transfer(memory, stamp, memory);
  memory.clear(kBytes);
  EXPECT_FALSE(memory.is_right(kBytes, stamp));
}

}  // namespace
}  // namespace beffio
