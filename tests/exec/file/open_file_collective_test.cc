// Collective reads and writes against a map of the file's bytes.
#include <gtest/gtest.h>

#include <random>

#include "exec/file_ranks.h"
#include "exec/mistakes.h"
#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::exec {
namespace {

using driver::MemoryDriver;
using layout::FileView;
using layout::Layout;

// Where byte i of a rank's view lies, for i < bytes.
std::vector<std::int64_t> places(const FileView& view, std::int64_t bytes) {
  const std::int64_t tiles = bytes / view.tile_data_bytes() + 1;
  auto all = layout::tile_bytes(layout::bytes_of(view.filetype()), view.filetype_extent(), tiles, view.displacement());
  all.resize(static_cast<std::size_t>(bytes));
  return all;
}

// One rank's part of a collective call.
struct Part {
  FileView view;
  std::int64_t offset = 0;  // in etypes of one byte
  Bytes data;
};

// A tile of the file, cut into pieces at random; piece by piece some rank's or nobody's.
std::vector<Part> random_parts(std::mt19937_64& random, int ranks) {
  std::vector<std::vector<std::int64_t>> displacements(static_cast<std::size_t>(ranks));
  std::vector<std::vector<std::int64_t>> lengths(static_cast<std::size_t>(ranks));
  std::int64_t place = 0;
  for (int piece = 0; piece < 4 * ranks; ++piece) {
    const auto length = static_cast<std::int64_t>(random() % 9 + 1);
    const std::size_t owner = piece < ranks ? static_cast<std::size_t>(piece)  // everyone has one
                                            : random() % (static_cast<std::size_t>(ranks) + 1);
    if (owner < displacements.size()) {
      displacements[owner].push_back(place);
      lengths[owner].push_back(length);
    }
    place += length;
  }
  const auto displacement = static_cast<std::int64_t>(random() % 20);
  std::vector<Part> parts;
  for (std::size_t rank = 0; rank < displacements.size(); ++rank) {
    const auto offset = static_cast<std::int64_t>(random() % 50);
    const auto bytes = random() % 5 == 0 ? 0 : static_cast<std::int64_t>(random() % 400);
    parts.push_back({FileView(displacement, 1, Layout::blocks(displacements[rank], lengths[rank]), place), offset,
                     pattern(bytes, static_cast<int>(rank) + 3)});
  }
  return parts;
}

Bytes after_writes(Bytes file, const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    const auto end = part.offset + std::ssize(part.data);
    const auto all = places(part.view, end);
    for (std::size_t i = 0; i < part.data.size(); ++i) {
      const auto place = static_cast<std::size_t>(all[static_cast<std::size_t>(part.offset) + i]);
      if (place >= file.size()) file.resize(place + 1);
      file[place] = part.data[i];
    }
  }
  return file;
}

// What `part` reads of the file.
Bytes read_of(const Bytes& file, const Part& part) {
  Bytes found;
  const auto all = places(part.view, part.offset + std::ssize(part.data));
  for (std::size_t i = static_cast<std::size_t>(part.offset); i < all.size(); ++i) {
    if (all[i] >= std::ssize(file)) break;
    found.push_back(file[static_cast<std::size_t>(all[i])]);
  }
  return found;
}

void check_parts(const std::vector<Part>& parts) {
  const int ranks = static_cast<int>(parts.size());
  MemoryDriver driver;
  const Bytes before = pattern(150, 90);
  put_file(driver, before);
  const Bytes expected = after_writes(before, parts);
  run_file_ranks(ranks, [&](Rank& rank) {
    auto file = rank.open(driver);
    const Part& mine = parts[static_cast<std::size_t>(rank.number())];
    EXPECT_TRUE(file->set_view({}, mine.view, 1).ok());
    driver::IoOutcome written = write_explicit(*file, mine.offset, mine.data, true);
    EXPECT_TRUE(written.status.ok()) << written.status.text();
    EXPECT_EQ(written.bytes_moved, std::ssize(mine.data));
    EXPECT_TRUE(file->sync().ok());
    const Part& other = parts[static_cast<std::size_t>((rank.number() + 1) % ranks)];
    EXPECT_TRUE(file->set_view({}, other.view, 1).ok());
    Bytes found(other.data.size());
    auto read = run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, true, found, other.offset));
    EXPECT_TRUE(read.status.ok()) << read.status.text();
    found.resize(static_cast<std::size_t>(read.bytes_moved));
    EXPECT_EQ(found, read_of(expected, other));
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(driver.contents("f").value(), expected);
}

