// Calls that are under way at a time: rings that the test plays, and those of the kernel.
#include "driver/flight.h"

#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <random>

#include "driver/posix.h"
#include "driver/scripted_syscalls.h"
#include "driver/support.h"

namespace weir::driver {
namespace {

using testing::HasSubstr;
using Call = ScriptedSyscalls::Call;

constexpr std::int64_t kPiece = 10;

// Pieces of the memory that lie apart in the file.
std::vector<IoRequest> apart(Bytes& memory, std::int64_t distance = 100) {
  std::vector<IoRequest> requests = chop(memory, 0, kPiece);
  for (std::size_t i = 0; i < requests.size(); ++i) requests[i].offset = static_cast<std::int64_t>(i) * distance;
  return requests;
}

class InFlight : public testing::Test {
 protected:
  std::string path() const { return folder_.file("f"); }
  std::unique_ptr<File> open(IoWay io) { return open_or_fail(driver_, path(), create_with(io)); }

  TemporaryFolder folder_;
  std::shared_ptr<ScriptedSyscalls> system_ = std::make_shared<ScriptedSyscalls>();
  PosixDriver driver_{system_};
  std::unique_ptr<File> file_ = open(IoWay::kUring);
};

TEST_F(InFlight, AsManyAreUnderWayAsARingTakes) {
  for (const std::int64_t pieces : {2, 63, 64, 65, 1000, 3000}) {
    system_->most_in_flight = 0;
    Bytes memory = pattern(pieces * kPiece);
    const std::int64_t before = file_->counters().in_flight;
    ASSERT_EQ(file_->transfer(Direction::kWrite, apart(memory)).bytes_moved, pieces * kPiece);
    Bytes back(memory.size());
    ASSERT_EQ(file_->transfer(Direction::kRead, apart(back)).bytes_moved, pieces * kPiece);
    EXPECT_EQ(back, memory);
    EXPECT_EQ(system_->most_in_flight, std::min<std::size_t>(static_cast<std::size_t>(pieces), kMostInFlight));
    EXPECT_EQ(system_->under_way, 0u);
    EXPECT_EQ(file_->counters().in_flight - before, 2 * pieces);
  }
  EXPECT_EQ(system_->rings_made, 1) << "one ring serves one transfer after the other";
}

TEST_F(InFlight, RequestsThatTouchShareACall) {
  Bytes memory = pattern(1000);
  std::vector<IoRequest> requests = chop(memory, 0, kPiece);
  for (std::size_t i = 50; i < requests.size(); ++i) requests[i].offset += 7;
  requests.insert(requests.begin() + 7, {3, nullptr, 0});
  ASSERT_EQ(file_->transfer(Direction::kWrite, requests).bytes_moved, 1000);
  ASSERT_EQ(system_->calls.size(), 2u);
  EXPECT_EQ(system_->calls[0].part_count, 50);
}

TEST_F(InFlight, ALargeRequestBecomesSeveralCalls) {
  Bytes memory = pattern(3 * kMostLegBytes + 5);
  write_or_fail(*file_, 100, memory);
  EXPECT_EQ(system_->calls.size(), 4u);
  EXPECT_EQ(system_->most_in_flight, 4u);
  EXPECT_EQ(read_at(*file_, 100, 4 * kMostLegBytes), memory);
}

TEST_F(InFlight, ASingleCallNeedsNoRing) {
  write_or_fail(*file_, 5, pattern(100));
  EXPECT_EQ(file_->counters().in_flight, 0);
  EXPECT_EQ(read_at(*file_, 5, 100), pattern(100));
}

// Whichever call fails: what comes before it counts, and no more are begun.
TEST_F(InFlight, AFailureReportsTheBytesBeforeIt) {
  constexpr std::int64_t kPieces = 70;
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    for (std::int64_t failing = 0; failing < kPieces; ++failing) {
      system_->reply = [&](const Call& call) -> std::int64_t {
        return call.offset == failing * 100 ? -ENOSPC : ScriptedSyscalls::kAll;
      };
      Bytes memory = pattern(kPieces * kPiece);
      const IoOutcome outcome = file_->transfer(direction, apart(memory));
      EXPECT_EQ(outcome.status.error_class(), ErrorClass::kNoSpace);
      EXPECT_EQ(outcome.bytes_moved, failing * kPiece);
      EXPECT_THAT(outcome.status.text(), HasSubstr("offset " + std::to_string(failing * 100) + ":"));
      EXPECT_THAT(outcome.status.text(), HasSubstr(path()));
      EXPECT_EQ(system_->under_way, 0u);
    }
  }
}

TEST_F(InFlight, AfterAFailureNoMoreAreBegun) {
  system_->reply = [&](const Call&) -> std::int64_t { return -EIO; };
  Bytes memory = pattern(1000 * kPiece);
  EXPECT_EQ(file_->transfer(Direction::kWrite, apart(memory)).bytes_moved, 0);
  EXPECT_EQ(system_->calls.size(), std::size_t{kMostInFlight});
}

TEST_F(InFlight, TheFirstOfTwoFailuresIsTold) {
  system_->reply = [&](const Call& call) -> std::int64_t {
    if (call.offset == 300) return -ENOSPC;
    return call.offset == 500 ? -EIO : ScriptedSyscalls::kAll;
  };
  Bytes memory = pattern(10 * kPiece);
  EXPECT_EQ(file_->transfer(Direction::kWrite, apart(memory)).status.error_class(), ErrorClass::kNoSpace);
}

// The obvious effect of writes, one after the other.
void apply(const std::vector<IoRequest>& requests, Bytes& expected) {
  for (const IoRequest& request : requests) {
    const auto end = static_cast<std::size_t>(request.offset + request.bytes);
    if (request.bytes > 0 && expected.size() < end) expected.resize(end);
    std::copy(request.data, request.data + request.bytes, expected.begin() + request.offset);
  }
}

// Requests in any order, some over each other, some next to each other.
std::vector<IoRequest> random_requests(std::mt19937& random, Bytes& memory) {
  std::vector<IoRequest> requests;
  std::int64_t offset = 0;
  for (std::int64_t at = 0; at < std::ssize(memory);) {
    if (random() % 3 != 0) offset = static_cast<std::int64_t>(random() % 20000);
    const auto bytes = std::min<std::int64_t>(static_cast<std::int64_t>(random() % 80), std::ssize(memory) - at);
    requests.push_back({offset, memory.data() + at, bytes});
    offset += bytes;
    at += bytes;
  }
  return requests;
}

// Calls end in any order, short, interrupted or told to come back; the file is as if they had been made in turn.
TEST_F(InFlight, AnyOrderOfEndsIsTheOrderOfRequests) {
  Bytes expected;
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    system_->ends_next = [&](std::size_t under_way) { return random() % under_way; };
    system_->reply = [&](const Call& call) -> std::int64_t {
      const unsigned dice = static_cast<unsigned>(random()) % 10;
      if (dice == 0) return -EINTR;
      if (dice == 1) return -EAGAIN;
      return dice < 5 ? ScriptedSyscalls::kAll : 1 + static_cast<std::int64_t>(random()) % call.bytes;
    };
    Bytes memory = pattern(8000, static_cast<int>(seed));
    const std::vector<IoRequest> requests = random_requests(random, memory);
    ASSERT_EQ(file_->transfer(Direction::kWrite, requests).bytes_moved, 8000) << "seed " << seed;
    apply(requests, expected);
    Bytes back(8000);
    std::vector<IoRequest> reads = requests;
    for (IoRequest& read : reads) read.data = back.data() + (read.data - memory.data());
    ASSERT_EQ(file_->transfer(Direction::kRead, reads).bytes_moved, 8000) << "seed " << seed;
    Bytes wanted(8000);
    for (const IoRequest& read : reads) {
      std::copy_n(expected.begin() + read.offset, read.bytes, wanted.begin() + (read.data - back.data()));
    }
    ASSERT_EQ(back, wanted) << "seed " << seed;
  }
}

