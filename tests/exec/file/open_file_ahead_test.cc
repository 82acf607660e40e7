// Collective calls of large pieces, one after another: ranks move their bytes before they meet, and a call that turns
// out to be another one is still right.
#include <gtest/gtest.h>

#include <cerrno>
#include <random>

#include "driver/fault.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::MemoryDriver;
using layout::FileView;
using layout::Layout;

constexpr std::int64_t kLarge = 128 << 10;
constexpr int kRanks = 4;

driver::IoOutcome access_all(OpenFile& file, Direction direction, std::int64_t offset, Bytes& bytes) {
  return run_transfer(file, transfer_of(direction, Positioning::kExplicit, true, bytes, offset));
}

// COLLECTIVE. The plan of the last call in this direction.
plan::Plan last_plan(OpenFile& file, Direction direction) {
  const auto report = file.report();
  EXPECT_TRUE(report.ok());
  return report.value().calls.of(direction).last_plan().value_or(plan::Plan());
}

// COLLECTIVE. Large segments, rank after rank, as call number `call` of a series.
void segments(Rank& rank, OpenFile& file, Direction direction, int call) {
  Bytes bytes = pattern(kLarge, 10 * call + rank.number());
  const Bytes expected = bytes;
  if (direction == Direction::kRead) bytes.assign(bytes.size(), std::byte{0});
  const auto outcome = access_all(file, direction, (call * rank.size() + rank.number()) * kLarge, bytes);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
  EXPECT_EQ(outcome.bytes_moved, kLarge);
  EXPECT_EQ(bytes, expected);
}

TEST(Ahead, FromTheSecondLargeCallOn) {
  for (const int ranks : kRankCounts) {
    if (ranks == 1) continue;
    MemoryDriver driver;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
        for (int call = 0; call < 3; ++call) {
          segments(rank, *file, direction, call);
          EXPECT_EQ(last_plan(*file, direction).moved, call > 0) << ranks;
        }
      }
      EXPECT_TRUE(file->close().ok());
    });
  }
}

// Programs that write a file a step: what one file was asked for, the next one is.
TEST(Ahead, FromTheFirstCallOnInLaterFiles) {
  MemoryDriver driver;
  run_file_ranks(kRanks, [&](Rank& rank) {
    const auto engines = std::make_shared<EnginePool>();
    for (int step = 0; step < 3; ++step) {
      Wiring wiring = rank.wiring();
      wiring.use(engines->take(engines->choose(), nullptr));
      auto opened = OpenFile::open(driver, std::move(wiring), {"f", kCreateMode, {}});
      ASSERT_TRUE(opened.ok()) << opened.status().text();
      const std::unique_ptr<OpenFile> file = std::move(opened).value();
      for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
        segments(rank, *file, direction, step);
        EXPECT_EQ(last_plan(*file, direction).moved, step > 0);
        EXPECT_GT(last_plan(*file, direction).predicted.total_us(), 0);
      }
      EXPECT_TRUE(file->close().ok());
    }
  });
}

TEST(Ahead, NotAfterHintsChanged) {
  MemoryDriver driver;
  run_file_ranks(kRanks, [&](Rank& rank) {
    auto file = rank.open(driver);
    segments(rank, *file, Direction::kWrite, 0);
    EXPECT_TRUE(file->settle_hints({.file = {},
                                    .info = {{"weir_method", "two_phase"}},
                                    .command_line = {},
                                    .complaints = {},
                                    .report = {}},
                                   hints::When::kSetInfo)
                    .ok());
    segments(rank, *file, Direction::kWrite, 1);
    EXPECT_EQ(last_plan(*file, Direction::kWrite).method, plan::Method::kTwoPhase);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(Ahead, NotInAtomicMode) {
  MemoryDriver driver;
  run_file_ranks(kRanks, [&](Rank& rank) {
    auto file = rank.open(driver);
    segments(rank, *file, Direction::kWrite, 0);
    EXPECT_TRUE(file->set_atomic(true).ok());
    segments(rank, *file, Direction::kWrite, 1);
    EXPECT_FALSE(last_plan(*file, Direction::kWrite).moved);
    EXPECT_TRUE(file->close().ok());
  });
}

// Ranks below `ahead` have a large piece once more; the others deal tiny ones among themselves, or have none.
TEST(Ahead, OthersGoOnWithWhatTheyHave) {
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    for (int ahead = 0; ahead <= kRanks; ++ahead) {
      for (const std::int64_t tiny_blocks : {std::int64_t{0}, std::int64_t{3000}}) {
        MemoryDriver driver;
        const std::int64_t behind = 2 * kRanks * kLarge;
        const Bytes before = pattern(behind + kRanks * tiny_blocks * 4 + 100, 99);
        put_file(driver, before);
        run_file_ranks(kRanks, [&](Rank& rank) {
          auto file = rank.open(driver, kReadWriteMode);
          Bytes first(before.begin() + rank.number() * kLarge, before.begin() + (rank.number() + 1) * kLarge);
          EXPECT_TRUE(access_all(*file, direction, rank.number() * kLarge, first).status.ok());
          const bool large = rank.number() < ahead;
          const FileView tiny(behind + rank.number() * 4, 1, Layout::contiguous(4), kRanks * 4);
          EXPECT_TRUE(file->set_view({}, large ? FileView() : tiny, 1).ok());
          Bytes bytes = pattern(large ? kLarge : tiny_blocks * 4, rank.number());
          const Bytes written = bytes;
          const std::int64_t offset = large ? (kRanks + rank.number()) * kLarge : 0;
          const auto outcome = access_all(*file, direction, offset, bytes);
          EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
          EXPECT_EQ(outcome.bytes_moved, std::ssize(bytes));
          rank.meet();
          EXPECT_TRUE(file->set_view({}, FileView(), 1).ok());
          Bytes now(before.size());
          EXPECT_TRUE(
              run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, false, now)).status.ok());
          for (std::size_t i = 0; i < bytes.size(); ++i) {
            const auto place = static_cast<std::size_t>(large ? offset + static_cast<std::int64_t>(i)
                                                              : tiny.file_offset(static_cast<std::int64_t>(i)));
            ASSERT_EQ(bytes[i], now[place]);
            ASSERT_EQ(now[place], direction == Direction::kWrite ? written[i] : before[place]);
          }
          EXPECT_TRUE(std::equal(now.end() - 100, now.end(), before.end() - 100));
          EXPECT_TRUE(file->close().ok());
        });
      }
    }
  }
}

