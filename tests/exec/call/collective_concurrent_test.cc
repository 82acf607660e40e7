// Several files in collective calls at the same time: nothing waits for, or lands in, the wrong one.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "exec/collective_combination.h"
#include "exec/effort.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::IoOutcome;
using driver::MemoryDriver;

constexpr int kRanks = 4;
constexpr std::int64_t kPieceBytes = 6;
constexpr std::int64_t kStepBytes = 25;  // of one rank in one step
constexpr int kSteps = kEveryNth == 1 ? 3 : 2;

// What a rank writes in a step of a file.
Bytes data_of(int file, int rank, int step) { return pattern(kStepBytes, 40 * file + 7 * rank + 100 * step); }

// All steps of all ranks, one behind the other in each rank's view.
Bytes expected_file(int file, int ranks) {
  Bytes bytes(static_cast<std::size_t>(ranks * kSteps * kStepBytes));
  for (int rank = 0; rank < ranks; ++rank) {
    const layout::FileView view = interleaved_view(rank, ranks, kPieceBytes);
    for (int step = 0; step < kSteps; ++step) {
      const Bytes data = data_of(file, rank, step);
      for (std::int64_t i = 0; i < kStepBytes; ++i) {
        const auto place = static_cast<std::size_t>(view.file_offset(step * kStepBytes + i));
        if (place >= bytes.size()) bytes.resize(place + 1);
        bytes[place] = data[static_cast<std::size_t>(i)];
      }
    }
  }
  return bytes;
}

// One rank's end of a file that has channels of its own.
class FileChannels {
 public:
  FileChannels(int ranks, const Combination& way)
      : hints_(way.hint_set()),
        collective_(comm::tested_group(ranks, way.ranks_per_node)),
        pointer_line_(comm::tested_line(ranks, way.ranks_per_node)) {}

  // COLLECTIVE.
  std::unique_ptr<OpenFile> open(driver::FileDriver& driver, const std::string& path, int rank) const {
    auto opened = OpenFile::open(driver, {collective_.comm(rank), pointer_line_.of(rank)}, {path, kCreateMode, hints_});
    if (!opened.ok()) std::abort();  // the other ranks wait: no test can go on
    return std::move(opened).value();
  }

 private:
  hints::HintSet hints_;
  comm::ThreadGroup collective_;
  comm::LineGroups pointer_line_;
};

// COLLECTIVE: every step written, then read back, by blocking calls.
void write_and_read(OpenFile& file, int number, int rank, int ranks, const std::string& text) {
  EXPECT_TRUE(file.set_view({}, interleaved_view(rank, ranks, kPieceBytes), 1).ok());
  for (int step = 0; step < kSteps; ++step) {
    const IoOutcome outcome = write_explicit(file, step * kStepBytes, data_of(number, rank, step), true);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.text() << "\n" << text;
    EXPECT_EQ(outcome.bytes_moved, kStepBytes) << text;
  }
  EXPECT_TRUE(file.sync().ok());
  for (int step = 0; step < kSteps; ++step) {
    Bytes found(kStepBytes);
    run_transfer(file, transfer_of(Direction::kRead, Positioning::kExplicit, true, found, step * kStepBytes))
        .status.ignore();
    EXPECT_EQ(found, data_of(number, rank, step)) << text;
  }
}

// Two combinations for two files.
std::vector<Combination> pair_of_ways(std::size_t index, int ranks_per_node) {
  std::vector<Combination> ways = {combination(index * 37 % kCombinationCount),
                                   combination((index * 101 + 5) % kCombinationCount)};
  for (Combination& way : ways) way.ranks_per_node = ranks_per_node;
  return ways;
}

void check_files(MemoryDriver& driver, const std::string& text) {
  for (int file = 0; file < 2; ++file) {
    EXPECT_EQ(driver.contents("f" + std::to_string(file)).value(), expected_file(file, kRanks)) << text;
  }
}

// Each rank has two threads, each in blocking calls on a file of its own.
TEST(CollectiveConcurrent, TwoThreadsPerRankOnTwoFiles) {
  for (std::size_t i = 0; i < 40; ++i) {
    const auto ways = pair_of_ways(i, static_cast<int>(i % 4));
    const std::string text = ways[0].text() + "\n" + ways[1].text();
    const FileChannels channels[] = {FileChannels(kRanks, ways[0]), FileChannels(kRanks, ways[1])};
    MemoryDriver driver;
    run_file_ranks(kRanks, [&](Rank& rank) {
      auto work = [&](int number) {
        auto file = channels[number].open(driver, "f" + std::to_string(number), rank.number());
        write_and_read(*file, number, rank.number(), kRanks, text);
        EXPECT_TRUE(file->close().ok());
      };
      std::jthread other(work, 1);
      work(0);
    });
    check_files(driver, text);
    if (HasFailure()) return;
  }
}

