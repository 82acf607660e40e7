// One rank's access when the file system fails under it.
#include <gtest/gtest.h>

#include <cerrno>

#include "comm/watchdog.h"
#include "driver/fault.h"
#include "exec/byte_request.h"

namespace weir::exec {
namespace {

using driver::Fault;
using driver::FaultDriver;
using driver::Operation;
using layout::FileView;
using layout::Layout;
using plan::AccessChoice;
using plan::AccessMethod;

// 2400 slices, gaps in file and memory: several transfers by any method.
Shape many_pieces() {
  return {FileView(3, 1, Layout::contiguous(2), 5), 1, Layout::repeat(1200, 4, Layout::contiguous(3))};
}

const std::vector<AccessChoice> kChoices = {
    {AccessMethod::kList, "", 0}, {AccessMethod::kPacked, "", 301}, {AccessMethod::kSieve, "", 999}};

// The file and the outcome after one access.
struct Aftermath {
  Bytes before;
  Bytes after;
  Bytes memory_before;
  Bytes memory_after;
  driver::IoOutcome outcome;
  std::int64_t strikes = 0;
};

Aftermath run_with(const Shape& shape, Direction direction, const AccessChoice& choice, const Fault& fault) {
  driver::MemoryDriver memory;
  Aftermath result;
  result.before = driver::pattern(9500, 2);
  driver::write_or_fail(*driver::open_or_fail(memory, "f"), 0, result.before);
  FaultDriver faults(memory, {{fault}});
  auto file = driver::open_or_fail(faults, "f");
  Arena arena(shape.memory);
  result.memory_before = arena.bytes();
  auto requests = layout::RequestList::make(shape.view, shape.data_offset, arena.memory()).value();
  result.outcome = access_file(*file, direction, requests, choice);
  result.memory_after = arena.bytes();
  result.after = memory.contents("f").value();
  result.strikes = faults.strikes();
  return result;
}

// What was counted did arrive, and what was not asked for did not change.
void check_aftermath(const Shape& shape, const ByteRequest& request, Direction direction, const Aftermath& result) {
  const Arena arena(shape.memory);
  Bytes file = direction == Direction::kWrite ? result.before : result.after;
  Bytes memory = direction == Direction::kRead ? result.memory_before : result.memory_after;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < request.file.size(); ++i) {
    const auto place = static_cast<std::size_t>(request.file[i]);
    const std::size_t index = arena.index(request.memory[i]);
    const bool counted = static_cast<std::int64_t>(i) < result.outcome.bytes_moved;
    wrong += counted && result.after[place] != result.memory_after[index] ? 1 : 0;
    file[place] = result.after[place];
    memory[index] = result.memory_after[index];
  }
  EXPECT_EQ(wrong, 0) << "bytes counted that did not arrive";
  EXPECT_TRUE(file == result.after) << "bytes of the file that were not asked for changed";
  EXPECT_TRUE(memory == result.memory_after) << "bytes of memory that were not asked for changed";
}

// Fails the k-th transfer for every k, after some bytes.
void sweep(const Shape& shape, Direction direction, const AccessChoice& choice, std::int64_t bytes_before) {
  const ByteRequest request = byte_request(shape);
  const std::int64_t all_bytes = shape.memory.data_bytes();
  std::int64_t least = 0;
  for (std::int64_t k = 0;; ++k) {
    SCOPED_TRACE(std::string(name(choice.method)) + " transfer " + std::to_string(k) + " after " +
                 std::to_string(bytes_before));
    Aftermath result = run_with(shape, direction, choice, {Operation::kTransfer, k, EIO, bytes_before});
    check_aftermath(shape, request, direction, result);
    EXPECT_GE(result.outcome.bytes_moved, least) << "less was counted than with an earlier failure";
    least = result.outcome.bytes_moved;
    if (result.strikes == 0) {
      EXPECT_TRUE(result.outcome.status.ok());
      EXPECT_EQ(result.outcome.bytes_moved, all_bytes);
      EXPECT_GT(k, 2);
      return;
    }
    EXPECT_EQ(result.outcome.status.error_class(), ErrorClass::kIo);
    EXPECT_LE(result.outcome.bytes_moved, all_bytes);
    EXPECT_NE(result.outcome.status.text().find("'f'"), std::string::npos) << result.outcome.status.text();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(IndependentFault, EveryTransferFailsOnce) {
  HangGuard watchdog("sweep over transfers", std::chrono::seconds(280));
  for (Direction direction : {Direction::kRead, Direction::kWrite}) {
    for (const AccessChoice& choice : kChoices) {
      for (std::int64_t bytes_before : {0, 1, 50}) sweep(many_pieces(), direction, choice, bytes_before);
    }
  }
}

// A disk with room for `capacity` bytes: what fits is written, and counted exactly where each request stands alone.
TEST(IndependentFault, AFullDiskAtEveryPosition) {
  const Shape shape = {FileView(2, 1, Layout::contiguous(3), 7), 1, Layout::repeat(9, 2, Layout::contiguous(1))};
  const ByteRequest request = byte_request(shape);
  for (const AccessChoice& choice : choices_for(shape)) {
    for (std::int64_t capacity = 0; capacity <= request.file.back() + 1; ++capacity) {
      driver::MemoryDriver memory({.capacity_bytes = capacity});
      auto file = driver::open_or_fail(memory, "f");
      Arena arena(shape.memory);
      auto requests = layout::RequestList::make(shape.view, shape.data_offset, arena.memory()).value();
      driver::IoOutcome outcome = access_file(*file, Direction::kWrite, requests, choice);
      const std::int64_t fits = bytes_before_end(request, capacity);
      const bool all_fits = fits == shape.memory.data_bytes();
      EXPECT_EQ(outcome.status.error_class(), all_fits ? ErrorClass::kOk : ErrorClass::kNoSpace);
      EXPECT_LE(outcome.bytes_moved, fits);
      if (choice.method != AccessMethod::kSieve || all_fits) {
        EXPECT_EQ(outcome.bytes_moved, fits);
      }
      const Bytes written = memory.contents("f").value();
      for (std::size_t i = 0; i < static_cast<std::size_t>(outcome.bytes_moved); ++i) {
        EXPECT_EQ(written[static_cast<std::size_t>(request.file[i])], arena.at(request.memory[i]));
      }
    }
  }
}

TEST(IndependentFault, ARefusedDirectionMovesNothing) {
  driver::MemoryDriver memory;
  driver::write_or_fail(*driver::open_or_fail(memory, "f"), 0, driver::pattern(6000));
  auto reader = driver::open_or_fail(memory, "f", driver::kReadOnly);
  auto writer = driver::open_or_fail(memory, "f", driver::kWriteOnly);
  for (const AccessChoice& choice : kChoices) {
    Arena arena(many_pieces().memory);
    const Bytes memory_before = arena.bytes();
    auto requests = layout::RequestList::make(many_pieces().view, 0, arena.memory()).value();
    driver::IoOutcome written = access_file(*reader, Direction::kWrite, requests, choice);
    driver::IoOutcome read = access_file(*writer, Direction::kRead, requests, choice);
    EXPECT_EQ(written.status.error_class(), ErrorClass::kReadOnly);
    EXPECT_EQ(read.status.error_class(), ErrorClass::kAccess);
    EXPECT_EQ(written.bytes_moved + read.bytes_moved, 0);
    EXPECT_TRUE(arena.bytes() == memory_before);
  }
  EXPECT_EQ(memory.contents("f").value(), driver::pattern(6000));
}

}  // namespace
}  // namespace weir::exec