TEST_F(InFlight, EndOfFileEndsTheBatch) {
  write_or_fail(*file_, 0, pattern(1234));
  Bytes back(100 * kPiece);
  EXPECT_EQ(file_->transfer(Direction::kRead, apart(back)).bytes_moved, 13 * kPiece) << "the last begins at 1200";
  std::vector<IoRequest> reads = apart(back, 1229);
  EXPECT_EQ(file_->transfer(Direction::kRead, reads).bytes_moved, kPiece + 5);
}

TEST_F(InFlight, ARingThatIsForbiddenIsReplacedAndTold) {
  PosixDriver fresh(system_);
  for (const int error_number : {EPERM, ENOSYS, ENOMEM, EMFILE}) {
    system_->reply_to_make_ring = [&] { return error_number; };
    std::unique_ptr<File> file = open_or_fail(fresh, path(), create_with(IoWay::kUring));
    EXPECT_THAT(file->io_replaced(), HasSubstr("weir_io=uring"));
    EXPECT_THAT(file->io_replaced(), HasSubstr("one after the other"));
    Bytes memory = pattern(100 * kPiece, error_number);
    ASSERT_EQ(file->transfer(Direction::kWrite, apart(memory)).bytes_moved, 100 * kPiece);
    Bytes back(memory.size());
    ASSERT_EQ(file->transfer(Direction::kRead, apart(back)).bytes_moved, 100 * kPiece);
    EXPECT_EQ(back, memory);
    EXPECT_EQ(file->counters().in_flight, 0);
  }
  EXPECT_EQ(file_->io_replaced(), "");
}

