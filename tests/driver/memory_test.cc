// What the memory driver adds to the contract: capacity, read-only files, a chosen storage layout.
#include "driver/memory.h"

#include "driver/support.h"

namespace weir::driver {
namespace {

TEST(Memory, FilesAreSharedWithinADriverOnly) {
  MemoryDriver driver;
  MemoryDriver other;
  std::unique_ptr<File> writer = open_or_fail(driver, "f");
  std::unique_ptr<File> reader = open_or_fail(driver, "f", kReadOnly);
  write_or_fail(*writer, 3, pattern(10));
  EXPECT_EQ(read_at(*reader, 3, 20), pattern(10));
  EXPECT_EQ(open_class(other, "f", kReadOnly), ErrorClass::kNoSuchFile);
}

TEST(Memory, AnOpenFileOutlivesItsDriver) {
  auto driver = std::make_unique<MemoryDriver>();
  std::unique_ptr<File> file = open_or_fail(*driver, "f");
  driver.reset();
  write_or_fail(*file, 0, pattern(10));
  EXPECT_EQ(read_at(*file, 0, 20), pattern(10));
}

TEST(Memory, ContentsAreTheWholeFile) {
  MemoryDriver driver;
  EXPECT_EQ(driver.contents("f").status().error_class(), ErrorClass::kNoSuchFile);
  write_or_fail(*open_or_fail(driver, "f"), 2, pattern(3));
  Bytes expected(2);
  for (std::byte byte : pattern(3)) expected.push_back(byte);
  EXPECT_EQ(driver.contents("f").value(), expected);
}

TEST(Memory, AFullDriverTakesWhatFits) {
  MemoryDriver driver({.capacity_bytes = 100});
  std::unique_ptr<File> a = open_or_fail(driver, "a");
  std::unique_ptr<File> b = open_or_fail(driver, "b");
  write_or_fail(*a, 0, pattern(30));
  Bytes memory = pattern(100);
  IoOutcome outcome = b->transfer(Direction::kWrite, chop(memory, 0, 9));
  EXPECT_EQ(outcome.status.error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(outcome.bytes_moved, 70);
  EXPECT_EQ(driver.contents("b").value(), part(memory, 0, 70));

  write_or_fail(*b, 10, pattern(60, 2));  // overwriting needs no room
  EXPECT_EQ(write_at(*a, 30, pattern(1)).status.error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(a->resize(31).error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(a->preallocate(31).error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(a->size().value(), 30);
}

TEST(Memory, SpaceComesBack) {
  MemoryDriver driver({.capacity_bytes = 100});
  std::unique_ptr<File> a = open_or_fail(driver, "a");
  std::unique_ptr<File> b = open_or_fail(driver, "b");
  ASSERT_TRUE(a->resize(100).ok());
  EXPECT_EQ(b->resize(1).error_class(), ErrorClass::kNoSpace);
  ASSERT_TRUE(a->resize(60).ok());
  ASSERT_TRUE(b->resize(40).ok());
  ASSERT_TRUE(driver.remove("a").ok());
  ASSERT_TRUE(a->resize(1000).ok()) << "a removed file no longer counts";
  ASSERT_TRUE(b->resize(100).ok());
}

TEST(Memory, AWriteThatCannotBeginLeavesTheSizeAlone) {
  MemoryDriver driver({.capacity_bytes = 100});
  std::unique_ptr<File> file = open_or_fail(driver, "f");
  IoOutcome outcome = write_at(*file, 100, pattern(5));
  EXPECT_EQ(outcome.status.error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(outcome.bytes_moved, 0);
  EXPECT_EQ(file->size().value(), 0);
  EXPECT_EQ(write_at(*file, 98, pattern(5)).bytes_moved, 2);
}

TEST(Memory, ReadOnlyFilesOpenForReadingOnly) {
  MemoryDriver driver;
  EXPECT_EQ(driver.make_read_only("f").error_class(), ErrorClass::kNoSuchFile);
  write_or_fail(*open_or_fail(driver, "f"), 0, pattern(10));
  ASSERT_TRUE(driver.make_read_only("f").ok());
  EXPECT_EQ(open_class(driver, "f", kReadWrite), ErrorClass::kAccess);
  EXPECT_EQ(open_class(driver, "f", kCreate), ErrorClass::kAccess);
  EXPECT_EQ(read_at(*open_or_fail(driver, "f", kReadOnly), 0, 10), pattern(10));
}

TEST(Memory, AnOpenFileHoldsAsManyRangesAsItHasSlots) {
  MemoryDriver driver({.prefetch_slots = 3});
  std::unique_ptr<File> file = open_or_fail(driver, "f");
  const std::vector<Extent> ranges = {{0, 1}, {8, 9}};
  EXPECT_TRUE(file->capabilities().prefetches);
  EXPECT_EQ(file->prefetch(ranges), 2);
  EXPECT_EQ(file->prefetch(ranges), 1);
  EXPECT_EQ(file->prefetch(ranges), 0);
  EXPECT_EQ(open_or_fail(driver, "f")->prefetch(ranges), 2) << "each open file has its own";
  file->release(ranges);
  EXPECT_EQ(file->prefetch(ranges), 2);
  EXPECT_EQ(file->counters().ranges_asked, 8);
  EXPECT_EQ(file->counters().ranges_taken, 5);
  MemoryDriver plain;
  EXPECT_FALSE(open_or_fail(plain, "f")->capabilities().prefetches);
  EXPECT_EQ(open_or_fail(plain, "f")->prefetch(ranges), 0);
}

TEST(Memory, StorageIsAsAsked) {
  StorageLayout striped = {.stripe_bytes = 1 << 20, .stripe_count = 4, .file_system = "modelled"};
  MemoryDriver driver({.storage = striped});
  StorageLayout storage = open_or_fail(driver, "f")->storage();
  EXPECT_EQ(storage.stripe_bytes, 1 << 20);
  EXPECT_EQ(storage.stripe_count, 4);
  MemoryDriver plain;
  EXPECT_EQ(open_or_fail(plain, "f")->storage().file_system, "memory");
}

}  // namespace
}  // namespace weir::driver
