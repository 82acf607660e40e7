// Collective calls in every way that hints can force, when the file system fails one rank or one rank's arguments are
// bad: the same error everywhere, nobody hangs, nothing is touched that was not asked for, and the next call works.
#include <gtest/gtest.h>

#include <cerrno>

#include "driver/fault.h"
#include "exec/collective_call.h"
#include "exec/collective_combination.h"
#include "exec/effort.h"
#include "exec/mistakes.h"

namespace weir::exec {
namespace {

using driver::Fault;
using driver::FaultDriver;
using driver::MemoryDriver;
using driver::Operation;
using layout::FileView;
using layout::Layout;

constexpr int kRanks = 4;

// Two aggregators or more, and several rounds for each.
std::vector<Combination> ways() {
  std::vector<Combination> ways;
  for (const char* exchange : {"shared", "direct", "pairwise"}) {
    for (const char* depth : {"1", "2"}) {
      for (int ranks_per_node : {0, 1, 2}) {
        const char* domains = ways.size() % 2 == 0 ? "even" : "static_cyclic";
        ways.push_back({{{"weir_method", "two_phase"},
                         {"weir_exchange", exchange},
                         {"weir_pipeline_depth", depth},
                         {"weir_domains", domains},
                         {"cb_nodes", ways.size() % 3 == 0 ? "4" : "2"},
                         {"cb_buffer_size", "32"}},
                        ranks_per_node});
      }
    }
  }
  return ways;
}

// Pieces of 5 bytes in turn, each followed by a hole of 2 bytes; memory with gaps on some ranks.
Call interleaved_call(Direction direction, int ranks = kRanks) {
  Call call;
  call.direction = direction;
  for (int rank = 0; rank < ranks; ++rank) {
    const Layout memory = rank % 2 == 0 ? Layout::contiguous(23) : Layout::repeat(23, 3, Layout::contiguous(1));
    call.shapes.push_back({FileView(7 * rank, 1, Layout::contiguous(5), 7 * ranks), 3, memory});
  }
  return call;
}

// What strikes a program of collective calls.
struct Strike {
  int failing_rank = 0;
  Fault fault;
  ErrorClass expected = ErrorClass::kIo;
  bool atomic = false;