TEST(OpenFileCollective, InterleavedBlocks) {
  for (int ranks : kRankCounts) {
    for (std::int64_t block_bytes : {1, 8, 100}) {
      std::vector<Part> parts;
      for (int rank = 0; rank < ranks; ++rank) {
        parts.push_back({interleaved_view(rank, ranks, block_bytes), 3, pattern(block_bytes * 20 + 1, rank)});
      }
      check_parts(parts);
    }
  }
}

TEST(OpenFileCollective, SixtyFourRanks) {
  std::vector<Part> parts;
  for (int rank = 0; rank < 64; ++rank) parts.push_back({interleaved_view(rank, 64, 16), 0, pattern(160, rank)});
  check_parts(parts);
}

TEST(OpenFileCollective, RandomPartsOfTheFile) {
  const std::uint64_t seed = layout::test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 10; ++round) {
    for (int ranks : kRankCounts) {
      check_parts(random_parts(random, ranks));
      if (HasFailure()) return;
    }
  }
}

TEST(OpenFileCollective, SomeRanksHaveNothing) {
  for (int active = 0; active <= 4; ++active) {
    std::vector<Part> parts;
    for (int rank = 0; rank < 4; ++rank) {
      parts.push_back({interleaved_view(rank, 4, 5), 0, pattern(rank < active ? 23 : 0, rank)});
    }
    check_parts(parts);
  }
}

TEST(OpenFileCollective, CountsAtTheEndOfTheFileAreExactPerRank) {
  for (std::int64_t file_bytes = 0; file_bytes <= 40; ++file_bytes) {
    MemoryDriver driver;
    put_file(driver, pattern(file_bytes));
    run_file_ranks(3, [&](Rank& rank) {
      auto file = rank.open(driver, kReadOnlyMode);
      const Part part = {interleaved_view(rank.number(), 3, 4), 1, Bytes(10)};
      EXPECT_TRUE(file->set_view({}, part.view, 1).ok());
      Bytes found(10);
      auto outcome = run_transfer(*file, transfer_of(Direction::kRead, Positioning::kExplicit, true, found, 1));
      EXPECT_TRUE(outcome.status.ok());
      found.resize(static_cast<std::size_t>(outcome.bytes_moved));
      EXPECT_EQ(found, read_of(pattern(file_bytes), part));
      EXPECT_TRUE(file->close().ok());
    });
  }
}

TEST(OpenFileCollective, OneRefusedRankRefusesAllAndNothingMoves) {
  for (const Mistake& mistake : kMistakes) {
    for (int ranks : {1, 2, 4, 7}) {
      for (int bad = 0; bad < ranks; bad += 2) {
        for (Direction direction : {Direction::kRead, Direction::kWrite}) {
          SCOPED_TRACE(mistake.what);
          MemoryDriver driver;
          put_file(driver, pattern(64, 5));
          Outcomes outcomes;
          run_file_ranks(ranks, [&](Rank& rank) {
            auto file = rank.open(driver);
            EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), ranks, 4, 4), 4).ok());
            outcomes.add(run_with_mistake(rank, *file, direction, mistake, bad).status);
            EXPECT_TRUE(file->close().ok());
          });
          outcomes.expect(ranks, mistake.error_class);
          EXPECT_EQ(driver.contents("f").value(), pattern(64, 5));
        }
      }
    }
  }
}

TEST(OpenFileCollective, TheModeOfTheFileIsKept) {
  for (Direction direction : {Direction::kRead, Direction::kWrite}) {
    MemoryDriver driver;
    put_file(driver, pattern(64));
    Outcomes outcomes;
    AccessMode other = kReadOnlyMode;
    if (direction == Direction::kRead) other = {.write_only = true};
    run_file_ranks(3, [&](Rank& rank) {
      auto file = rank.open(driver, other);
      Bytes buffer(8);
      outcomes.add(run_transfer(*file, transfer_of(direction, Positioning::kExplicit, true, buffer)).status);
      EXPECT_TRUE(file->close().ok());
    });
    outcomes.expect(3, direction == Direction::kRead ? ErrorClass::kAccess : ErrorClass::kReadOnly);
  }
}

TEST(OpenFileCollective, AViewWithoutBytesCannotBeAccessed) {
  MemoryDriver driver;
  Outcomes outcomes;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    const FileView empty(0, 1, Layout(), 4);
    EXPECT_TRUE(file->set_view({}, rank.number() == 1 ? empty : FileView(), 1).ok());
    EXPECT_TRUE(write_explicit(*file, 0, {}, true).status.ok());
    outcomes.add(write_explicit(*file, 0, pattern(4), true).status);
    EXPECT_TRUE(file->close().ok());
  });
  outcomes.expect(3, ErrorClass::kIo);
}

}  // namespace
}  // namespace weir::exec
