// Accesses that run behind the program's back: nonblocking and split collective ones.
#include <gtest/gtest.h>

#include <cerrno>
#include <future>

#include "driver/fault.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

using driver::FaultDriver;
using driver::IoOutcome;
using driver::MemoryDriver;
using driver::Operation;

// A started access, to be waited for.
class Started {
 public:
  Started(OpenFile& file, const Transfer& transfer) {
    auto promise = std::make_shared<std::promise<IoOutcome>>();
    outcome_ = promise->get_future();
    file.start(file.prepare(transfer), [promise](IoOutcome outcome) { promise->set_value(std::move(outcome)); });
  }
  IoOutcome wait() { return outcome_.get(); }

 private:
  std::future<IoOutcome> outcome_;
};

TEST(OpenFileBackground, IndependentAccessesComplete) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      std::vector<Bytes> buffers(10, pattern(10, rank.number()));
      std::vector<Started> started;
      for (Bytes& buffer : buffers) {
        started.emplace_back(*file, transfer_of(Direction::kWrite, Positioning::kShared, false, buffer));
      }
      for (Started& access : started) EXPECT_EQ(access.wait().bytes_moved, 10);
      EXPECT_TRUE(file->close().ok());
    });
    EXPECT_EQ(std::ssize(driver.contents("f").value()), 100 * ranks);
  }
}

// The pointer moves when the call is made, not when the data does.
TEST(OpenFileBackground, PointersMoveAtOnce) {
  MemoryDriver memory;
  FaultDriver slow(memory, {{}, std::chrono::milliseconds(20)});
  run_file_ranks(1, [&](Rank& rank) {
    auto file = rank.open(slow);
    Bytes first = pattern(10, 1);
    Bytes second = pattern(10, 2);
    Started one(*file, transfer_of(Direction::kWrite, Positioning::kIndividual, false, first));
    EXPECT_EQ(file->position().value(), 10);
    Started two(*file, transfer_of(Direction::kWrite, Positioning::kIndividual, false, second));
    EXPECT_EQ(file->position().value(), 20);
    EXPECT_EQ(one.wait().bytes_moved + two.wait().bytes_moved, 20);
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(driver::part(memory.contents("f").value(), 10, 20), pattern(10, 2));
}

// A rank that is late, in a blocking call on another channel, does not keep the others from going on.
TEST(OpenFileBackground, StartDoesNotWaitForOtherRanks) {
  MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    Bytes mine = pattern(10, rank.number());
    if (rank.number() == 2) rank.meet();  // reached by the others only when their start() returned
    Started access(*file, transfer_of(Direction::kWrite, Positioning::kExplicit, true, mine, 10 * rank.number()));
    if (rank.number() != 2) rank.meet();
    EXPECT_EQ(access.wait().bytes_moved, 10);
    EXPECT_TRUE(file->close().ok());
  });
}

// Blocking and nonblocking collective calls take effect in the order they were made, whoever is ahead.
TEST(OpenFileBackground, CollectiveOrderIsKept) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver;
    constexpr int kRounds = 12;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      std::vector<Bytes> buffers;
      std::vector<Started> started;
      for (int i = 0; i < kRounds; ++i) buffers.push_back(pattern(4, rank.number() + 20 * i));
      for (int i = 0; i < kRounds; ++i) {
        Bytes& buffer = buffers[static_cast<std::size_t>(i)];
        // Each round writes over the one before; ordered calls append to each other.
        const Positioning positioning = i % 2 == 0 ? Positioning::kExplicit : Positioning::kOrdered;
        const Transfer transfer = transfer_of(Direction::kWrite, positioning, true, buffer, 4 * rank.number());
        if (i % 3 == 2) {
          EXPECT_EQ(run_transfer(*file, transfer).bytes_moved, 4);
        } else {
          started.emplace_back(*file, transfer);
        }
        if (i % 4 == 3) {
          EXPECT_TRUE(file->sync().ok());
        }
      }
      for (Started& access : started) EXPECT_EQ(access.wait().bytes_moved, 4);
      EXPECT_TRUE(file->close().ok());
    });
    // Ordered rounds 1, 3, ... lie one behind the other; the last explicit one, 10, covers the first.
    Bytes expected;
    for (int i = 1; i < kRounds; i += 2) {
      for (int rank = 0; rank < ranks; ++rank) {
        for (std::byte b : pattern(4, rank + 20 * (i == 1 ? kRounds - 2 : i))) expected.push_back(b);
      }
    }
    EXPECT_EQ(driver.contents("f").value(), expected);
  }
}