// Whenever it breaks; the next transfer has a new one.
TEST_F(InFlight, ARingThatBreaksLosesNothing) {
  for (int good = 0; good < 80; good += 7) {
    int left = good;
    system_->reply_to_await = [&] { return left-- > 0 ? 0 : -ENOMEM; };
    Bytes memory = pattern(1500 * kPiece, good);
    ASSERT_EQ(file_->transfer(Direction::kWrite, apart(memory)).bytes_moved, 1500 * kPiece);
    EXPECT_EQ(system_->under_way, 0u);
    system_->reply_to_await = nullptr;
    const int rings = system_->rings_made;
    Bytes back(memory.size());
    ASSERT_EQ(file_->transfer(Direction::kRead, apart(back)).bytes_moved, 1500 * kPiece);
    EXPECT_EQ(back, memory);
    EXPECT_EQ(system_->rings_made, rings + 1);
  }
}

class LeftToWeir : public InFlight {
 protected:
  // A file on a store that has latency, or seems to.
  std::unique_ptr<File> open_far(std::chrono::microseconds call_time) {
    PosixDriver far(system_, {.is_slow = [](const StorageLayout&) { return true; }});
    system_->call_time = call_time;
    return open_or_fail(far, path(), create_with(IoWay::kAuto));
  }
};

TEST_F(LeftToWeir, WhatAStoreWithLatencyHasGoesInFlight) {
  Bytes memory = pattern(1000 * kPiece);
  std::unique_ptr<File> file = open_far(std::chrono::milliseconds(1));
  ASSERT_EQ(file->transfer(Direction::kWrite, apart(memory)).bytes_moved, 1000 * kPiece);
  EXPECT_EQ(file->counters().in_flight, 999) << "all but the first";
  Bytes back(memory.size());
  ASSERT_EQ(file->transfer(Direction::kRead, apart(back)).bytes_moved, 1000 * kPiece);
  EXPECT_EQ(back, memory);
  EXPECT_EQ(file->counters().in_flight, 2 * 999);
  EXPECT_EQ(system_->most_in_flight, std::size_t{kMostInFlight});
}

TEST_F(LeftToWeir, FromTheFirstOnThatTookLong) {
  Bytes memory = pattern(1000 * kPiece);
  std::unique_ptr<File> file = open_far(std::chrono::microseconds(2));
  ASSERT_EQ(file->transfer(Direction::kWrite, apart(memory)).bytes_moved, 1000 * kPiece);
  EXPECT_EQ(file->counters().in_flight, 0);
  system_->reply = [&](const Call& call) {
    if (call.offset == 300 * 100) system_->call_time = std::chrono::milliseconds(1);
    return ScriptedSyscalls::kAll;
  };
  Bytes back(memory.size());
  ASSERT_EQ(file->transfer(Direction::kRead, apart(back)).bytes_moved, 1000 * kPiece);
  EXPECT_EQ(back, memory);
  EXPECT_EQ(file->counters().in_flight, 1000 - 302);
}

TEST_F(LeftToWeir, WhatThePageCacheHasDoesNot) {
  Bytes memory = pattern(1000 * kPiece);
  std::unique_ptr<File> file = open_far(std::chrono::microseconds(2));
  ASSERT_EQ(file->transfer(Direction::kWrite, apart(memory)).bytes_moved, 1000 * kPiece);
  Bytes back(memory.size());
  ASSERT_EQ(file->transfer(Direction::kRead, apart(back)).bytes_moved, 1000 * kPiece);
  EXPECT_EQ(back, memory);
  EXPECT_EQ(file->counters().in_flight, 0);
}

