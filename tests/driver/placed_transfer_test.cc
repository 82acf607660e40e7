// Transfers through a bounce buffer: the bytes, the counts and the failures are those of direct ones.
#include "driver/placed_transfer.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <memory>

#include "driver/posix.h"
#include "driver/scripted_syscalls.h"
#include "driver/support.h"

namespace weir::driver {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kLarge = 3 * BounceShelf::kBytes + 12345;

// A file that counts its system calls, on a machine where every distance below 64 is slow.
class Placed : public testing::Test {
 protected:
  static CopySpeeds all_slow(Direction, int) { return {1e9, 4e9}; }
  // Whole calls for so many bytes.
  static std::size_t bounced_calls(std::int64_t bytes) {
    return static_cast<std::size_t>((bytes + BounceShelf::kBytes - 1) / BounceShelf::kBytes);
  }
  // Memory for so many bytes, at this distance from the page boundary.
  std::byte* memory_at(std::int64_t shift) { return memory_->at(shift); }
  IoOutcome move(Direction direction, IoRequest request) { return file_->transfer(direction, {&request, 1}); }

  TemporaryFolder folder_;
  std::shared_ptr<ScriptedSyscalls> system_ = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver_{system_, {.placements = std::make_shared<PlacementTable>(&Placed::all_slow)}};
  std::unique_ptr<File> file_ = open_or_fail(driver_, folder_.file("placed"));
  std::unique_ptr<BounceBuffer> memory_ = std::make_unique<BounceBuffer>(2 * kLarge);
};

TEST_F(Placed, BytesAreTheSameForAllPlacements) {
  const Bytes data = pattern(kLarge);
  for (const std::int64_t offset : {0, 5, 4090}) {
    for (const std::int64_t shift : {0, 1, 8, 15, 16, 63, 64, 2048, 4080, 4095}) {
      std::byte* memory = memory_at(shift);
      std::copy(data.begin(), data.end(), memory);
      ASSERT_EQ(move(Direction::kWrite, {offset, memory, kLarge}).bytes_moved, kLarge);
      EXPECT_EQ(read_at(*file_, offset, kLarge), data) << shift << " written at " << offset;
      std::fill(memory, memory + kLarge + 1, std::byte{0});
      ASSERT_EQ(move(Direction::kRead, {offset, memory, kLarge}).bytes_moved, kLarge);
      EXPECT_TRUE(std::equal(data.begin(), data.end(), memory)) << shift << " read at " << offset;
      EXPECT_EQ(memory[kLarge], std::byte{0}) << "nothing behind the request changes";
    }
  }
}

TEST_F(Placed, OnlySlowPlacementsTakeMoreCalls) {
  write_or_fail(*file_, 0, pattern(kLarge));
  for (const std::int64_t shift : {0, 1, 16, 63, 64, 2048, 4088}) {
    system_->calls.clear();
    const std::int64_t before = file_->counters().bytes_bounced;
    ASSERT_EQ(move(Direction::kRead, {0, memory_at(shift), kLarge}).bytes_moved, kLarge);
    const bool slow = 0 < shift && shift < 64;
    EXPECT_EQ(system_->calls.size(), slow ? bounced_calls(kLarge) : 1) << shift;
    EXPECT_EQ(file_->counters().bytes_bounced - before, slow ? kLarge : 0) << shift;
  }
}

TEST_F(Placed, SmallRequestsGoDirectly) {
  write_or_fail(*file_, 0, pattern(kLeastBounced));
  system_->calls.clear();
  const std::int64_t before = file_->counters().bytes_bounced;  // the pattern may have been badly placed
  EXPECT_EQ(move(Direction::kRead, {0, memory_at(8), kLeastBounced - 1}).bytes_moved, kLeastBounced - 1);
  EXPECT_EQ(system_->calls.size(), 1U);
  EXPECT_EQ(file_->counters().bytes_bounced, before);
}

TEST_F(Placed, ReadsEndWithTheFile) {
  const std::int64_t file_bytes = BounceShelf::kBytes + 777;
  const Bytes data = pattern(file_bytes);
  write_or_fail(*file_, 0, data);
  std::byte* memory = memory_at(8);
  memory[file_bytes] = std::byte{99};
  const IoOutcome outcome = move(Direction::kRead, {0, memory, kLarge});
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.bytes_moved, file_bytes);
  EXPECT_TRUE(std::equal(data.begin(), data.end(), memory));
  EXPECT_EQ(memory[file_bytes], std::byte{99}) << "bytes that the file does not have do not change";
}