TEST(OpenFileBackground, CollectiveCallsWaitForIndependentOnesGivenBefore) {
  MemoryDriver memory;
  FaultDriver slow(memory, {{}, std::chrono::milliseconds(20)});
  run_file_ranks(2, [&](Rank& rank) {
    auto file = rank.open(slow);
    Bytes mine = pattern(10);
    Started access(*file, transfer_of(Direction::kWrite, Positioning::kExplicit, false, mine, 10 * rank.number()));
    EXPECT_TRUE(file->set_size(5).ok());
    EXPECT_EQ(file->size().value(), 5);
    EXPECT_EQ(access.wait().bytes_moved, 10);
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(std::ssize(memory.contents("f").value()), 5);
}

TEST(OpenFileBackground, AnAccessKeepsTheViewItWasMadeWith) {
  MemoryDriver memory;
  FaultDriver slow(memory, {{}, std::chrono::milliseconds(20)});
  run_file_ranks(2, [&](Rank& rank) {
    auto file = rank.open(slow);
    EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), 2, 4), 1).ok());
    Bytes mine = pattern(8, rank.number());
    Started access(*file, transfer_of(Direction::kWrite, Positioning::kExplicit, true, mine));
    EXPECT_TRUE(file->set_view({}, layout::FileView(), 1).ok());
    EXPECT_EQ(access.wait().bytes_moved, 8);
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(driver::part(memory.contents("f").value(), 4, 8), driver::part(pattern(8, 1), 0, 4));
}

TEST(OpenFileBackground, FailuresReachTheCaller) {
  MemoryDriver memory;
  Outcomes collective;
  run_file_ranks(3, [&](Rank& rank) {
    FaultDriver faults(memory, {{{Operation::kWrite, 0, EIO, 0, 2}}});
    driver::FileDriver& driver = rank.number() == 1 ? static_cast<driver::FileDriver&>(faults) : memory;
    auto file = rank.open(driver);
    Bytes mine = pattern(10);
    Started together(*file, transfer_of(Direction::kWrite, Positioning::kExplicit, true, mine));
    collective.add(together.wait().status);
    Started alone(*file, transfer_of(Direction::kWrite, Positioning::kExplicit, false, mine));
    EXPECT_EQ(alone.wait().status.ok(), rank.number() != 1);
    EXPECT_TRUE(file->close().ok());
  });
  collective.expect(3, ErrorClass::kIo);
}

TEST(OpenFileBackground, FinishIsCalledOnceBeforeTheRanksAgree) {
  MemoryDriver driver;
  Outcomes outcomes;
  std::atomic<int> calls = 0;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    Bytes mine = pattern(10);
    Access access =
        file->prepare(transfer_of(Direction::kWrite, Positioning::kExplicit, true, mine, 10 * rank.number()));
    access.finish = [&](IoOutcome outcome) {
      ++calls;
      EXPECT_EQ(outcome.bytes_moved, 10);
      if (rank.number() == 2) outcome.status = Status(ErrorClass::kConversion, "cannot convert");
      return outcome;
    };
    outcomes.add(file->run(access).status);
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(calls, 3);
  outcomes.expect(3, ErrorClass::kConversion);
}

constexpr SplitKind kSplitWrite = {Direction::kWrite, Positioning::kExplicit};
constexpr SplitKind kSplitRead = {Direction::kRead, Positioning::kExplicit};

