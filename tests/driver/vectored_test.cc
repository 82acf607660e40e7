// The transfer loop, with the kernel's answers scripted beneath it.
#include "driver/vectored.h"

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

class Vectored : public testing::Test {
 protected:
  std::string path() const { return folder_.file("f"); }

  TemporaryFolder folder_;
  std::shared_ptr<ScriptedSyscalls> system_ = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver_{system_};
  std::unique_ptr<File> file_ = open_or_fail(driver_, path());
};

// Answers with each of `answers` in turn, then with everything.
std::function<std::int64_t(const Call&)> in_turn(std::vector<std::int64_t> answers) {
  return [answers, next = std::size_t{0}](const Call&) mutable {
    return next < answers.size() ? answers[next++] : ScriptedSyscalls::kAll;
  };
}

TEST_F(Vectored, RequestsThatTouchShareACall) {
  Bytes memory = pattern(1000);
  std::vector<IoRequest> requests = chop(memory, 50, 10);
  requests.insert(requests.begin() + 7, {3, nullptr, 0});  // a zero-byte request does not part neighbours
  ASSERT_EQ(file_->transfer(Direction::kWrite, requests).bytes_moved, 1000);
  ASSERT_EQ(system_->calls.size(), 1u);
  EXPECT_EQ(system_->calls[0].part_count, 100);
  EXPECT_EQ(system_->calls[0].offset, 50);
  Bytes back(1000);
  ASSERT_EQ(file_->transfer(Direction::kRead, chop(back, 50, 10)).bytes_moved, 1000);
  EXPECT_EQ(system_->calls.size(), 2u);
  EXPECT_EQ(back, memory);
  EXPECT_EQ(file_->counters(), (IoCounters{1, 1, 1000, 1000, 0}));
}

TEST_F(Vectored, GapsAndStepsBackNeedTheirOwnCalls) {
  Bytes memory = pattern(40);
  std::byte* data = memory.data();
  std::vector<IoRequest> requests = {
      {0, data, 10}, {10, data + 10, 10}, {21, data + 20, 10}, {5, data + 30, 10}};
  ASSERT_EQ(file_->transfer(Direction::kWrite, requests).bytes_moved, 40);
  EXPECT_EQ(system_->calls.size(), 3u);
  Bytes expected = part(memory, 0, 5);
  Bytes last = part(memory, 30, 40);
  expected.insert(expected.end(), last.begin(), last.end());
  EXPECT_EQ(read_at(*file_, 0, 15), expected) << "requests are served in order";
}

TEST_F(Vectored, MorePartsThanOneCallTakes) {
  Bytes memory = pattern(2 * kMostPartsPerCall + 1);
  ASSERT_EQ(file_->transfer(Direction::kWrite, chop(memory, 0, 1)).bytes_moved, 2 * kMostPartsPerCall + 1);
  ASSERT_EQ(system_->calls.size(), 3u);
  EXPECT_EQ(system_->calls[0].part_count, kMostPartsPerCall);
  EXPECT_EQ(system_->calls[2].part_count, 1);
  EXPECT_EQ(read_at(*file_, 0, 5000), memory);
}

TEST_F(Vectored, InterruptedCallsAreRepeatedAtOnce) {
  system_->reply = in_turn({-EINTR, 3, -EINTR, -EINTR});
  write_or_fail(*file_, 0, pattern(10));
  EXPECT_EQ(system_->calls.size(), 5u);
  EXPECT_EQ(system_->pauses, 0);
  system_->reply = in_turn({-EINTR, 1});
  EXPECT_EQ(read_at(*file_, 0, 10), pattern(10));
}

TEST_F(Vectored, BusyCallsAreRepeatedAfterAPause) {
  system_->reply = in_turn({-EAGAIN, 4, -EAGAIN, -EAGAIN});
  write_or_fail(*file_, 0, pattern(10));
  EXPECT_EQ(system_->pauses, 3);
  EXPECT_EQ(read_at(*file_, 0, 10), pattern(10));
}

TEST_F(Vectored, BusyForeverIsAnError) {
  system_->reply = [](const Call&) { return -EAGAIN; };
  IoOutcome outcome = write_at(*file_, 7, pattern(10));
  EXPECT_EQ(outcome.status.error_class(), ErrorClass::kIo);
  EXPECT_THAT(outcome.status.text(), HasSubstr("EAGAIN"));
  EXPECT_EQ(outcome.bytes_moved, 0);
}