// The k-th file access fails on one rank: all ranks return the same, whoever had moved ahead, and the next call works.
TEST(Ahead, AFailureIsEverybodys) {
  for (const bool others_tiny : {false, true}) {
    for (int failing = 0; failing < kRanks; ++failing) {
      MemoryDriver memory;
      driver::FaultDriver faults(memory, {{driver::Fault{driver::Operation::kTransfer, 1, EIO}}});
      Outcomes second;
      run_file_ranks(kRanks, [&](Rank& rank) {
        auto file = rank.open(rank.number() == failing ? static_cast<driver::FileDriver&>(faults) : memory);
        segments(rank, *file, Direction::kWrite, 0);
        const bool large = !others_tiny || rank.number() % 2 == failing % 2;
        const FileView tiny(8 * kRanks * kLarge + rank.number() * 4, 1, Layout::contiguous(4), kRanks * 4);
        EXPECT_TRUE(file->set_view({}, large ? FileView() : tiny, 1).ok());
        Bytes bytes = pattern(large ? kLarge : 4000, 3);
        second.add(access_all(*file, Direction::kWrite, large ? (kRanks + rank.number()) * kLarge : 0, bytes).status);
        EXPECT_TRUE(file->set_view({}, FileView(), 1).ok());
        segments(rank, *file, Direction::kWrite, 2);
        EXPECT_FALSE(last_plan(*file, Direction::kWrite).moved);  // after a failure, ranks meet first again
        EXPECT_TRUE(file->close().ok());
      });
      second.expect(kRanks, ErrorClass::kIo);
    }
  }
}

TEST(Ahead, ARefusedRankLeavesNobodyWaiting) {
  MemoryDriver driver;
  Outcomes outcomes;
  run_file_ranks(kRanks, [&](Rank& rank) {
    auto file = rank.open(driver);
    segments(rank, *file, Direction::kWrite, 0);
    Bytes bytes = pattern(kLarge, 1);
    outcomes.add(access_all(*file, Direction::kWrite, rank.number() == 2 ? -1 : rank.number() * kLarge, bytes).status);
    EXPECT_TRUE(file->close().ok());
  });
  outcomes.expect(kRanks, ErrorClass::kArgument);
}

// Series of calls, each large, tiny, mixed or empty, against a map of the file.
TEST(Ahead, RandomSeries) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 shared(seed);
  constexpr int kCalls = 30;
  std::vector<std::vector<std::int64_t>> sizes(kCalls, std::vector<std::int64_t>(kRanks));
  for (auto& call : sizes) {
    const auto kind = shared() % 4;
    for (std::int64_t& size : call) {
      const bool large = kind == 0 || (kind == 1 && shared() % 2 == 0);
      size = kind == 3 && shared() % 2 == 0 ? 0 : large ? kLarge : static_cast<std::int64_t>(shared() % 5000);
    }
  }
  Bytes expected;
  for (int call = 0; call < kCalls; ++call) {
    for (int rank = 0; rank < kRanks; ++rank) {
      const Bytes part =
          pattern(sizes[static_cast<std::size_t>(call)][static_cast<std::size_t>(rank)], call * 7 + rank);
      const auto begin = (call * kRanks + rank) * kLarge;
      if (!part.empty() && std::ssize(expected) < begin + std::ssize(part))
        expected.resize(static_cast<std::size_t>(begin) + part.size());
      std::copy(part.begin(), part.end(), expected.begin() + (part.empty() ? 0 : begin));
    }
  }
  MemoryDriver driver;
  run_file_ranks(kRanks, [&](Rank& rank) {
    auto file = rank.open(driver);
    for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
      for (int call = 0; call < kCalls; ++call) {
        const auto size = sizes[static_cast<std::size_t>(call)][static_cast<std::size_t>(rank.number())];
        const Bytes right = pattern(size, call * 7 + rank.number());
        Bytes bytes = direction == Direction::kWrite ? right : Bytes(right.size());
        EXPECT_TRUE(access_all(*file, direction, (call * kRanks + rank.number()) * kLarge, bytes).status.ok());
        EXPECT_EQ(bytes, right);
      }
      rank.meet();
    }
    if (rank.number() == 0) {
      Bytes now(expected.size());
      EXPECT_TRUE(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, false, now)).status.ok());
      EXPECT_EQ(now, expected);
    }
    EXPECT_TRUE(file->close().ok());
  });
}

}  // namespace
}  // namespace weir::exec
