// Advice ahead of reads: what it is, that it is within bounds, and that it changes nothing else.
#include "driver/advised_file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <vector>

#include "driver/fault.h"
#include "exec/advice_driver.h"
#include "exec/byte_request.h"

namespace weir::exec {
namespace {

using driver::IoRequest;
using layout::FileView;
using layout::Layout;

constexpr std::int64_t kBlock = 16;
const std::vector<std::int64_t> kMaxAccs = {0, 1, 2, 4, 8};

std::vector<FileView> ascending_views() {
  const std::vector<std::int64_t> places = {1, 5, 40, 90};
  const std::vector<std::int64_t> lengths = {2, 3, 20, 1};
  return {
      FileView(),
      {3, 1, Layout::contiguous(2), 5},                // several pieces in a block
      {0, 1, Layout::contiguous(4), 48},               // blocks without pieces between those with one
      {7, 1, Layout::blocks(places, lengths), 96},     // pieces of several blocks, and several in a block
      {2, 1, Layout::contiguous(kBlock), 2 * kBlock},  // across the borders of blocks
  };
}

struct Result {
  driver::IoOutcome outcome;
  Bytes memory;
  AdviceLog log;
};

Result read_alone(const Shape& shape, plan::AccessChoice choice, std::int64_t max_acc, std::int64_t file_bytes,
                  const AdviceDriver::Answer& answer) {
  AdviceDriver driver(kBlock, answer);
  driver::write_or_fail(*driver::open_or_fail(driver.memory(), "f"), 0, driver::pattern(file_bytes));
  const auto file = driver::open_or_fail(driver, "f");
  Arena arena(shape.memory);
  const auto requests = layout::RequestList::make(shape.view, shape.data_offset, arena.memory()).value();
  choice.prefetch = {max_acc, kBlock};
  driver::IoOutcome outcome = access_file(*file, Direction::kRead, requests, choice);
  return {std::move(outcome), arena.bytes(), driver.log()};
}

void check_alone(const Shape& shape, const plan::AccessChoice& choice, std::int64_t file_bytes) {
  const Result plain = read_alone(shape, choice, 0, file_bytes, take_all);
  EXPECT_EQ(plain.log.asks, 0);
  for (const std::int64_t max_acc : kMaxAccs) {
    for (const NamedAnswer& system : all_answers()) {
      const Result found = read_alone(shape, choice, max_acc, file_bytes, system.answer);
      const bool same = found.outcome.status.ok() && found.outcome.bytes_moved == plain.outcome.bytes_moved &&
                        found.memory == plain.memory && found.log.reads == plain.log.reads;
      const bool bounded = found.log.most_held <= 2 * max_acc && found.log.released == found.log.taken;
      const bool advised = (found.log.asks > 0) == (max_acc > 0);
      ASSERT_TRUE(same && bounded && advised)
          << describe(shape) << " by " << name(choice.method) << " with buffer " << choice.buffer_bytes << ", file of "
          << file_bytes << ", max_acc " << max_acc << ", " << system.name << ": " << found.log.story;
    }
  }
}

TEST(AdvisedFile, ChangesNeitherBytesNorSystemCallsOfAnyMethod) {
  for (const FileView& view : ascending_views()) {
    for (const std::int64_t bytes : {1, 17, 120}) {
      for (const Layout& memory : {Layout::contiguous(bytes), Layout::repeat(bytes, 2, Layout::contiguous(1))}) {
        const Shape shape{view, 1, memory};
        const std::int64_t end = byte_request(shape).file.back() + 1;
        for (const plan::AccessChoice& choice : choices_for(shape)) {
          for (const std::int64_t file_bytes : {end, end / 2, std::int64_t{0}}) {
            check_alone(shape, choice, file_bytes);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// The story of a list read of the first 4 bytes of every other block.
std::string story_of(std::int64_t max_acc, std::int64_t blocks, const AdviceDriver::Answer& answer) {
  const FileView view(0, 1, Layout::contiguous(4), 2 * kBlock);
  const Shape shape{view, 0, Layout::contiguous(4 * blocks)};
  return read_alone(shape, {plan::AccessMethod::kList, "", 0}, max_acc, 1000, answer).log.story;
}

TEST(AdvisedFile, AccessesWhatWasTakenAndAsksForAsManyMore) {
  EXPECT_EQ(story_of(1, 3, take_all), "ask 2/2 read 0+4 release 1 ask 1/1 read 32+4 release 1 read 64+4 release 1 ");
  EXPECT_EQ(
      story_of(2, 6, take_all),
      "ask 4/4 read 0+4 read 32+4 release 2 ask 2/2 read 64+4 read 96+4 release 2 read 128+4 read 160+4 release 2 ");
  EXPECT_EQ(story_of(8, 2, take_all), "ask 2/2 read 0+4 read 32+4 release 2 ");
}

TEST(AdvisedFile, AccessesOneRangeWhereNothingWasTaken) {
  EXPECT_EQ(story_of(2, 3, [](std::int64_t) { return 0; }), "ask 0/3 read 0+4 ask 0/2 read 32+4 ask 0/1 read 64+4 ");
}

TEST(AdvisedFile, AsksAgainForWhatWasNotTaken) {
  EXPECT_EQ(story_of(2, 5, [](std::int64_t) { return 1; }),
            "ask 1/4 read 0+4 release 1 ask 1/4 read 32+4 release 1 ask 1/3 read 64+4 release 1 ask 1/2 read 96+4 "
            "release 1 ask 1/1 read 128+4 release 1 ");
}

// Pieces of a block that do not touch are one range, from the first to the last of them.
TEST(AdvisedFile, ARangeIsTheSpanOfABlock) {
  const Shape shape{{3, 1, Layout::contiguous(2), 5}, 0, Layout::contiguous(20)};  // 3-4, 8-9, 13-14, 18-19, ..., 48-49
  const Result found = read_alone(shape, {plan::AccessMethod::kList, "", 0}, 8, 100, take_all);
  EXPECT_EQ(found.log.ranges, (std::vector<Extent>{{3, 15}, {18, 30}, {33, 45}, {48, 50}}));
}

// One request that reaches over many blocks is not cut, and what it reads anyway is not asked for.
TEST(AdvisedFile, ALargeRequestIsNotCut) {
  const Shape shape{FileView(), 5, Layout::contiguous(900)};
  const Result found = read_alone(shape, {plan::AccessMethod::kContiguous, "", 0}, 1, 1000, take_all);
  EXPECT_EQ(found.log.story, "ask 2/2 read 5+900 release 2 ");
}

TEST(AdvisedFile, AWriteGivesNoAdvice) {
  AdviceDriver driver(kBlock, take_all);
  const auto file = driver::open_or_fail(driver, "f");
  Bytes bytes = driver::pattern(400);
  const auto requests =
      layout::RequestList::make({0, 1, Layout::contiguous(4), 20}, 0, layout::Memory::of(bytes.data(), 400)).value();
  plan::AccessRules rules;
  rules.prefetch = {4, kBlock};
  rules.sole_owner = true;
  rules.sieve_writes = Toggle::kEnable;
  const plan::AccessChoice choice = plan::choose_access(shape_of(Direction::kWrite, requests), rules);
  EXPECT_EQ(choice.method, plan::AccessMethod::kSieve);
  EXPECT_TRUE(access_file(*file, Direction::kWrite, requests, choice).status.ok());
  EXPECT_EQ(driver.log().asks, 0);
}

// Where pieces do not ascend, there is no order of blocks to run ahead in.
TEST(AdvisedFile, OnlyAscendingReadsAreChosenForIt) {
  plan::AccessRules rules;
  rules.prefetch = {4, kBlock};
  const plan::AccessShape ascending{Direction::kRead, 100, 10, 1, {0, 1000}, true};
  plan::AccessShape other = ascending;
  other.ascending = false;
  EXPECT_EQ(plan::choose_access(ascending, rules).prefetch, rules.prefetch);
  EXPECT_EQ(plan::choose_access(other, rules).prefetch, plan::Prefetch{});
}

TEST(AdvisedFile, AFailureOfAdviceIsNoneOfTheRead) {
  driver::MemoryDriver memory({.prefetch_slots = 3});
  driver::FaultDriver faulty(memory, {.faults = {{driver::Operation::kPrefetch, 1, EIO, 0, 2}}});
  const auto file = driver::open_or_fail(faulty, "f");
  driver::write_or_fail(*file, 0, driver::pattern(1000));
  Bytes bytes(40);
  const auto requests =
      layout::RequestList::make({0, 1, Layout::contiguous(4), 32}, 0, layout::Memory::of(bytes.data(), 40)).value();
  const auto outcome = access_file(*file, Direction::kRead, requests, {plan::AccessMethod::kList, "", 0, {2, kBlock}});
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.bytes_moved, 40);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(bytes[i], driver::pattern(1000)[i / 4 * 32 + i % 4]);
  EXPECT_EQ(faulty.strikes(), 2);
  EXPECT_EQ(file->counters().ranges_taken, 9) << "one was read while advice failed and none was held";
}

// A read that fails gives back what it holds.
TEST(AdvisedFile, AFailedReadReleasesWhatItHolds) {
  for (std::int64_t call = 0; call < 10; ++call) {
    AdviceDriver watched(kBlock, take_all);
    driver::write_or_fail(*driver::open_or_fail(watched.memory(), "f"), 0, driver::pattern(1000));
    driver::FaultDriver faulty(watched, {.faults = {{driver::Operation::kRead, call, EIO}}});
    const auto file = driver::open_or_fail(faulty, "f");
    Bytes bytes(40);
    const auto requests =
        layout::RequestList::make({0, 1, Layout::contiguous(4), 32}, 0, layout::Memory::of(bytes.data(), 40)).value();
    const auto outcome =
        access_file(*file, Direction::kRead, requests, {plan::AccessMethod::kList, "", 0, {1, kBlock}});
    EXPECT_EQ(outcome.status.error_class(), ErrorClass::kIo);
    EXPECT_EQ(outcome.bytes_moved, 4 * call) << "max_acc 1 reads block by block";
    EXPECT_EQ(watched.log().released, watched.log().taken);
  }
}

}  // namespace
}  // namespace weir::exec