TEST_F(Vectored, AWriteThatGetsNowhereIsAnError) {
  system_->reply = [left = 4](const Call&) mutable { return left-- > 0 ? 1 : 0; };
  IoOutcome outcome = write_at(*file_, 100, pattern(10));
  EXPECT_EQ(outcome.status.error_class(), ErrorClass::kIo);
  EXPECT_THAT(outcome.status.text(), HasSubstr("offset 104"));
  EXPECT_EQ(outcome.bytes_moved, 4);
}

TEST_F(Vectored, AWriteThatOnlyPausesGoesOn) {
  system_->reply = in_turn({0, 0, 5, 0, 0, 0});
  write_or_fail(*file_, 0, pattern(10));
  EXPECT_EQ(read_at(*file_, 0, 20), pattern(10));
}

TEST_F(Vectored, AFailureReportsTheBytesBeforeIt) {
  for (std::int64_t room : {0, 1, 9, 10, 11, 99}) {
    std::int64_t left = room;
    system_->reply = [&left](const Call& call) -> std::int64_t {
      if (left == 0) return -ENOSPC;
      std::int64_t some = std::min({left, call.bytes, std::int64_t{7}});
      left -= some;
      return some;
    };
    Bytes memory = pattern(100);
    IoOutcome outcome = file_->transfer(Direction::kWrite, chop(memory, 1000, 10));
    EXPECT_EQ(outcome.status.error_class(), ErrorClass::kNoSpace);
    EXPECT_EQ(outcome.bytes_moved, room);
    EXPECT_THAT(outcome.status.text(), HasSubstr("offset " + std::to_string(1000 + room) + ":"));
    EXPECT_THAT(outcome.status.text(), HasSubstr(path()));
    EXPECT_THAT(outcome.status.text(), HasSubstr("ENOSPC"));
  }
}

TEST_F(Vectored, ShortTransfersAtRandomAreContinued) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    system_->reply = [&](const Call& call) -> std::int64_t {
      unsigned dice = static_cast<unsigned>(random()) % 10;
      if (dice == 0) return -EINTR;
      if (dice == 1) return -EAGAIN;
      return 1 + static_cast<std::int64_t>(random()) % call.bytes;
    };
    Bytes memory = pattern(3000, static_cast<int>(seed));
    ASSERT_EQ(file_->transfer(Direction::kWrite, chop(memory, seed, 13)).bytes_moved, 3000);
    Bytes back(3000);
    ASSERT_EQ(file_->transfer(Direction::kRead, chop(back, seed, 17)).bytes_moved, 3000);
    ASSERT_EQ(back, memory);
  }
}

TEST_F(Vectored, AShortReadIsNotYetTheEnd) {
  write_or_fail(*file_, 0, pattern(10));
  system_->reply = in_turn({2, 3});
  EXPECT_EQ(read_at(*file_, 0, 20), pattern(10));
}

TEST_F(Vectored, CountsBeyondThirtyTwoBits) {
  system_->pretend = true;
  constexpr std::int64_t kHuge = (std::int64_t{5} << 30) + 3;
  std::byte nowhere{};
  IoRequest request = {1, &nowhere, kHuge};
  for (Direction direction : {Direction::kRead, Direction::kWrite}) {
    system_->calls.clear();
    IoOutcome outcome = file_->transfer(direction, {&request, 1});
    EXPECT_TRUE(outcome.status.ok());
    EXPECT_EQ(outcome.bytes_moved, kHuge);
    ASSERT_EQ(system_->calls.size(), 6u);
    for (const Call& call : system_->calls) EXPECT_LE(call.bytes, kMostBytesPerCall);
    EXPECT_EQ(system_->calls[5].offset, 1 + (std::int64_t{5} << 30));
  }
}

TEST_F(Vectored, TheCapCountsAllPartsOfACall) {
  system_->pretend = true;
  std::byte nowhere{};
  constexpr std::int64_t kPart = 700 << 20;
  std::vector<IoRequest> requests = {{0, &nowhere, kPart}, {kPart, &nowhere, kPart}};
  EXPECT_EQ(file_->transfer(Direction::kWrite, requests).bytes_moved, 2 * kPart);
  ASSERT_EQ(system_->calls.size(), 2u);
  EXPECT_EQ(system_->calls[0].bytes, kMostBytesPerCall);
  EXPECT_EQ(system_->calls[1].offset, kMostBytesPerCall);
}

}  // namespace
}  // namespace weir::driver
