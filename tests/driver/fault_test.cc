#include "driver/fault.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include "driver/memory.h"
#include "driver/support.h"

namespace weir::driver {
namespace {

using testing::HasSubstr;

constexpr int kSteps = 3;

// Advice has no status: it fails by taking nothing.
Status status_of_advice(File& file, const std::string& path) {
  const Extent range = {0, 1};
  return file.prefetch({&range, 1}) == 1 ? Status() : Status::from_errno(EDQUOT, "prefetch", path);
}

// Calls the operation kSteps times; which of them failed with `expected`.
std::vector<int> failed_calls(FaultDriver& driver, Operation operation, ErrorClass expected) {
  std::vector<int> failed;
  for (int step = 0; step < kSteps; ++step) {
    std::string path = "f" + std::to_string(step);
    Result<std::unique_ptr<File>> opened = driver.open(path, kCreate, nullptr);
    Status status = opened.status();
    if (opened.ok()) {
      File& file = *opened.value();
      std::byte byte{1};
      IoRequest request = {0, &byte, 1};
      switch (operation) {
        case Operation::kOpen: break;
        case Operation::kTransfer:
        case Operation::kWrite: status = file.transfer(Direction::kWrite, {&request, 1}).status; break;
        case Operation::kRead: status = file.transfer(Direction::kRead, {&request, 1}).status; break;
        case Operation::kSize: status = file.size().status(); break;
        case Operation::kResize: status = file.resize(1); break;
        case Operation::kPreallocate: status = file.preallocate(1); break;
        case Operation::kSync: status = file.sync(); break;
        case Operation::kLock: status = file.lock({0, 1}, LockKind::kExclusive).status(); break;
        case Operation::kClose: status = file.close(); break;
        case Operation::kRemove: status = driver.remove(path); break;
        case Operation::kPrefetch: status = status_of_advice(file, path); break;
      }
    }
    if (!status.ok()) {
      EXPECT_EQ(status.error_class(), expected) << status.text();
      EXPECT_THAT(status.text(), HasSubstr(path));
      failed.push_back(step);
    }
  }
  return failed;
}

TEST(Fault, EveryOperationFailsAtEveryCall) {
  for (int code = 0; code < kOperationCount; ++code) {
    Operation operation = static_cast<Operation>(code);
    for (int k = 0; k <= kSteps; ++k) {
      MemoryDriver memory({.prefetch_slots = 1});
      FaultDriver driver(memory, {.faults = {{operation, k, EDQUOT}}});
      std::vector<int> expected = k < kSteps ? std::vector{k} : std::vector<int>{};
      EXPECT_EQ(failed_calls(driver, operation, ErrorClass::kQuota), expected)
          << "operation " << code << ", call " << k;
      EXPECT_EQ(driver.strikes(), k < kSteps ? 1 : 0);
      EXPECT_EQ(driver.calls(operation), kSteps);
    }
  }
}

TEST(Fault, AFaultMayLast) {
  MemoryDriver memory;
  FaultDriver driver(memory, {.faults = {{Operation::kSync, 1, EIO, 0, 2}}});
  EXPECT_EQ(failed_calls(driver, Operation::kSync, ErrorClass::kIo), (std::vector{1, 2}));
  EXPECT_EQ(driver.strikes(), 2);
}

TEST(Fault, ATransferMovesExactlyTheBytesBefore) {
  Bytes bytes = pattern(50);
  for (std::int64_t before = 0; before <= 60; ++before) {
    MemoryDriver memory;
    FaultDriver driver(memory, {.faults = {{Operation::kWrite, 0, ENOSPC, before}}});
    std::unique_ptr<File> file = open_or_fail(driver, "f");
    Bytes copy = bytes;
    IoOutcome outcome = file->transfer(Direction::kWrite, chop(copy, 0, 7));
    std::int64_t moved = std::min<std::int64_t>(before, 50);
    EXPECT_EQ(outcome.status.error_class(), ErrorClass::kNoSpace);
    EXPECT_EQ(outcome.bytes_moved, moved);
    std::string place = before < 50 ? "at offset " + std::to_string(before) + ":" : "'f':";
    EXPECT_THAT(outcome.status.text(), HasSubstr(place));
    EXPECT_EQ(memory.contents("f").value(), part(bytes, 0, moved));
    write_or_fail(*file, 0, bytes);
  }
}

TEST(Fault, AFailedReadCountsNoMoreThanThereIs) {
  MemoryDriver memory;
  write_or_fail(*open_or_fail(memory, "f"), 0, pattern(5));
  FaultDriver driver(memory, {.faults = {{Operation::kRead, 0, EIO, 8}}});
  Bytes back(10);
  IoRequest request = {0, back.data(), 10};
  IoOutcome outcome = open_or_fail(driver, "f")->transfer(Direction::kRead, {&request, 1});
  EXPECT_EQ(outcome.bytes_moved, 5);
  EXPECT_EQ(outcome.status.error_class(), ErrorClass::kIo);
}

TEST(Fault, AFailedOpenCreatesNothingAndAFailedResizeChangesNothing) {
  MemoryDriver memory;
  FaultDriver driver(memory, {.faults = {{Operation::kOpen, 0, EIO}, {Operation::kResize, 0, EIO}}});
  bool created = true;
  EXPECT_FALSE(driver.open("f", kCreate, &created).ok());
  EXPECT_FALSE(created);
  EXPECT_EQ(open_class(memory, "f", kReadOnly), ErrorClass::kNoSuchFile);
  std::unique_ptr<File> file = open_or_fail(driver, "f");
  EXPECT_FALSE(file->resize(10).ok());
  EXPECT_EQ(file->size().value(), 0);
}

TEST(Fault, AFailedCloseStillCloses) {
  MemoryDriver memory;
  FaultDriver driver(memory, {.faults = {{Operation::kClose, 0, EIO}}});
  std::unique_ptr<File> file = open_or_fail(driver, "f");
  EXPECT_EQ(file->close().error_class(), ErrorClass::kIo);
  EXPECT_EQ(file->close().error_class(), ErrorClass::kFile);
}

TEST(Fault, DirectionsAreCountedApartAndTogether) {
  MemoryDriver memory;
  FaultDriver driver(memory, {.faults = {{Operation::kTransfer, 2, EIO}, {Operation::kRead, 0, ENOSPC}}});
  std::unique_ptr<File> file = open_or_fail(driver, "f");
  std::byte byte{1};
  IoRequest request = {0, &byte, 1};
  EXPECT_TRUE(file->transfer(Direction::kWrite, {&request, 1}).status.ok());
  EXPECT_EQ(file->transfer(Direction::kRead, {&request, 1}).status.error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(file->transfer(Direction::kWrite, {&request, 1}).status.error_class(), ErrorClass::kIo);
  EXPECT_EQ(driver.calls(Operation::kTransfer), 3);
  EXPECT_EQ(driver.calls(Operation::kRead), 1);
}

TEST(Fault, ThreadsShareTheCount) {
  MemoryDriver memory;
  FaultDriver driver(memory, {.faults = {{Operation::kWrite, 37, EIO}}});
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        std::unique_ptr<File> file = open_or_fail(driver, "f" + std::to_string(t));
        for (int i = 0; i < 25; ++i) {
          if (!write_at(*file, i, pattern(1)).status.ok()) ++failures;
        }
      });
    }
  }
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(driver.calls(Operation::kWrite), 100);
}

TEST(Fault, TransfersTakeTheDelay) {
  MemoryDriver memory;
  FaultDriver driver(memory, {.transfer_delay = std::chrono::microseconds(3000)});
  std::unique_ptr<File> file = open_or_fail(driver, "f");
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 5; ++i) write_or_fail(*file, i, pattern(1));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::microseconds(15000));
}

}  // namespace
}  // namespace weir::driver