TEST(OpenFileBackground, SplitCallsInTheRightOrder) {
  for (int ranks : kRankCounts) {
    MemoryDriver driver;
    run_file_ranks(ranks, [&](Rank& rank) {
      auto file = rank.open(driver);
      for (int round = 0; round < 3; ++round) {
        const Bytes data = pattern(10, rank.number() + round);
        Bytes buffer = data;
        for (const auto& kind : {kSplitWrite, kSplitRead}) {
          Transfer transfer = transfer_of(kind.direction, kind.positioning, true, buffer, 10 * rank.number());
          EXPECT_TRUE(file->begin_split(kind, file->prepare(transfer)).ok());
          IoOutcome outcome = file->end_split(kind);
          EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
          EXPECT_EQ(outcome.bytes_moved, 10);
          if (kind == kSplitWrite) buffer.assign(10, std::byte{0});
        }
        EXPECT_EQ(buffer, data);
      }
      EXPECT_TRUE(file->close().ok());
    });
  }
}

TEST(OpenFileBackground, SplitCallsInTheWrongOrder) {
  MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    Bytes buffer = pattern(10, rank.number());
    const Transfer transfer = transfer_of(Direction::kWrite, Positioning::kExplicit, true, buffer, 10 * rank.number());
    EXPECT_EQ(file->end_split(kSplitWrite).status.error_class(), ErrorClass::kIo);
    EXPECT_TRUE(file->begin_split(kSplitWrite, file->prepare(transfer)).ok());
    EXPECT_EQ(file->begin_split(kSplitWrite, file->prepare(transfer)).error_class(), ErrorClass::kIo);
    EXPECT_EQ(file->begin_split(kSplitRead, file->prepare(transfer)).error_class(), ErrorClass::kIo);
    EXPECT_EQ(file->end_split(kSplitRead).status.error_class(), ErrorClass::kIo);
    EXPECT_EQ(file->end_split({Direction::kWrite, Positioning::kOrdered}).status.error_class(), ErrorClass::kIo);
    EXPECT_EQ(file->end_split(kSplitWrite).bytes_moved, 10);
    EXPECT_EQ(file->end_split(kSplitWrite).status.error_class(), ErrorClass::kIo);
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(std::ssize(driver.contents("f").value()), 30);
}

TEST(OpenFileBackground, IndependentAccessesAreAllowedDuringASplitCall) {
  MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    Bytes buffer = pattern(10, rank.number());
    const Transfer transfer = transfer_of(Direction::kWrite, Positioning::kExplicit, true, buffer, 10 * rank.number());
    EXPECT_TRUE(file->begin_split(kSplitWrite, file->prepare(transfer)).ok());
    EXPECT_EQ(write_explicit(*file, 100 + 10 * rank.number(), pattern(10)).bytes_moved, 10);
    EXPECT_EQ(file->end_split(kSplitWrite).bytes_moved, 10);
    EXPECT_TRUE(file->close().ok());
  });
}

TEST(OpenFileBackground, ARefusedSplitCallEndsWithTheReasonEverywhere) {
  MemoryDriver driver;
  Outcomes outcomes;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    Bytes buffer = pattern(10);
    const Transfer transfer =
        transfer_of(Direction::kWrite, Positioning::kExplicit, true, buffer, rank.number() == 1 ? -1 : 0);
    EXPECT_TRUE(file->begin_split(kSplitWrite, file->prepare(transfer)).ok());
    outcomes.add(file->end_split(kSplitWrite).status);
    EXPECT_EQ(file->size().value(), 0);
    EXPECT_TRUE(file->close().ok());
  });
  outcomes.expect(3, ErrorClass::kArgument);
}

TEST(OpenFileBackground, CloseFinishesASplitCallThatNobodyEnded) {
  MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    Bytes buffer = pattern(10, rank.number());
    const Transfer transfer = transfer_of(Direction::kWrite, Positioning::kExplicit, true, buffer, 10 * rank.number());
    EXPECT_TRUE(file->begin_split(kSplitWrite, file->prepare(transfer)).ok());
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(std::ssize(driver.contents("f").value()), 30);
}

}  // namespace
}  // namespace weir::exec
