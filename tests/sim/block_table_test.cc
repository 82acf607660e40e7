#include "sim/block_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace weir::sim {
namespace {

// Notes what goes to and comes from a file that answers at once.
class Noted {
 public:
  explicit Noted(std::int64_t blocks)
      : table_(100, blocks,
               {.fetch =
                    [this](std::int64_t block, std::function<void()> then) {
                      fetched.push_back(block);
                      then();
                    },
                .store =
                    [this](std::int64_t block, BlockTable::Written written, std::function<void()> then) {
                      stored.push_back(block);
                      runs += written.runs;
                      then();
                    }}) {}

  void read(std::int64_t block) { access(Direction::kRead, block); }
  void write(std::int64_t block) { access(Direction::kWrite, block); }
  void flush() {
    table_.flush([this] { ++answered; });
  }

  std::vector<std::int64_t> fetched;
  std::vector<std::int64_t> stored;
  std::int64_t runs = 0;
  int answered = 0;

 private:
  void access(Direction direction, std::int64_t block) {
    table_.access(direction, block, {25, 1}, [this] { ++answered; });
  }

  BlockTable table_;
};

TEST(BlockTable, ReadsABlockOnceWhileItIsHeld) {
  Noted table(2);
  for (const std::int64_t block : {1, 1, 2, 1, 3, 1}) table.read(block);
  EXPECT_EQ(table.fetched, (std::vector<std::int64_t>{1, 2, 3, 1}));
  EXPECT_EQ(table.answered, 6);
}

TEST(BlockTable, StoresFullBlocksAtOnceAndPartsWhenTheyMakeRoom) {
  Noted table(2);
  for (int i = 0; i < 4; ++i) table.write(7);
  EXPECT_EQ(table.stored, (std::vector<std::int64_t>{7}));
  for (const std::int64_t block : {1, 1, 2, 3}) table.write(block);
  EXPECT_EQ(table.stored, (std::vector<std::int64_t>{7, 1}));
  EXPECT_EQ(table.runs, 1 + 2);
  table.flush();
  EXPECT_EQ(table.stored, (std::vector<std::int64_t>{7, 1, 2, 3}));
  EXPECT_EQ(table.answered, 9);
}

}  // namespace
}  // namespace weir::sim
