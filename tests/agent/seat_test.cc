// Ranks that have their seats in blocks.
#include "agent/seat.h"

#include <gtest/gtest.h>

#include <new>

#include "agent/shipped_pieces.h"
#include "agent/table_subject.h"
#include "comm/collectives.h"

namespace weir::agent {
namespace {

TableShape shape_for(std::int64_t ranks, std::int64_t blocks = 16) {
  TableShape shape = TableShape::of(kBlock, blocks * kBlock);
  shape.ranks = ranks;
  return shape;
}

TEST(Seat, WhoWasAskedOutIsNotInTheBlock) {
  alignas(Seat) std::array<std::byte, sizeof(Seat)> memory = {};
  Seat& seat = *reinterpret_cast<Seat*>(memory.data());
  EXPECT_FALSE(seat.comes_again(7));
  EXPECT_TRUE(seat.comes_again(7));
  seat.take(7);
  seat.count_written(5);
  seat.ask_out(8, {});
  EXPECT_TRUE(seat.is_in(7)) << "another block";
  EXPECT_EQ(seat.leave(), 5);
  seat.take(7);
  seat.count_written(5);
  seat.ask_out(7, {});
  EXPECT_TRUE(seat.is_in(Seat::kNone));
  EXPECT_EQ(seat.leave(), 0) << "the block may be another's now";
}

// All bytes of the first block but those of `left_out`, by two ranks in turn.
void fill_first_block(TableSubject& subject, const Bytes& all, std::int64_t left_out) {
  for (std::int64_t at = 0; at < kBlock; at += 4) {
    subject.go_on_as(at / 4 % 2);
    if (at == left_out) continue;
    EXPECT_EQ(subject.write(at, driver::part(all, at, at + 4)).bytes_moved, 4);
  }
}

TEST(Seat, AFullBlockIsStoredByWhoeverComesLast) {
  const Bytes all = pattern(kBlock);
  for (std::int64_t late = 0; late < kBlock; late += 4) {
    MemoryDriver driver;
    TableSubject subject(driver, shape_for(3));
    fill_first_block(subject, all, late);
    for (const std::int64_t rank : {0, 1}) {
      subject.go_on_as(rank);
      EXPECT_TRUE(subject.write((rank + 1) * kBlock, pattern(4)).status.ok()) << "in a block of its own";
    }
    EXPECT_EQ(subject.counters().stored, 0);
    subject.go_on_as(2);
    EXPECT_TRUE(subject.write(late, driver::part(all, late, late + 4)).status.ok());
    EXPECT_EQ(subject.counters().stored, 1) << "late at " << late;
    EXPECT_EQ(driver::part(driver.contents("f").value(), 0, kBlock), all);
  }
}

TEST(Seat, ABlockIsStoredAndReadWithWhatWasWrittenInSeats) {
  const Bytes all = pattern(kBlock);
  for (const bool drop : {false, true}) {
    MemoryDriver driver;
    TableSubject subject(driver, shape_for(2));
    fill_first_block(subject, all, kBlock - 4);
    subject.go_on_as(0);
    EXPECT_EQ(subject.read(0, kBlock - 4), driver::part(all, 0, kBlock - 4));
    EXPECT_TRUE(subject.table().flush(drop).ok());
    EXPECT_EQ(driver.contents("f").value(), driver::part(all, 0, kBlock - 4));
    for (const std::int64_t rank : {0, 1}) {
      subject.go_on_as(rank);
      EXPECT_TRUE(subject.write(8 * rank, pattern(4, 9)).status.ok()) << "the seats are gone";
    }
    EXPECT_TRUE(subject.table().flush(drop).ok());
    EXPECT_EQ(subject.counters().runs, 3);
    EXPECT_EQ(driver::part(driver.contents("f").value(), 8, 12), pattern(4, 9));
  }
}

TEST(Seat, BytesThatWereDistrustedAreFetchedAgain) {
  MemoryDriver driver;
  driver::write_or_fail(*driver::open_or_fail(driver, "f"), 0, pattern(kBlock));
  TableSubject subject(driver, shape_for(1));
  for (int time = 0; time < 3; ++time) EXPECT_EQ(subject.read(8, 4), driver::part(pattern(kBlock), 8, 12));
  EXPECT_TRUE(subject.write(0, pattern(4, 5)).status.ok());
  driver::write_or_fail(subject.file(), 0, pattern(kBlock, 2));
  subject.table().distrust();
  EXPECT_EQ(subject.read(8, 4), driver::part(pattern(kBlock, 2), 8, 12));
  EXPECT_EQ(subject.read(0, 4), pattern(4, 5)) << "written here and not stored";
}

// Ranks write their pieces while all of them store and let go.
TEST(Seat, NothingIsLostWhereBlocksComeAndGo) {
  constexpr std::int64_t kBytes = 200 * kBlock;
  for (const std::int64_t blocks : {1, 3, 1000}) {
    for (const std::int64_t piece : {1, 8, 30}) {
      MemoryDriver driver;
      const Bytes all = pattern(kBytes);
      comm::run_tested_ranks(5, [&](comm::ThreadComm& comm) {
        AgentFile file(driver::open_or_fail(driver, "f"), comm, nullptr);
        EXPECT_TRUE(file.follow({true, TableShape::of(kBlock, blocks * kBlock)}).ok());
        int pieces = 0;
        for_own_pieces(comm, piece, all, [&](std::int64_t at, Bytes mine) {
          EXPECT_EQ(access(file, Direction::kWrite, at, mine).bytes_moved, std::ssize(mine));
          Bytes read(mine.size());
          if (++pieces % 3 == 0) {
            EXPECT_EQ(access(file, Direction::kRead, at, read).bytes_moved, std::ssize(mine));
            EXPECT_EQ(read, mine);
          }
        });
        EXPECT_TRUE(file.close_together().ok());
      });
      EXPECT_EQ(driver.contents("f").value(), all);
    }
  }
}

// The same by threads that have one mapping, so that the race detector sees what they share.
TEST(Seat, RanksAskEachOtherOutWithoutARace) {
  constexpr std::int64_t kBytes = 100 * kBlock;
  constexpr int kRanks = 4;
  for (const std::int64_t blocks : {1, 8}) {
    MemoryDriver driver;
    TableSubject subject(driver, shape_for(kRanks, blocks));
    const Bytes all = pattern(kBytes);
    comm::run_tested_ranks(kRanks, [&](comm::ThreadComm& comm) {
      BlockTable& table = subject.end_of(comm.rank());
      for_own_pieces(comm, 4, all, [&](std::int64_t at, Bytes mine) {
        for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
          const IoRequest request{at, mine.data(), std::ssize(mine)};
          EXPECT_EQ(table.access(direction, {&request, 1}).bytes_moved, std::ssize(mine));
        }
        EXPECT_EQ(mine, driver::part(all, at, at + 4));
        if (at % 500 < 4) {
          EXPECT_TRUE(table.flush(at % 1000 < 4).ok());
        }
      });
      EXPECT_TRUE(table.flush(true).ok());
    });
    EXPECT_TRUE(subject.table().flush(true).ok());
    EXPECT_EQ(driver.contents("f").value(), all);
  }
}

}  // namespace
}  // namespace weir::agent
