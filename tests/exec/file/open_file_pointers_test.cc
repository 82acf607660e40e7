// The individual and the shared file pointer.
#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::MemoryDriver;

constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

TEST(OpenFilePointers, SeekFromEverywhere) {
  MemoryDriver driver;
  put_file(driver, pattern(100));
  run_file_ranks(1, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_EQ(file->position().value(), 0);
    EXPECT_TRUE(file->seek(10, Whence::kSet).ok());
    EXPECT_TRUE(file->seek(-3, Whence::kCurrent).ok());
    EXPECT_EQ(file->position().value(), 7);
    EXPECT_TRUE(file->seek(-7, Whence::kCurrent).ok());
    EXPECT_EQ(file->position().value(), 0);
    EXPECT_TRUE(file->seek(5, Whence::kEnd).ok());
    EXPECT_EQ(file->position().value(), 105);
    EXPECT_TRUE(file->seek(-100, Whence::kEnd).ok());
    EXPECT_EQ(file->position().value(), 0);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFilePointers, TargetsBeforeTheBeginningAreRefused) {
  MemoryDriver driver;
  put_file(driver, pattern(100));
  run_file_ranks(1, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_TRUE(file->seek(10, Whence::kSet).ok());
    EXPECT_EQ(file->seek(-1, Whence::kSet).error_class(), ErrorClass::kArgument);
    EXPECT_EQ(file->seek(-11, Whence::kCurrent).error_class(), ErrorClass::kArgument);
    EXPECT_EQ(file->seek(-101, Whence::kEnd).error_class(), ErrorClass::kArgument);
    EXPECT_EQ(file->seek(kLowest, Whence::kSet).error_class(), ErrorClass::kArgument);
    EXPECT_EQ(file->seek(kHighest, Whence::kCurrent).error_class(), ErrorClass::kArgument);
    EXPECT_EQ(file->position().value(), 10);
    EXPECT_TRUE(file->close().ok());
  });
}

// Sees bytes 4..8, 14..18, ... as etypes of 2 bytes. The end is behind the last etype that begins in the file.
TEST(OpenFilePointers, TheEndOfAViewWithHoles) {
  const layout::FileView view(4, 2, layout::Layout::contiguous(4), 10);
  const std::map<std::int64_t, std::int64_t> end_of = {{0, 0},  {4, 0},  {5, 1},  {6, 1},  {7, 2},  {8, 2}, {13, 2},
                                                       {14, 2}, {15, 3}, {16, 3}, {18, 4}, {24, 4}, {25, 5}};
  for (auto [file_bytes, end] : end_of) {
    MemoryDriver driver;
    put_file(driver, pattern(file_bytes));
    run_file_ranks(2, [&, end = end, file_bytes = file_bytes](Rank& rank) {
      auto file = rank.open(driver);
      EXPECT_TRUE(file->set_view({}, view, 1).ok());
      EXPECT_TRUE(file->seek(0, Whence::kEnd).ok());
      EXPECT_EQ(file->position().value(), end) << file_bytes;
      EXPECT_TRUE(file->seek_shared(1, Whence::kEnd).ok());
      EXPECT_EQ(file->shared_position().value(), end + 1) << file_bytes;
      EXPECT_TRUE(file->close().ok());
    });
  }
}

