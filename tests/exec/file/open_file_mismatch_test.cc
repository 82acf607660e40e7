// Ranks that are in different collective calls of one file: all of them fail alike, and nothing hangs.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "driver/posix.h"
#include "exec/effort.h"
#include "exec/file/left_services.h"
#include "exec/file_ranks.h"

namespace weir::exec {
namespace {

constexpr std::int64_t kFileBytes = 4096;
constexpr std::int64_t kBytesEach = 16;  // of rank r from r * kBytesEach on

// A collective function as a rank calls it. What it writes is its rank's share.
struct Function {
  std::string name;
  std::function<Status(OpenFile&, int rank)> call;
};

Status access(OpenFile& file, int rank, Direction direction, Positioning positioning) {
  Bytes bytes = pattern(kBytesEach, 100 + rank);
  return run_transfer(file, transfer_of(direction, positioning, true, bytes,
                                        positioning == Positioning::kExplicit ? rank * kBytesEach : 0))
      .status;
}

Function access_function(const std::string& name, Direction direction, Positioning positioning) {
  return {name, [=](OpenFile& file, int rank) { return access(file, rank, direction, positioning); }};
}

const Function kWriteAtAll = access_function("MPI_File_write_at_all", Direction::kWrite, Positioning::kExplicit);
const Function kClose = {"MPI_File_close", [](OpenFile& file, int) { return file.close(); }};
const Function kSync = {"MPI_File_sync", [](OpenFile& file, int) { return file.sync(); }};

// No two of them match.
const std::vector<Function> kFunctions = {
    kWriteAtAll,
    access_function("MPI_File_read_at_all", Direction::kRead, Positioning::kExplicit),
    access_function("MPI_File_write_ordered", Direction::kWrite, Positioning::kOrdered),
    access_function("MPI_File_read_ordered", Direction::kRead, Positioning::kOrdered),
    {"MPI_File_set_view", [](OpenFile& file, int) { return file.set_view({}, interleaved_view(1, 2, 8), 1); }},
    {"MPI_File_set_info", [](OpenFile& file, int) { return file.settle_hints({}, hints::When::kSetInfo); }},
    {"MPI_File_set_size", [](OpenFile& file, int) { return file.set_size(10); }},
    {"MPI_File_preallocate", [](OpenFile& file, int) { return file.preallocate(2 * kFileBytes); }},
    kSync,
    {"MPI_File_set_atomicity", [](OpenFile& file, int) { return file.set_atomic(true); }},
    {"MPI_File_seek_shared", [](OpenFile& file, int) { return file.seek_shared(1, Whence::kSet); }},
    {"MPIX_File_*_init", [](OpenFile& file, int) { return file.agree_on({}); }},
    kClose,
};

struct Shape {
  int ranks;
  int ranks_per_node;
};
const std::vector<Shape> kShapes = {{2, 0}, {5, 0}, {2, 1}, {3, 1}, {5, 2}};

// COLLECTIVE: one rank after the other closes, and waits for nobody.
void close_one_by_one(Rank& rank, OpenFile& file, bool closed) {
  for (int turn = 0; turn < rank.size(); ++turn) {
    const bool mine = turn == rank.number() && !closed;
    EXPECT_EQ(mine ? file.close().error_class() : ErrorClass::kNotSame, ErrorClass::kNotSame);
    rank.meet();
  }
  if (rank.number() == 0) left_services().end();
  rank.meet();
}

// LOCAL: nothing collective is tried again, whichever function comes first; a rank by itself can go on.
void expect_lost(Rank& rank, OpenFile& file) {
  for (std::size_t i = 0; i + 1 < kFunctions.size(); ++i) {
    const Function& function = kFunctions[(i + static_cast<std::size_t>(rank.number())) % (kFunctions.size() - 1)];
    const Status status = function.call(file, rank.number());
    EXPECT_EQ(status.error_class(), ErrorClass::kNotSame) << function.name << ": " << status.text();
  }
  const auto outcome = write_explicit(file, rank.number() * kBytesEach, pattern(kBytesEach, rank.number()));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
}

// Rank `odd` is in one function, all others in the other.
void expect_mismatch(const Shape& shape, int odd, const Function& of_odd, const Function& of_others) {
  SCOPED_TRACE(of_odd.name + " on rank " + std::to_string(odd) + ", else " + of_others.name + ", of " +
               std::to_string(shape.ranks) + " ranks, " + std::to_string(shape.ranks_per_node) + " per node");
  driver::MemoryDriver driver;
  put_file(driver, pattern(kFileBytes));
  Outcomes outcomes;
  run_file_ranks(shape.ranks, shape.ranks_per_node, [&](Rank& rank) {
    auto file = rank.open(driver);
    const Function& mine = rank.number() == odd ? of_odd : of_others;
    outcomes.add(mine.call(*file, rank.number()));
    rank.meet();
    const bool closed = mine.name == kClose.name;
    if (!closed) expect_lost(rank, *file);
    close_one_by_one(rank, *file, closed);
    file.reset();
    auto again = rank.open(driver);
    EXPECT_TRUE(kWriteAtAll.call(*again, rank.number()).ok());
    EXPECT_TRUE(again->close().ok());
  });
  outcomes.expect(shape.ranks, ErrorClass::kNotSame);
  for (const std::string& name : {of_odd.name, of_others.name}) {
    EXPECT_NE(outcomes.text().find(name), std::string::npos) << outcomes.text();
  }
  // Only what ranks wrote themselves has changed, and the size has not.
  Bytes expected = pattern(kFileBytes);
  for (int rank = 0; rank < shape.ranks; ++rank) {
    const Bytes share = pattern(kBytesEach, 100 + rank);
    std::copy(share.begin(), share.end(), expected.begin() + rank * kBytesEach);
  }
  EXPECT_EQ(driver.contents("f").value(), expected);
}

class Mismatch : public testing::TestWithParam<Shape> {};

TEST_P(Mismatch, EveryPairOfFunctions) {
  const Shape& shape = GetParam();
  int pairs = 0;
  for (std::size_t a = 0; a < kFunctions.size(); ++a) {
    for (std::size_t b = a + 1; b < kFunctions.size(); ++b) {
      const bool turned = ++pairs % 2 == 0;
      if (static_cast<std::size_t>(pairs) % kEveryNth != 0) continue;
      const int odd = pairs % shape.ranks;
      expect_mismatch(shape, odd, kFunctions[turned ? b : a], kFunctions[turned ? a : b]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Mismatch, testing::ValuesIn(kShapes), [](const auto& test) {
  return std::to_string(test.param.ranks) + "ranks" + std::to_string(test.param.ranks_per_node) + "each";
});

TEST(MismatchText, NamesWhoIsWhere) {
  driver::MemoryDriver driver;
  Outcomes first;
  Outcomes later;
  run_file_ranks(4, [&](Rank& rank) {
    auto file = rank.open(driver);
    first.add((rank.number() == 1 ? kWriteAtAll : kSync).call(*file, rank.number()));
    later.add(file->sync());
    const Status closed = file->close();
    EXPECT_EQ(closed.text(), first.text()) << "the failure of the close says what was wrong";
  });
  first.expect(4, ErrorClass::kNotSame);
  later.expect(4, ErrorClass::kNotSame);
  EXPECT_EQ(first.text(),
            "collective calls on 'f' do not match: ranks 0, 2-3 are in MPI_File_sync, rank 1 is in "
            "MPI_File_write_at_all. All ranks that opened a file must make the same collective calls on it, in the "
            "same order");
  EXPECT_EQ(later.text(), "collective calls on 'f' did not match before: the file can only be closed");
}

// ---- Calls that run beside the program ----

Status start_write(OpenFile& file, int rank, Bytes& bytes) {
  bytes = pattern(kBytesEach, 100 + rank);
  Access started = file.prepare(transfer_of(Direction::kWrite, Positioning::kExplicit, true, bytes, rank * kBytesEach));
  started.manner = Manner::kNonblocking;
  const auto promise = std::make_shared<Promise>();
  file.start(std::move(started), [promise](driver::IoOutcome outcome) { promise->keep(std::move(outcome)); });
  return promise->take(file.company()).status;
}

Status split_write(OpenFile& file, int rank, Bytes& bytes) {
  bytes = pattern(kBytesEach, 100 + rank);
  const SplitKind kind = {Direction::kWrite, Positioning::kExplicit};
  Status begun = file.begin_split(
      kind, file.prepare(transfer_of(Direction::kWrite, Positioning::kExplicit, true, bytes, rank * kBytesEach)));
  return std::move(begun).or_else(file.end_split(kind).status);
}

TEST(MismatchBeside, NonblockingAndSplitCallsAgainstAnother) {
  for (const Shape& shape : kShapes) {
    driver::MemoryDriver driver;
    Outcomes outcomes;
    run_file_ranks(shape.ranks, shape.ranks_per_node, [&](Rank& rank) {
      auto file = rank.open(driver);
      Bytes bytes;
      outcomes.add(rank.number() == 0   ? split_write(*file, rank.number(), bytes)
                   : rank.number() == 1 ? start_write(*file, rank.number(), bytes)
                                        : file->sync());
      if (rank.size() == 2) {
        EXPECT_TRUE(file->close().ok());
        return;
      }
      close_one_by_one(rank, *file, false);
    });
    if (shape.ranks == 2) {
      outcomes.expect(2, ErrorClass::kOk);
      continue;
    }
    outcomes.expect(shape.ranks, ErrorClass::kNotSame);
    EXPECT_NE(outcomes.text().find("rank 0 is in MPI_File_write_at_all_begin"), std::string::npos) << outcomes.text();
    EXPECT_NE(outcomes.text().find("rank 1 is in MPI_File_iwrite_at_all"), std::string::npos) << outcomes.text();
  }
}

// ---- What weir can serve is no mistake ----

TEST(NoMismatch, PointersAndMannersMayDiffer) {
  for (const Shape& shape : kShapes) {
    driver::MemoryDriver driver;
    run_file_ranks(shape.ranks, shape.ranks_per_node, [&](Rank& rank) {
      auto file = rank.open(driver);
      const int number = rank.number();
      Bytes bytes;
      Status status = file->seek(number * kBytesEach, Whence::kSet);
      switch (number % 4) {
        case 0: status = access(*file, number, Direction::kWrite, Positioning::kIndividual); break;
        case 1: status = kWriteAtAll.call(*file, number); break;
        case 2: status = start_write(*file, number, bytes); break;
        default: status = split_write(*file, number, bytes); break;
      }
      EXPECT_TRUE(status.ok()) << status.text();
      EXPECT_TRUE(file->close().ok());
    });
    Bytes expected;
    for (int rank = 0; rank < shape.ranks; ++rank) {
      const Bytes share = pattern(kBytesEach, 100 + rank);
      expected.insert(expected.end(), share.begin(), share.end());
    }
    EXPECT_EQ(driver.contents("f").value(), expected);
  }
}

TEST(NoMismatch, AmountsMayDiffer) {
  driver::MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    auto file = rank.open(driver);
    EXPECT_TRUE(write_explicit(*file, 1000 * rank.number(), pattern(rank.number() * 7), true).status.ok());
    EXPECT_TRUE(file->close().ok());
  });
  EXPECT_EQ(driver.contents("f").value().size(), 2014U);
}

// ---- What is left behind ----

int descriptors_of(const std::string& path) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    if (std::filesystem::read_symlink(entry.path(), ignored).string().starts_with(path)) ++found;
  }
  return found;
}

TEST(MismatchClose, ClosesTheFileOfEachRank) {
  for (const Shape& shape : kShapes) {
    const driver::TemporaryFolder folder;
    driver::PosixDriver driver;
    const std::string path = folder.file("f");
    run_file_ranks(shape.ranks, shape.ranks_per_node, [&](Rank& rank) {
      auto file = rank.open(driver, kCreateMode, path);
      const bool closes = rank.number() == 0;
      rank.meet();
      EXPECT_EQ(descriptors_of(path), shape.ranks);
      rank.meet();
      EXPECT_EQ((closes ? kClose : kWriteAtAll).call(*file, rank.number()).error_class(), ErrorClass::kNotSame);
      close_one_by_one(rank, *file, closes);
      EXPECT_EQ(descriptors_of(path), 0);
    });
  }
}

TEST(MismatchClose, DeletesTheFileThatWasToBeDeleted) {
  driver::MemoryDriver driver;
  run_file_ranks(3, [&](Rank& rank) {
    AccessMode mode = kCreateMode;
    mode.delete_on_close = true;
    auto file = rank.open(driver, mode);
    EXPECT_FALSE((rank.number() == 2 ? kSync : kWriteAtAll).call(*file, rank.number()).ok());
    close_one_by_one(rank, *file, false);
  });
  EXPECT_EQ(driver.contents("f").status().error_class(), ErrorClass::kNoSuchFile);
}

// Ranks that have not closed go on with the shared pointer, also after rank 0 has.
TEST(MismatchClose, TheSharedPointerServesThoseWhoStay) {
  for (const Shape& shape : kShapes) {
    driver::MemoryDriver driver;
    run_file_ranks(shape.ranks, shape.ranks_per_node, [&](Rank& rank) {
      auto file = rank.open(driver);
      const bool closes = rank.number() == 0;
      EXPECT_FALSE((closes ? kClose : kSync).call(*file, rank.number()).ok());
      rank.meet();
      if (!closes) {
        Bytes bytes = pattern(kBytesEach, 100 + rank.number());
        const auto outcome = run_transfer(*file, transfer_of(Direction::kWrite, Positioning::kShared, false, bytes));
        EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
      }
      rank.meet();
      close_one_by_one(rank, *file, closes);
    });
    EXPECT_EQ(std::ssize(driver.contents("f").value()), (shape.ranks - 1) * kBytesEach);
  }
}

}  // namespace
}  // namespace weir::exec
