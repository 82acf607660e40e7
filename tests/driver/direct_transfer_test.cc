// Transfers past the page cache, with the kernel's answers scripted, and as the kernel gives them.
#include "driver/direct_transfer.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <random>

#include "driver/posix.h"
#include "driver/scripted_syscalls.h"
#include "driver/support.h"

namespace weir::driver {
namespace {

using testing::HasSubstr;
using Call = ScriptedSyscalls::Call;

constexpr std::int64_t kLarge = 1 << 20;

// Bytes in memory that begins at a page, and may be asked for from anywhere in it.
class PlacedBytes {
 public:
  explicit PlacedBytes(const Bytes& bytes, std::int64_t shift = 0)
      : bytes_(std::ssize(bytes)), buffer_(bytes_ + kPageBytes), data_(buffer_.at(shift)) {
    std::copy(bytes.begin(), bytes.end(), data_);
  }
  IoRequest at(std::int64_t offset) const { return {offset, data_, bytes_}; }
  Bytes bytes() const { return {data_, data_ + bytes_}; }

 private:
  std::int64_t bytes_;
  BounceBuffer buffer_;
  std::byte* data_;
};

IoOutcome move(File& file, Direction direction, const IoRequest& request) {
  return file.transfer(direction, {&request, 1});
}

class PastThePageCache : public testing::Test {
 protected:
  void SetUp() override {
    if (!file_->io_replaced().empty()) GTEST_SKIP() << file_->io_replaced();
  }
  std::unique_ptr<File> open(IoWay io) { return open_or_fail(driver_, folder_.file("f"), create_with(io)); }

