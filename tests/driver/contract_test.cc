// What File and FileDriver promise, tried on every driver.
#include "driver/contract.h"

#include <atomic>
#include <limits>
#include <random>
#include <thread>

#include "driver/fault.h"
#include "driver/memory.h"
#include "driver/posix.h"

namespace weir::driver {
namespace {

class PosixSubject final : public Subject {
 public:
  FileDriver& driver() override { return driver_; }

 private:
  PosixDriver driver_;
};

// A way for bytes must not be noticed.
class WaySubject final : public Subject {
 public:
  explicit WaySubject(IoWay io) : driver_(io) {}
  FileDriver& driver() override { return driver_; }

 private:
  class WayDriver final : public FileDriver {
   public:
    explicit WayDriver(IoWay io) : io_(io) {}
    Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode, bool* created) override {
      mode.io = io_;
      return posix_.open(path, mode, created);
    }
    Status remove(const std::string& path) override { return posix_.remove(path); }

   private:
    PosixDriver posix_;
    IoWay io_;
  };
  WayDriver driver_;
};

class MemorySubject final : public Subject {
 public:
  FileDriver& driver() override { return driver_; }

 private:
  MemoryDriver driver_;
};

// A fault driver without faults must not be noticed.
class FaultlessSubject final : public Subject {
 public:
  FileDriver& driver() override { return driver_; }

 private:
  MemoryDriver memory_;
  FaultDriver driver_{memory_, {}};
};

INSTANTIATE_TEST_SUITE_P(
    Drivers, DriverContract,
    testing::Values(SubjectKind{"posix", [] { return std::make_unique<PosixSubject>(); }},
                    SubjectKind{"uring", [] { return std::make_unique<WaySubject>(IoWay::kUring); }},
                    SubjectKind{"direct", [] { return std::make_unique<WaySubject>(IoWay::kDirect); }},
                    SubjectKind{"memory", [] { return std::make_unique<MemorySubject>(); }},
                    SubjectKind{"faultless", [] { return std::make_unique<FaultlessSubject>(); }}),
    [](const auto& kind) { return std::string(kind.param.name); });

TEST_P(DriverContract, OpenTellsWhoCreated) {
  bool created = true;
  EXPECT_EQ(driver().open(path(), kReadWrite, &created).status().error_class(), ErrorClass::kNoSuchFile);
  EXPECT_FALSE(created);
  ASSERT_TRUE(driver().open(path(), kCreate, &created).ok());
  EXPECT_TRUE(created);
  ASSERT_TRUE(driver().open(path(), kCreate, &created).ok());
  EXPECT_FALSE(created);
  EXPECT_EQ(driver().open(path(), kCreateNew, &created).status().error_class(), ErrorClass::kFileExists);
  EXPECT_FALSE(created);
}

TEST_P(DriverContract, OneOfManyOpenersCreates) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> creators = 0;
    std::atomic<int> failures = 0;
    std::vector<std::jthread> openers;
    for (int i = 0; i < 8; ++i) {
      openers.emplace_back([&] {
        bool created = false;
        if (!driver().open(path(), kCreate, &created).ok()) ++failures;
        if (created) ++creators;
      });
    }
    openers.clear();
    EXPECT_EQ(creators, 1);
    EXPECT_EQ(failures, 0);
    ASSERT_TRUE(driver().remove(path()).ok());
  }
}

TEST_P(DriverContract, OpenNeverTruncates) {
  Bytes bytes = pattern(100);
  write_or_fail(*open(), 0, bytes);
  EXPECT_EQ(read_at(*open(kCreate), 0, 200), bytes);
}

TEST_P(DriverContract, RefusesSenselessOpens) {
  EXPECT_EQ(open_class(driver(), path(), {.read = false, .write = false}), ErrorClass::kAmode);
  EXPECT_EQ(open_class(driver(), path() + std::string("\0x", 2), kCreate), ErrorClass::kBadFile);
}

TEST_P(DriverContract, RemoveTakesTheNameAway) {
  EXPECT_EQ(driver().remove(path()).error_class(), ErrorClass::kNoSuchFile);
  std::unique_ptr<File> file = open();
  write_or_fail(*file, 0, pattern(10));
  ASSERT_TRUE(driver().remove(path()).ok());
  EXPECT_EQ(read_at(*file, 0, 20), pattern(10)) << "an open file keeps its bytes";
  EXPECT_EQ(open_class(driver(), path(), kReadWrite), ErrorClass::kNoSuchFile);
}