// Two groups of ranks that share nothing but the file, each with half of its bytes.
TEST(CollectiveConcurrent, TwoGroupsOnOneFile) {
  for (std::size_t i = 0; i < 40; ++i) {
    const auto ways = pair_of_ways(i + 60, static_cast<int>(i % 3));
    const std::string text = ways[0].text() + "\n" + ways[1].text();
    const FileChannels channels[] = {FileChannels(kRanks / 2, ways[0]), FileChannels(kRanks / 2, ways[1])};
    MemoryDriver driver;
    run_file_ranks(kRanks, [&](Rank& rank) {
      const int group = rank.number() % 2;
      auto file = channels[group].open(driver, "f0", rank.number() / 2);
      write_and_read(*file, 0, rank.number(), kRanks, text);
      EXPECT_TRUE(file->close().ok());
    });
    EXPECT_EQ(driver.contents("f0").value(), expected_file(0, kRanks)) << text;
    if (HasFailure()) return;
  }
}

// A started access, to be waited for.
class Started {
 public:
  Started(OpenFile& file, Direction direction, Bytes bytes, std::int64_t offset)
      : bytes_(std::make_shared<Bytes>(std::move(bytes))) {
    auto promise = std::make_shared<std::promise<IoOutcome>>();
    outcome_ = promise->get_future();
    const Transfer transfer = transfer_of(direction, Positioning::kExplicit, true, *bytes_, offset);
    file.start(file.prepare(transfer), [promise](IoOutcome outcome) { promise->set_value(std::move(outcome)); });
  }
  // The bytes written or read; none when it failed.
  Bytes wait() {
    const IoOutcome outcome = outcome_.get();
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
    EXPECT_EQ(outcome.bytes_moved, std::ssize(*bytes_));
    return outcome.status.ok() ? *bytes_ : Bytes();
  }

 private:
  std::shared_ptr<Bytes> bytes_;
  std::future<IoOutcome> outcome_;
};

// COLLECTIVE: starts all steps on both files; ranks differ in which file they start and wait for first.
void start_on_both(std::unique_ptr<OpenFile> (&files)[2], Direction direction, int rank, const std::string& text) {
  std::vector<Started> started[2];
  for (int turn = 0; turn < 2; ++turn) {
    const int number = (turn + rank) % 2;
    for (int step = 0; step < kSteps; ++step) {
      Bytes bytes = direction == Direction::kWrite ? data_of(number, rank, step) : Bytes(kStepBytes);
      started[number].emplace_back(*files[number], direction, std::move(bytes), step * kStepBytes);
    }
  }
  for (int turn = 0; turn < 2; ++turn) {
    const int number = (turn + rank / 2) % 2;
    for (int step = kSteps - 1; step >= 0; --step) {
      EXPECT_EQ(started[number][static_cast<std::size_t>(step)].wait(), data_of(number, rank, step)) << text;
    }
  }
}

TEST(CollectiveConcurrent, NonblockingCallsOnTwoFilesInFlightTogether) {
  for (std::size_t i = 0; i < 40; ++i) {
    const auto ways = pair_of_ways(i + 120, static_cast<int>(i % 4));
    const std::string text = ways[0].text() + "\n" + ways[1].text();
    const FileChannels channels[] = {FileChannels(kRanks, ways[0]), FileChannels(kRanks, ways[1])};
    MemoryDriver driver;
    run_file_ranks(kRanks, [&](Rank& rank) {
      std::unique_ptr<OpenFile> files[2];
      for (int number = 0; number < 2; ++number) {
        files[number] = channels[number].open(driver, "f" + std::to_string(number), rank.number());
        EXPECT_TRUE(files[number]->set_view({}, interleaved_view(rank.number(), kRanks, kPieceBytes), 1).ok());
      }
      start_on_both(files, Direction::kWrite, rank.number(), text);
      for (auto& file : files) EXPECT_TRUE(file->sync().ok());
      start_on_both(files, Direction::kRead, rank.number(), text);
      for (auto& file : files) EXPECT_TRUE(file->close().ok());
    });
    check_files(driver, text);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace weir::exec