  TemporaryFolder folder_;
  std::shared_ptr<ScriptedSyscalls> system_ = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver_{system_};
  std::unique_ptr<File> file_ = open(IoWay::kDirect);
};

TEST_F(PastThePageCache, WholePagesOfLargeRequestsGoDirectly) {
  std::unique_ptr<File> other = open(IoWay::kBuffered);
  for (const std::int64_t shift : {0, 1, 16, 512, 4095}) {
    for (const std::int64_t offset : {0, 1, 4095, 4096, 5000}) {
      for (const std::int64_t bytes : {kLarge, kLarge - 1, kLarge + 4097}) {
        const Bytes wanted = pattern(bytes, static_cast<int>(shift + offset));
        const PlacedBytes memory(wanted, shift);
        const std::int64_t before = file_->counters().bytes_direct;
        ASSERT_EQ(move(*file_, Direction::kWrite, memory.at(offset)).bytes_moved, bytes);
        EXPECT_EQ(read_at(*other, offset, bytes), wanted) << "the page cache shows what went past it";
        const PlacedBytes back(Bytes(wanted.size()), shift);
        ASSERT_EQ(move(*file_, Direction::kRead, back.at(offset)).bytes_moved, bytes);
        ASSERT_EQ(back.bytes(), wanted) << shift << ' ' << offset << ' ' << bytes;
        EXPECT_GE(file_->counters().bytes_direct - before, 2 * (bytes - 2 * 4096));
      }
    }
  }
}

TEST_F(PastThePageCache, SmallRequestsDoNot) {
  write_or_fail(*file_, 0, pattern(kLeastDirect - 1));
  EXPECT_EQ(read_at(*file_, 0, kLeastDirect - 1), pattern(kLeastDirect - 1));
  EXPECT_EQ(file_->counters().bytes_direct, 0);
}

TEST_F(PastThePageCache, ReadsWhatIsStillInThePageCache) {
  std::unique_ptr<File> other = open(IoWay::kBuffered);
  write_or_fail(*other, 0, pattern(kLarge));
  EXPECT_EQ(read_at(*file_, 0, kLarge), pattern(kLarge));
  EXPECT_GT(file_->counters().bytes_direct, 0);
}

TEST_F(PastThePageCache, EndOfFileInsideAPage) {
  const Bytes wanted = pattern(kLarge + 1234);
  write_or_fail(*file_, 0, wanted);
  EXPECT_EQ(file_->size().value(), kLarge + 1234);
  EXPECT_EQ(read_at(*file_, 0, 4 * kLarge), wanted);
  EXPECT_EQ(read_at(*file_, 4096, 4 * kLarge), part(wanted, 4096, kLarge + 1234));
}

// The obvious answer to random requests, large and small, in memory and files that are placed anyhow.
TEST_F(PastThePageCache, RandomBatchesMatchAByteMap) {
  constexpr std::int64_t kFile = 4 << 20;
  Bytes expected(kFile);
  ASSERT_TRUE(file_->resize(kFile).ok());
  for (unsigned seed = 0; seed < 25; ++seed) {
    std::mt19937 random(seed);
    Bytes memory = pattern(3 << 20, static_cast<int>(seed));
    std::vector<IoRequest> requests;
    for (std::int64_t at = static_cast<std::int64_t>(random() % 5000); at < std::ssize(memory);) {
      const std::int64_t most = random() % 2 == 0 ? 1 << 20 : 5000;
      const auto bytes = std::min(1 + static_cast<std::int64_t>(random()) % most, std::ssize(memory) - at);
      requests.push_back({static_cast<std::int64_t>(random()) % (kFile - bytes), memory.data() + at, bytes});
      std::copy_n(memory.data() + at, bytes, expected.begin() + requests.back().offset);
      at += bytes;
    }
    ASSERT_EQ(file_->transfer(Direction::kWrite, requests).bytes_moved, bytes_of(requests)) << "seed " << seed;
    Bytes back(memory.size());
    for (IoRequest& request : requests) request.data = back.data() + (request.data - memory.data());
    ASSERT_EQ(file_->transfer(Direction::kRead, requests).bytes_moved, bytes_of(requests)) << "seed " << seed;
    for (const IoRequest& request : requests) {
      ASSERT_TRUE(std::equal(request.data, request.data + request.bytes, expected.begin() + request.offset)) << seed;
    }
    ASSERT_EQ(read_at(*file_, 0, 2 * kFile), expected) << "seed " << seed;
  }
}

TEST_F(PastThePageCache, ShortTransfersGoOnThroughThePageCache) {
  for (const std::int64_t moved : {512, 4096, 300000}) {
    const Bytes wanted = pattern(kLarge, static_cast<int>(moved));
    for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
      bool first = true;
      system_->reply = [&](const Call&) { return std::exchange(first, false) ? moved : ScriptedSyscalls::kAll; };
      const PlacedBytes memory(direction == Direction::kWrite ? wanted : Bytes(wanted.size()));
      ASSERT_EQ(move(*file_, direction, memory.at(0)).bytes_moved, kLarge);
      ASSERT_EQ(memory.bytes(), wanted);
    }
  }
}

TEST_F(PastThePageCache, WhatIsNotTakenDirectlyGoesThroughThePageCacheFromThenOn) {
  const PlacedBytes memory(pattern(kLarge));
  system_->reply = [first = true](const Call&) mutable {
    return std::exchange(first, false) ? -EINVAL : ScriptedSyscalls::kAll;
  };
  ASSERT_EQ(move(*file_, Direction::kWrite, memory.at(0)).bytes_moved, kLarge);
  ASSERT_EQ(move(*file_, Direction::kWrite, memory.at(kLarge)).bytes_moved, kLarge);
  EXPECT_EQ(file_->counters().bytes_direct, 0);
  EXPECT_EQ(read_at(*file_, kLarge, kLarge), pattern(kLarge));
}

// Whichever call fails: head, middle or tail.
TEST_F(PastThePageCache, AFailureReportsTheBytesBeforeIt) {
  const PlacedBytes memory(pattern(kLarge), 4096 - 100);
  std::int64_t offset = 4096 - 100;
  const std::int64_t tail = (offset + kLarge) / 4096 * 4096;
  for (const std::int64_t failing : {offset, std::int64_t{4096}, tail}) {
    system_->reply = [&](const Call& call) { return call.offset == failing ? -ENOSPC : ScriptedSyscalls::kAll; };
    const IoOutcome outcome = move(*file_, Direction::kWrite, memory.at(offset));
    EXPECT_EQ(outcome.status.error_class(), ErrorClass::kNoSpace);
    EXPECT_EQ(outcome.bytes_moved, failing - offset);
    EXPECT_THAT(outcome.status.text(), HasSubstr("offset " + std::to_string(failing) + ":"));
  }
}

class NotToBeHad : public PastThePageCache {
 protected:
  void SetUp() override {}
  void expect_replaced(const std::string& reason) {
    std::unique_ptr<File> file = open(IoWay::kDirect);
    EXPECT_THAT(file->io_replaced(), HasSubstr("weir_io=direct"));
    EXPECT_THAT(file->io_replaced(), HasSubstr(reason));
    write_or_fail(*file, 100, pattern(kLarge));
    EXPECT_EQ(read_at(*file, 100, kLarge), pattern(kLarge));
    EXPECT_EQ(file->counters().bytes_direct, 0);
  }
};

TEST_F(NotToBeHad, AnOpenThatIsRefused) {
  system_->reply_to_open = [](int flags) { return (flags & O_DIRECT) != 0 ? -EINVAL : 0; };
  expect_replaced("EINVAL");
}

TEST_F(NotToBeHad, AnAlignmentThatCannotBeKeptTo) {
  for (const DirectAlignment odd : {DirectAlignment{0, 0}, {4096, 3}, {5000, 512}, {4096, 8192}, {1 << 20, 512}}) {
    system_->alignment = odd;
    expect_replaced("aligned to " + std::to_string(odd.file));
  }
}

// What this file system says of itself is what it takes.
TEST(DirectAlignmentOfTheKernel, CanBeKeptTo) {
  TemporaryFolder folder;
  PosixDriver driver;
  std::unique_ptr<File> file = open_or_fail(driver, folder.file("f"), create_with(IoWay::kDirect));
  if (!file->io_replaced().empty()) GTEST_SKIP() << file->io_replaced();
  write_or_fail(*file, 3, pattern(3 * kLarge));
  EXPECT_EQ(read_at(*file, 3, 4 * kLarge), pattern(3 * kLarge));
  EXPECT_GT(file->counters().bytes_direct, 5 * kLarge);
}

}  // namespace
}  // namespace weir::driver