TEST_P(DriverContract, ModesAreKept) {
  write_or_fail(*open(), 0, pattern(10));
  std::unique_ptr<File> reader = open(kReadOnly);
  EXPECT_EQ(write_at(*reader, 0, pattern(1)).status.error_class(), ErrorClass::kReadOnly);
  EXPECT_EQ(reader->resize(3).error_class(), ErrorClass::kReadOnly);
  EXPECT_EQ(reader->preallocate(30).error_class(), ErrorClass::kReadOnly);
  EXPECT_EQ(reader->lock({0, 1}, LockKind::kExclusive).status().error_class(), ErrorClass::kReadOnly);
  EXPECT_TRUE(reader->lock({0, 1}, LockKind::kShared).ok());
  EXPECT_TRUE(reader->sync().ok());

  std::unique_ptr<File> writer = open(kWriteOnly);
  std::byte byte{};
  IoRequest request = {0, &byte, 1};
  EXPECT_EQ(writer->transfer(Direction::kRead, {&request, 1}).status.error_class(), ErrorClass::kAccess);
  EXPECT_EQ(writer->lock({0, 1}, LockKind::kShared).status().error_class(), ErrorClass::kAccess);
  EXPECT_TRUE(writer->lock({0, 1}, LockKind::kExclusive).ok());
  EXPECT_EQ(read_at(*reader, 0, 20), pattern(10));
}

TEST_P(DriverContract, RefusesSenselessArguments) {
  std::unique_ptr<File> file = open();
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  std::byte byte{};
  for (IoRequest request : {IoRequest{-1, &byte, 1}, IoRequest{0, &byte, -1}, IoRequest{kLargest, &byte, 1}}) {
    for (Direction direction : {Direction::kRead, Direction::kWrite}) {
      IoOutcome outcome = file->transfer(direction, {&request, 1});
      EXPECT_EQ(outcome.status.error_class(), ErrorClass::kArgument);
      EXPECT_EQ(outcome.bytes_moved, 0);
    }
  }
  EXPECT_EQ(file->resize(-1).error_class(), ErrorClass::kArgument);
  EXPECT_EQ(file->preallocate(-1).error_class(), ErrorClass::kArgument);
  EXPECT_EQ(file->lock({-1, 1}, LockKind::kExclusive).status().error_class(), ErrorClass::kArgument);
}

TEST_P(DriverContract, NothingAskedIsNothingDone) {
  std::unique_ptr<File> file = open();
  std::vector<IoRequest> nothing = {{5, nullptr, 0}, {1000, nullptr, 0}};
  for (Direction direction : {Direction::kRead, Direction::kWrite}) {
    EXPECT_TRUE(file->transfer(direction, {}).status.ok());
    IoOutcome outcome = file->transfer(direction, nothing);
    EXPECT_TRUE(outcome.status.ok());
    EXPECT_EQ(outcome.bytes_moved, 0);
  }
  EXPECT_EQ(file->size().value(), 0) << "a zero-byte write does not extend the file";
  EXPECT_EQ(file->counters(), IoCounters{});
}

// The obvious answer: serve bytes one by one, stop at the first that is beyond the end.
std::int64_t expected_moved(const std::vector<IoRequest>& requests, std::int64_t file_bytes) {
  std::int64_t moved = 0;
  for (const IoRequest& request : requests) {
    for (std::int64_t i = 0; i < request.bytes; ++i) {
      if (request.offset + i >= file_bytes) return moved;
      ++moved;
    }
  }
  return moved;
}

TEST_P(DriverContract, EndOfFileCutsTheBatchWhereverItLies) {
  constexpr std::int64_t kFileBytes = 5;
  Bytes bytes = pattern(kFileBytes);
  std::unique_ptr<File> file = open();
  write_or_fail(*file, 0, bytes);
  // All batches of three requests with offsets 0, 2, .. 6 and 0 to 3 bytes.
  for (int code = 0; code < 16 * 16 * 16; ++code) {
    Bytes memory(9);
    std::vector<IoRequest> requests;
    for (int i = 0, rest = code; i < 3; ++i, rest /= 16) {
      requests.push_back({(rest % 4) * 2, memory.data() + requests.size() * 3, rest / 4 % 4});
    }
    IoOutcome outcome = file->transfer(Direction::kRead, requests);
    ASSERT_TRUE(outcome.status.ok());
    std::int64_t left = expected_moved(requests, kFileBytes);
    ASSERT_EQ(outcome.bytes_moved, left) << "batch " << code;
    for (const IoRequest& request : requests) {
      std::int64_t moved = std::min(left, request.bytes);
      left -= moved;
      for (std::int64_t i = 0; i < moved; ++i) {
        ASSERT_EQ(request.data[i], bytes[static_cast<std::size_t>(request.offset + i)]);
      }
    }
  }
}

// The obvious effect of a write.
void apply(const IoRequest& request, Bytes& expected) {
  for (std::int64_t i = 0; i < request.bytes; ++i) {
    std::size_t at = static_cast<std::size_t>(request.offset + i);
    if (at >= expected.size()) expected.resize(at + 1);
    expected[at] = request.data[i];
  }
}

// Up to 40 requests out of `memory`, about two thirds of them right behind the one before.
std::vector<IoRequest> random_batch(std::mt19937& random, Bytes& memory) {
  auto below = [&](int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random); };
  std::vector<IoRequest> requests;
  std::byte* data = memory.data();
  std::int64_t offset = below(5000);
  for (int left = below(40); left >= 0; --left) {
    if (below(3) == 0) offset = below(5000);
    requests.push_back({offset, data, below(100)});
    offset += requests.back().bytes;
    data += requests.back().bytes;
  }
  return requests;
}

