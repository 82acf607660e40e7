#include "workloads/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace bench {
namespace {

// How far the memory lies behind the file's bytes, each counted from the beginning of its page.
std::int64_t distance(Memory& memory, std::int64_t file_offset) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.bytes().data());
  return static_cast<std::int64_t>((address - static_cast<std::uintptr_t>(file_offset)) % kPageBytes);
}

TEST(Memory, PlacedApartLiesHalfAPageFromTheFilesBytes) {
  for (const std::int64_t offset : {0L, 4L, 2048L, 4092L, 4096L, 33554436L}) {
    for (const std::int64_t bytes : {0L, 4L, 2047L, 2048L, 2049L, 4096L, 1048580L}) {
      Memory memory = Memory::placed_apart(bytes, offset);
      EXPECT_EQ(distance(memory, offset), kApartBytes) << offset << " " << bytes;
      EXPECT_EQ(memory.bytes().size(), static_cast<std::size_t>(bytes));
    }
  }
}

TEST(Memory, IsZeroAndCanBeWrittenToItsEnd) {
  Memory memories[] = {Memory::as_programs_have(100001), Memory::placed_apart(100001, 12)};
  for (Memory& memory : memories) {
    EXPECT_TRUE(std::ranges::all_of(memory.bytes(), [](std::byte value) { return value == std::byte{}; }));
    std::ranges::fill(memory.bytes(), std::byte{1});
  }
  EXPECT_TRUE(Memory::as_programs_have(0).bytes().empty());
}

}  // namespace
}  // namespace bench