TEST(OpenFilePointers, ByteOffsetsOfAView) {
  MemoryDriver driver;
  run_file_ranks(1, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_TRUE(file->set_view({}, layout::FileView(4, 2, layout::Layout::contiguous(4), 10), 1).ok());
    EXPECT_EQ(file->byte_offset(0).value(), 4);
    EXPECT_EQ(file->byte_offset(1).value(), 6);
    EXPECT_EQ(file->byte_offset(2).value(), 14);
    EXPECT_EQ(file->byte_offset(2000).value(), 10004);
    EXPECT_EQ(file->byte_offset(-1).status().error_class(), ErrorClass::kArgument);
    EXPECT_EQ(file->byte_offset(kHighest).status().error_class(), ErrorClass::kArgument);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFilePointers, AccessesMoveTheIndividualPointerOfTheirRank) {
  MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), 3, 4, 2), 2).ok());
    Bytes mine = pattern(6, rank.number());
    for (int i = 1; i <= 4; ++i) {
      auto outcome = run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kIndividual, i % 2 == 0, mine));
      EXPECT_EQ(outcome.bytes_moved, 6);
      EXPECT_EQ(file->position().value(), 3 * i);
    }
    Bytes explicit_bytes = pattern(2);
    EXPECT_EQ(write_explicit(*file, 50, explicit_bytes).bytes_moved, 2);
    EXPECT_EQ(file->position().value(), 12);
    EXPECT_EQ(file->shared_position().value(), 0);
    rank.meet();
    Bytes found(24);
    EXPECT_TRUE(file->seek(0, Whence::kSet).ok());
    EXPECT_EQ(run_transfer(*file, transfer_of(Direction::kRead, Positioning::kIndividual, false, found)).bytes_moved,
              24);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(driver::part(found, 6 * i, 6 * i + 6), mine);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFilePointers, ARefusedAccessLeavesThemAlone) {
  MemoryDriver driver;
  run_file_ranks(1, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_TRUE(file->set_view({}, layout::FileView(0, 4, layout::Layout::contiguous(4), 4), 4).ok());
    EXPECT_TRUE(file->seek(3, Whence::kSet).ok());
    Bytes odd = pattern(6);
    for (Positioning positioning : {Positioning::kIndividual, Positioning::kShared}) {
      auto outcome = run_transfer(*file, transfer_of(Direction::kWrite, positioning, false, odd));
      EXPECT_EQ(outcome.status.error_class(), ErrorClass::kIo);
      EXPECT_EQ(outcome.bytes_moved, 0);
    }
    EXPECT_EQ(file->position().value(), 3);
    EXPECT_EQ(file->shared_position().value(), 0);
    EXPECT_EQ(file->size().value(), 0);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFilePointers, AnAccessBehindTheGreatestOffsetIsRefused) {
  MemoryDriver driver;
  put_file(driver, pattern(8));
  run_file_ranks(1, [&](Rank& rank) {
    auto file = rank.open(driver);
    Bytes four = pattern(4);
    EXPECT_TRUE(file->seek(kHighest - 1, Whence::kSet).ok());
    auto outcome = run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kIndividual, false, four));
    EXPECT_EQ(outcome.status.error_class(), ErrorClass::kArgument);
    EXPECT_EQ(file->position().value(), kHighest - 1);
    EXPECT_EQ(write_explicit(*file, kHighest, four).status.error_class(), ErrorClass::kArgument);
    EXPECT_EQ(write_explicit(*file, -1, four).status.error_class(), ErrorClass::kArgument);
    EXPECT_EQ(file->size().value(), 8);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFilePointers, AnOrderedAccessBehindTheGreatestOffsetIsRefusedByAll) {
  MemoryDriver driver;
  Outcomes outcomes;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_TRUE(file->seek_shared(kHighest - 6, Whence::kSet).ok());
    Bytes four = pattern(4);
    auto outcome = run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kOrdered, true, four));
    outcomes.add(outcome.status);
    EXPECT_EQ(outcome.bytes_moved, 0);
    EXPECT_EQ(file->size().value(), 0);
    EXPECT_TRUE(file->close().ok());
  });
  outcomes.expect(3, ErrorClass::kArgument);
}

TEST(OpenFilePointers, SeekSharedIsForAll) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver;
    put_file(driver, pattern(100));
    Outcomes differed;
    Outcomes whence_differed;
    Outcomes negative;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      EXPECT_TRUE(file->seek_shared(10, Whence::kSet).ok());
      EXPECT_TRUE(file->seek_shared(5, Whence::kCurrent).ok());
      EXPECT_EQ(file->shared_position().value(), 15);
      EXPECT_EQ(file->position().value(), 0);
      rank.meet();
      negative.add(file->seek_shared(-16, Whence::kCurrent));
      EXPECT_EQ(file->seek_shared(kLowest, Whence::kSet).error_class(), ErrorClass::kArgument);
      differed.add(file->seek_shared(rank.number() + 1 == ranks ? 1 : 2, Whence::kSet));
      whence_differed.add(file->seek_shared(0, rank.number() + 1 == ranks ? Whence::kCurrent : Whence::kSet));
      if (ranks > 1) {
        EXPECT_EQ(file->shared_position().value(), 15);
      }
      EXPECT_TRUE(file->close().ok());
    });
    negative.expect(ranks, ErrorClass::kArgument);
    differed.expect(ranks, ranks == 1 ? ErrorClass::kOk : ErrorClass::kNotSame);
    whence_differed.expect(ranks, ranks == 1 ? ErrorClass::kOk : ErrorClass::kNotSame);
  }
}

// Records of `record_bytes`, each holding its own writer and number; every one is somewhere, exactly once.
void expect_all_records(const Bytes& bytes, int ranks, int records) {
  ASSERT_EQ(std::ssize(bytes), 4 * ranks * records);
  std::map<std::vector<std::byte>, int> found;
  for (std::int64_t at = 0; at < std::ssize(bytes); at += 4) ++found[driver::part(bytes, at, at + 4)];
  EXPECT_EQ(std::ssize(found), ranks * records);
}