  std::string text() const {
    return "rank " + std::to_string(failing_rank) + " fails in operation " +
           std::to_string(static_cast<int>(fault.operation)) + " number " + std::to_string(fault.first_call);
  }
};

// Runs the call twice; each strike must fail one of them, everywhere, and no other. Returns how many there were.
std::int64_t run_struck(const Combination& way, Direction direction, const Strike& strike) {
  const std::string text = strike.text() + "\n" + way.text();
  CheckedFile checked(kRanks, {.lock_bytes = 8, .file_system = "memory"}, pattern(120, 50));
  FaultDriver faults(checked.driver(), {{strike.fault}});
  const hints::HintSet hints = way.hint_set();
  std::int64_t failures = 0;
  run_file_ranks(kRanks, way.ranks_per_node, [&](Rank& rank) {
    driver::FileDriver& healthy = checked.driver();
    driver::FileDriver& driver = rank.number() == strike.failing_rank ? faults : healthy;
    auto file = rank.open(driver, kCreateMode, "f", hints);
    if (strike.atomic) {
      EXPECT_TRUE(file->set_atomic(true).ok());
    }
    for (int step = 0; step < 2; ++step) {
      const Status status = checked.run_that_may_fail(rank, *file, interleaved_call(direction), text);
      if (status.ok()) continue;
      EXPECT_EQ(status.error_class(), strike.expected) << status.text() << "\n" << text;
      if (rank.number() == 0) ++failures;
    }
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(failures, faults.strikes()) << text;
  return faults.strikes();
}

// Lets the first, the second, ... call of the operation fail until there are no more.
std::int64_t sweep(const Combination& way, Direction direction, Strike strike) {
  std::int64_t struck = 0;
  for (std::int64_t call = 0; call < 1000; ++call) {
    strike.fault.first_call = call;
    strike.fault.bytes_before = call % 4 * 3;  // a short transfer, then the failure
    const std::int64_t strikes = run_struck(way, direction, strike);
    if (strikes == 0 || testing::Test::HasFailure()) return struck;
    struck += strikes;
  }
  ADD_FAILURE() << "a call of two never ends\n" << way.text();
  return struck;
}

void sweep_all_ranks(Direction direction) {
  const std::vector<Combination> all = ways();
  for (std::size_t i = 0; i < all.size(); i += every_nth()) {
    const Combination& way = all[i];
    std::int64_t struck = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
      const bool full = rank % 2 == 1;
      const Strike strike = {rank,
                             {.operation = Operation::kTransfer, .error_number = full ? ENOSPC : EIO},
                             full ? ErrorClass::kNoSpace : ErrorClass::kIo};
      struck += sweep(way, direction, strike);
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_GE(struck, 2) << "each call transfers something\n" << way.text();
  }
}

TEST(CollectiveFault, EveryTransferOfEveryRankInWrites) { sweep_all_ranks(Direction::kWrite); }
TEST(CollectiveFault, EveryTransferOfEveryRankInReads) { sweep_all_ranks(Direction::kRead); }

TEST(CollectiveFault, EveryLockOfEveryRankInAtomicMode) {
  const std::vector<Combination> all = ways();
  for (std::size_t i = 0; i < all.size(); i += 3) {
    for (Direction direction : {Direction::kRead, Direction::kWrite}) {
      for (int rank = 0; rank < kRanks; ++rank) {
        sweep(all[i], direction,
              {rank, {.operation = Operation::kLock, .error_number = ENOLCK}, ErrorClass::kIo, true});
        if (HasFailure()) return;
      }
    }
  }
}

TEST(CollectiveFault, AllTransfersOfAllRanks) {
  for (const Combination& way : ways()) {
    for (Direction direction : {Direction::kRead, Direction::kWrite}) {
      CheckedFile checked(kRanks, {}, pattern(120, 50));
      FaultDriver faults(checked.driver(), {{{Operation::kTransfer, 0, EDQUOT, 0, 1000000}}});
      run_file_ranks(kRanks, way.ranks_per_node, [&](Rank& rank) {
        auto file = rank.open(faults, kCreateMode, "f", way.hint_set());
        for (int step = 0; step < 2; ++step) {
          const Status status = checked.run_that_may_fail(rank, *file, interleaved_call(direction), way.text());
          EXPECT_EQ(status.error_class(), ErrorClass::kQuota) << status.text() << "\n" << way.text();
        }
        EXPECT_TRUE(file->close().ok());
      });
    }
  }
}

// The file ends at every byte of the region, each in a third of the ways: counts are exact, on every rank.
TEST(CollectiveFault, TheFileEndsAnywhere) {
  const std::vector<Combination> all = ways();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Combination& way = all[i];
    CheckedFile checked(kRanks, {}, {});
    run_file_ranks(kRanks, way.ranks_per_node, [&](Rank& rank) {
      auto file = rank.open(checked.driver(), kCreateMode, "f", way.hint_set());
      for (auto file_bytes = static_cast<std::int64_t>(i % 3); file_bytes < 180; file_bytes += 3) {
        checked.refill(rank, pattern(file_bytes, 60));
        checked.run(rank, *file, interleaved_call(Direction::kRead),
                    "a file of " + std::to_string(file_bytes) + " bytes\n" + way.text());
      }
      EXPECT_TRUE(file->close().ok());
    });
    if (HasFailure()) return;
  }
}

TEST(CollectiveFault, AFullDisk) {
  for (const Combination& way : ways()) {
    for (std::int64_t capacity_bytes : {0, 10, 60, 100}) {
      MemoryDriver driver({.capacity_bytes = capacity_bytes});
      Outcomes outcomes;
      run_file_ranks(kRanks, way.ranks_per_node, [&](Rank& rank) {
        auto file = rank.open(driver, kCreateMode, "f", way.hint_set());
        EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), kRanks, 5), 1).ok());
        outcomes.add(write_explicit(*file, 0, pattern(26, rank.number()), true).status);
        EXPECT_TRUE(file->set_size(0).ok());
        Bytes none;
        EXPECT_TRUE(write_explicit(*file, 0, none, true).status.ok());
        EXPECT_TRUE(file->close().ok());
      });
      outcomes.expect(kRanks, ErrorClass::kNoSpace);
      if (HasFailure()) FAIL() << way.text();
    }
  }
}

void check_refused(const Combination& way, Direction direction, const Mistake& mistake, int bad) {
  const std::string text = std::string(mistake.what) + " on rank " + std::to_string(bad) + "\n" + way.text();
  SCOPED_TRACE(text);
  MemoryDriver driver;
  put_file(driver, pattern(160, 5));
  Outcomes refused;
  Outcomes next;
  run_file_ranks(kRanks, way.ranks_per_node, [&](Rank& rank) {
    auto file = rank.open(driver, kCreateMode, "f", way.hint_set());
    EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), kRanks, 4, 4), 4).ok());
    refused.add(run_with_mistake(rank, *file, direction, mistake, bad).status);
    rank.meet();
    if (rank.number() == 0) {
      EXPECT_EQ(driver.contents("f").value(), pattern(160, 5)) << text;
    }
    rank.meet();
    driver::IoOutcome outcome = run_with_mistake(rank, *file, direction, mistake, -1);
    EXPECT_EQ(outcome.bytes_moved, 40) << text;
    next.add(outcome.status);
    EXPECT_TRUE(file->close().ok());
  });
  refused.expect(kRanks, mistake.error_class);
  next.expect(kRanks, ErrorClass::kOk);
}

TEST(CollectiveFault, ARefusedRankRefusesAll) {
  const std::vector<Combination> all = ways();
  std::size_t turn = 0;
  for (const Mistake& mistake : kMistakes) {
    for (int bad = 0; bad < kRanks; ++bad) {
      for (Direction direction : {Direction::kRead, Direction::kWrite}) {
        for (int i = 0; i < 5; ++i) check_refused(all[turn++ % all.size()], direction, mistake, bad);
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace weir::exec