TEST_P(DriverContract, RandomBatchesMatchAByteMap) {
  std::mt19937 random(7);
  std::unique_ptr<File> file = open();
  Bytes expected;
  for (int round = 0; round < 300; ++round) {
    Bytes memory = pattern(4000, round);
    std::vector<IoRequest> requests = random_batch(random, memory);
    std::int64_t asked = 0;
    for (const IoRequest& request : requests) {
      apply(request, expected);
      asked += request.bytes;
    }
    IoOutcome outcome = file->transfer(Direction::kWrite, requests);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.text();
    ASSERT_EQ(outcome.bytes_moved, asked);
    ASSERT_EQ(read_at(*file, 0, 10000), expected);
  }
}

TEST_P(DriverContract, ThreadsMayShareAFile) {
  std::unique_ptr<File> file = open();
  constexpr int kThreads = 4;
  constexpr std::int64_t kShare = 20000;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        Bytes mine = pattern(kShare, t);
        IoOutcome outcome = file->transfer(Direction::kWrite, chop(mine, t * kShare, 77));
        EXPECT_EQ(outcome.bytes_moved, kShare);
        EXPECT_EQ(read_at(*file, t * kShare, kShare), mine);
      });
    }
  }
  for (int t = 0; t < kThreads; ++t) EXPECT_EQ(read_at(*file, t * kShare, kShare), pattern(kShare, t));
  EXPECT_EQ(file->counters().bytes_written, kThreads * kShare);
  EXPECT_EQ(file->counters().bytes_read, 2 * kThreads * kShare);
}

// Advice may be taken or not, also behind the end of the file; the bytes are the same.
TEST_P(DriverContract, AdviceChangesNothing) {
  std::unique_ptr<File> file = open();
  write_or_fail(*file, 0, pattern(5000));
  const std::vector<Extent> ranges = {{0, 100}, {100, 200}, {4096, 5000}, {9000, 9001}};
  const std::int64_t taken = file->prefetch(ranges);
  EXPECT_GE(taken, 0);
  EXPECT_LE(taken, file->capabilities().prefetches ? 4 : 0);
  EXPECT_EQ(file->counters().ranges_asked, 4);
  EXPECT_EQ(file->counters().ranges_taken, taken);
  EXPECT_EQ(read_at(*file, 0, 6000), pattern(5000));
  file->release(std::span(ranges).first(static_cast<std::size_t>(taken)));
  EXPECT_EQ(read_at(*file, 0, 6000), pattern(5000));
  EXPECT_EQ(file->size().value(), 5000);
  EXPECT_EQ(file->prefetch({}), 0);
}

TEST_P(DriverContract, ResizeTruncatesAndExtendsWithZeros) {
  std::unique_ptr<File> file = open();
  write_or_fail(*file, 0, pattern(100000));
  ASSERT_TRUE(file->resize(70001).ok());
  EXPECT_EQ(file->size().value(), 70001);
  ASSERT_TRUE(file->resize(100000).ok());
  Bytes expected = pattern(70001);
  expected.resize(100000);
  EXPECT_EQ(read_at(*file, 0, 200000), expected);
}

TEST_P(DriverContract, PreallocateNeverShrinksNorChangesBytes) {
  std::unique_ptr<File> file = open();
  write_or_fail(*file, 0, pattern(1000));
  for (std::int64_t bytes : {0, 10, 1000}) {
    ASSERT_TRUE(file->preallocate(bytes).ok());
    EXPECT_EQ(read_at(*file, 0, 5000), pattern(1000));
  }
  ASSERT_TRUE(file->preallocate(3000).ok());
  Bytes expected = pattern(1000);
  expected.resize(3000);
  EXPECT_EQ(read_at(*file, 0, 5000), expected);
}

TEST_P(DriverContract, OffsetsBeyondFourGigabytes) {
  std::unique_ptr<File> file = open();
  constexpr std::int64_t kFar = (std::int64_t{1} << 33) + 12345;
  write_or_fail(*file, kFar, pattern(100));
  EXPECT_EQ(file->size().value(), kFar + 100);
  EXPECT_EQ(read_at(*file, kFar, 200), pattern(100));
  EXPECT_EQ(read_at(*file, kFar - 10, 10), Bytes(10)) << "a hole reads as zeros";
}

TEST_P(DriverContract, CloseOnceAndCountSyncs) {
  std::unique_ptr<File> file = open();
  EXPECT_TRUE(file->sync().ok());
  EXPECT_TRUE(file->sync().ok());
  EXPECT_EQ(file->counters().syncs, 2);
  EXPECT_TRUE(file->close().ok());
  EXPECT_EQ(file->close().error_class(), ErrorClass::kFile);
}

}  // namespace
}  // namespace weir::driver