TEST_F(Placed, ShortTransfersAreContinued) {
  const Bytes data = pattern(kLarge);
  std::copy(data.begin(), data.end(), memory_at(4088));
  system_->reply = [](const ScriptedSyscalls::Call&) { return 100'000; };
  EXPECT_EQ(move(Direction::kWrite, {0, memory_at(4088), kLarge}).bytes_moved, kLarge);
  EXPECT_EQ(move(Direction::kRead, {0, memory_at(8), kLarge}).bytes_moved, kLarge);
  EXPECT_TRUE(std::equal(data.begin(), data.end(), memory_at(8)));
}

TEST_F(Placed, AFailureInTheMiddleTellsWhereAndHowManyBytesMoved) {
  write_or_fail(*file_, 0, pattern(kLarge));
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    system_->reply = [](const ScriptedSyscalls::Call& call) {
      return call.offset < 2 * BounceShelf::kBytes ? ScriptedSyscalls::kAll : -EIO;
    };
    const IoOutcome outcome = move(direction, {0, memory_at(direction == Direction::kRead ? 8 : 4088), kLarge});
    EXPECT_EQ(outcome.bytes_moved, 2 * BounceShelf::kBytes);
    EXPECT_THAT(outcome.status.text(), HasSubstr(std::to_string(2 * BounceShelf::kBytes)));
  }
}

TEST_F(Placed, RequestsBesideSlowOnesKeepTheirOrderAndShareCalls) {
  const Bytes data = pattern(kLarge + 300);
  write_or_fail(*file_, 0, data);
  Bytes small(300);
  std::byte* memory = memory_at(108);  // 8 behind a page boundary at file offset 100
  const std::vector<IoRequest> requests = {{0, small.data(), 50},
                                           {50, small.data() + 50, 50},
                                           {100, memory, kLarge},
                                           {100 + kLarge, small.data() + 100, 100},
                                           {200 + kLarge, small.data() + 200, 100}};
  system_->calls.clear();
  EXPECT_EQ(file_->transfer(Direction::kRead, requests).bytes_moved, kLarge + 300);
  EXPECT_EQ(system_->calls.size(), bounced_calls(kLarge) + 2);
  EXPECT_EQ(Bytes(small.begin(), small.begin() + 100), part(data, 0, 100));
  EXPECT_TRUE(std::equal(memory, memory + kLarge, data.begin() + 100));
  EXPECT_EQ(Bytes(small.begin() + 100, small.end()), part(data, 100 + kLarge, 300 + kLarge));
}

TEST(BounceShelf, KeepsTwoBuffers) {
  BounceShelf shelf;
  auto first = shelf.take();
  auto second = shelf.take();
  auto third = shelf.take();
  ASSERT_TRUE(first && second && third);
  const BounceBuffer* kept[] = {first.get(), second.get()};
  shelf.give_back(std::move(first));
  shelf.give_back(std::move(second));
  shelf.give_back(std::move(third));
  EXPECT_EQ(shelf.take().get(), kept[1]);
  EXPECT_EQ(shelf.take().get(), kept[0]);
}

TEST(BounceBuffer, IsHalfAPageAwayFromTheFileOffset) {
  const BounceBuffer buffer(BounceShelf::kBytes);
  ASSERT_TRUE(buffer.had());
  for (const std::int64_t offset : {0, 8, 2048, 4095, 123456789}) {
    EXPECT_EQ(copy_distance(Direction::kRead, buffer.place_for(offset), offset), kPageBytes / 2);
    buffer.place_for(offset)[BounceShelf::kBytes - 1] = std::byte{1};
  }
}

}  // namespace
}  // namespace weir::driver