Bytes record(int rank, int number) {
  return {static_cast<std::byte>(rank), static_cast<std::byte>(number), std::byte{1}, std::byte{2}};
}

TEST(OpenFilePointers, EveryRecordByTheSharedPointerExactlyOnce) {
  constexpr int kRecords = 25;
  for (int ranks_per_node : {0, 2}) {
    for (int ranks : kRankCounts) {
      MemoryDriver driver;
      run_file_ranks(ranks, ranks_per_node, [&](Rank& rank) {
        auto file = rank.open(driver);
        EXPECT_TRUE(file->set_view({}, layout::FileView(0, 4, layout::Layout::contiguous(4), 4), 4).ok());
        for (int i = 0; i < kRecords; ++i) {
          Bytes mine = record(rank.number(), i);
          auto outcome = run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kShared, false, mine));
          EXPECT_EQ(outcome.bytes_moved, 4) << outcome.status.text();
        }
        rank.meet();
        EXPECT_EQ(file->shared_position().value(), ranks * kRecords);
        EXPECT_TRUE(file->close().ok());
      });
      expect_all_records(driver.contents("f").value(), ranks, kRecords);
    }
  }
}

TEST(OpenFilePointers, OrderedAccessesFollowTheRanks) {
  for (int ranks_per_node : {0, 3}) {
    for (int ranks : kRankCounts) {
      MemoryDriver driver;
      Bytes expected;
      for (int round = 0; round < 3; ++round) {
        for (int rank = 0; rank < ranks; ++rank) {  // rank r writes r % 3 + round etypes, also none
          for (std::byte b : pattern(2 * (rank % 3 + round), rank)) expected.push_back(b);
        }
      }
      run_file_ranks(ranks, ranks_per_node, [&](Rank& rank) {
        auto file = rank.open(driver);
        EXPECT_TRUE(file->set_view({}, layout::FileView(0, 2, layout::Layout::contiguous(2), 2), 2).ok());
        for (Direction direction : {Direction::kWrite, Direction::kRead}) {
          for (int round = 0; round < 3; ++round) {
            const Bytes mine = pattern(2 * (rank.number() % 3 + round), rank.number());
            Bytes buffer = direction == Direction::kWrite ? mine : Bytes(mine.size());
            auto outcome = run_transfer(*file, transfer_of(direction, Positioning::kOrdered, true, buffer));
            EXPECT_EQ(outcome.bytes_moved, std::ssize(mine)) << outcome.status.text();
            EXPECT_EQ(buffer, mine);
          }
          EXPECT_EQ(file->shared_position().value(), std::ssize(expected) / 2);
          EXPECT_TRUE(file->seek_shared(0, Whence::kSet).ok());
        }
        EXPECT_TRUE(file->close().ok());
      });
      EXPECT_EQ(driver.contents("f").value(), expected);
    }
  }
}

// Messages that a rank sends in a collective call.
std::int64_t messages_of(const comm::ThreadComm& channel, const std::function<Status()>& call) {
  const std::int64_t before = channel.sent().messages;
  EXPECT_TRUE(call().ok());
  return channel.sent().messages - before;
}

TEST(OpenFilePointers, AViewCostsOneMeetingUnlessHintsOrTheSharedPointerChange) {
  MemoryDriver driver;
  run_file_ranks(8, 2, [&](Rank& rank) {
    Wiring wiring = rank.wiring();
    const auto& channel = static_cast<const comm::ThreadComm&>(*wiring.collective);
    auto file = OpenFile::open(driver, std::move(wiring), {"f", kCreateMode, {}}).value();
    const auto set_view = [&] { return file->set_view({}, layout::FileView(), 1); };
    const std::int64_t meeting = messages_of(channel, [&] { return file->agree_on({}); });
    EXPECT_EQ(meeting > 0, rank.number() % 2 == 0) << "the first ranks of the nodes speak for the others";
    EXPECT_EQ(messages_of(channel, set_view), meeting);
    if (rank.number() == 5) {
      Bytes one = pattern(1);
      EXPECT_EQ(run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kShared, false, one)).bytes_moved, 1);
    }
    EXPECT_TRUE(set_view().ok());
    EXPECT_EQ(file->shared_position().value(), 0);
    rank.meet();
    EXPECT_EQ(messages_of(channel, set_view), meeting);
    HintSources sources;
    if (rank.number() == 0) sources.info = {{"cb_nodes", "3"}};
    EXPECT_TRUE(file->set_view({}, layout::FileView(), 1, sources).ok());
    EXPECT_EQ(file->hints().integer(hints::Id::kCbNodes), 3);
    EXPECT_TRUE(file->close().ok());
  });
}