TEST_F(LeftToWeir, NorDoLocalFilesOrFewRequests) {
  system_->call_time = std::chrono::milliseconds(1);
  Bytes memory = pattern(1000 * kPiece);
  std::unique_ptr<File> local = open(IoWay::kAuto);
  ASSERT_EQ(local->transfer(Direction::kWrite, apart(memory)).bytes_moved, 1000 * kPiece);
  ASSERT_EQ(local->transfer(Direction::kRead, apart(memory)).bytes_moved, 1000 * kPiece);
  EXPECT_EQ(local->counters().in_flight, 0);
  std::unique_ptr<File> far = open_far(std::chrono::milliseconds(1));
  Bytes few(7 * kPiece);
  ASSERT_EQ(far->transfer(Direction::kRead, apart(few)).bytes_moved, 7 * kPiece);
  EXPECT_EQ(far->counters().in_flight, 0);
}

TEST_F(LeftToWeir, StoresWithLatencyAreKnownByTheirMounts) {
  EXPECT_TRUE(has_latency({.file_system = "nfs4", .network = true}));
  EXPECT_TRUE(has_latency({.file_system = "fuse.sshfs", .network = true}));
  EXPECT_TRUE(has_latency({.file_system = "fuse.something"}));
  EXPECT_FALSE(has_latency({.file_system = "ext4"}));
  EXPECT_FALSE(has_latency({.file_system = "tmpfs"}));
}

// With rings of the kernel's.
class RealRing : public testing::Test {
 protected:
  void SetUp() override {
    file_ = open_or_fail(driver_, folder_.file("f"), create_with(IoWay::kUring));
    if (!file_->io_replaced().empty()) GTEST_SKIP() << file_->io_replaced();
  }

  TemporaryFolder folder_;
  PosixDriver driver_;
  std::unique_ptr<File> file_;
};

TEST_F(RealRing, MovesWhatItIsAskedFor) {
  Bytes memory = pattern(5000 * kPiece);
  ASSERT_EQ(file_->transfer(Direction::kWrite, apart(memory)).bytes_moved, 5000 * kPiece);
  Bytes back(memory.size());
  ASSERT_EQ(file_->transfer(Direction::kRead, apart(back)).bytes_moved, 5000 * kPiece);
  EXPECT_EQ(back, memory);
  EXPECT_EQ(file_->counters().in_flight, 2 * 5000);
}

// From now on, io_uring_setup fails with EPERM in this process, as containers have it.
bool forbid_rings() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(rules), rules};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// 0 where a file whose rings are forbidden says so, and moves its bytes.
int try_forbidden(const std::string& path) {
  if (!forbid_rings()) return 2;
  PosixDriver driver;
  Result<std::unique_ptr<File>> file = driver.open(path, create_with(IoWay::kUring), nullptr);
  if (!file.ok() || file.value()->io_replaced().find("EPERM") == std::string::npos) return 3;
  Bytes memory = pattern(100 * kPiece);
  Bytes back(memory.size());
  const bool moved = file.value()->transfer(Direction::kWrite, apart(memory)).bytes_moved == 100 * kPiece &&
                     file.value()->transfer(Direction::kRead, apart(back)).bytes_moved == 100 * kPiece;
  return moved && back == memory ? 0 : 4;
}

// The exit code of a child that does this.
template <typename Act>
int in_a_child(Act act) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(act());
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

TEST_F(RealRing, ForbiddenByAFilterOfSystemCallsIsReplacedAndTold) {
  EXPECT_EQ(in_a_child([&] { return try_forbidden(folder_.file("g")); }), 0);
}

// A child has the parent's file, but no ring of its own yet; the parent's goes on working.
TEST_F(RealRing, AChildMakesItsOwn) {
  Bytes memory = pattern(100 * kPiece);
  ASSERT_EQ(file_->transfer(Direction::kWrite, apart(memory)).bytes_moved, 100 * kPiece);
  const auto reads_back = [&] {
    Bytes back(memory.size());
    return file_->transfer(Direction::kRead, apart(back)).bytes_moved == 100 * kPiece && back == memory;
  };
  EXPECT_EQ(in_a_child([&] { return reads_back() && file_->close().ok() ? 0 : 1; }), 0);
  EXPECT_TRUE(reads_back());
}

}  // namespace
}  // namespace weir::driver