// What the first rank of a node sends for an ordered access that comes again.
std::int64_t bytes_between_of_ordered(int ranks, int ranks_per_node) {
  MemoryDriver driver;
  std::atomic<std::int64_t> most = 0;
  run_file_ranks(ranks, ranks_per_node, [&](Rank& rank) {
    Wiring wiring = rank.wiring();
    const auto& channel = static_cast<const comm::ThreadComm&>(*wiring.collective);
    auto file = OpenFile::open(driver, std::move(wiring), {"f", kCreateMode, {}}).value();
    Bytes nothing;
    std::int64_t before = 0;
    for (int call = 0; call < 3; ++call) {
      before = channel.sent_between().bytes;
      EXPECT_TRUE(
          run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kOrdered, true, nothing)).status.ok());
    }
    const std::int64_t sent = channel.sent_between().bytes - before;
    for (std::int64_t seen = most; sent > seen && !most.compare_exchange_weak(seen, sent);) continue;
    EXPECT_TRUE(file->close().ok());
  });
  return most;
}

TEST(OpenFilePointers, NodesTellEachOtherOneNumberForAnOrderedAccess) {
  const std::int64_t of_few = bytes_between_of_ordered(8, 2);
  EXPECT_GT(of_few, 0);
  EXPECT_EQ(bytes_between_of_ordered(32, 8), of_few);
}

TEST(OpenFilePointers, AnOrderedAccessWithARefusedRankMovesNothing) {
  for (int ranks : {1, 2, 4, 7}) {
    for (int bad = 0; bad < ranks; ++bad) {
      MemoryDriver driver;
      Outcomes outcomes;
      run_file_ranks(ranks, [&](Rank& rank) {
        auto file = rank.open(driver);
        EXPECT_TRUE(file->set_view({}, layout::FileView(0, 2, layout::Layout::contiguous(2), 2), 2).ok());
        Bytes mine = pattern(rank.number() == bad ? 3 : 4, rank.number());
        auto outcome = run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kOrdered, true, mine));
        outcomes.add(outcome.status);
        EXPECT_EQ(outcome.bytes_moved, 0);
        Bytes two = pattern(2, rank.number());  // and the next one works again
        EXPECT_TRUE(file->seek_shared(0, Whence::kSet).ok());
        EXPECT_EQ(run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kOrdered, true, two)).bytes_moved, 2);
        EXPECT_TRUE(file->close().ok());
      });
      outcomes.expect(ranks, ErrorClass::kIo);
      Bytes expected;
      for (int rank = 0; rank < ranks; ++rank) {
        for (std::byte b : pattern(2, rank)) expected.push_back(b);
      }
      EXPECT_EQ(driver.contents("f").value(), expected);
    }
  }
}

TEST(OpenFilePointers, ASequentialFileHasTheSharedPointerOnly) {
  MemoryDriver driver;
  put_file(driver, pattern(100));
  run_file_ranks(2, [&](Rank& rank) {
    auto file = rank.open(driver, {.read_only = true, .sequential = true});
    constexpr ErrorClass kRefused = ErrorClass::kUnsupportedOperation;
    Bytes buffer(10);
    auto access = [&](Positioning positioning, bool collective) {
      return run_transfer(*file, transfer_of(Direction::kRead, positioning, collective, buffer));
    };
    EXPECT_EQ(access(Positioning::kExplicit, false).status.error_class(), kRefused);
    EXPECT_EQ(access(Positioning::kIndividual, true).status.error_class(), kRefused);
    EXPECT_EQ(file->seek(0, Whence::kSet).error_class(), kRefused);
    EXPECT_EQ(file->seek_shared(0, Whence::kSet).error_class(), kRefused);
    EXPECT_EQ(file->position().status().error_class(), kRefused);
    EXPECT_EQ(file->shared_position().status().error_class(), kRefused);
    EXPECT_EQ(file->byte_offset(0).status().error_class(), kRefused);
    rank.meet();
    EXPECT_EQ(access(Positioning::kShared, false).bytes_moved, 10);
    rank.meet();
    EXPECT_EQ(access(Positioning::kOrdered, true).bytes_moved, 10);
    EXPECT_EQ(buffer, driver::part(pattern(100), 20 + 10 * rank.number(), 30 + 10 * rank.number()));
    EXPECT_EQ(file->current_displacement().value(), 40);
    EXPECT_TRUE(file->close().ok());
  });
}

}  // namespace
}  // namespace weir::exec
