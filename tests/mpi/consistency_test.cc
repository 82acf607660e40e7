// What ranks that use one file at the same time may rely on: atomic mode, sync, shared and ordered pointers.
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "access_test.h"
#include "interleaved.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kBlocks = 64;
constexpr int kBlockBytes = 100;
constexpr int kBytes = kBlocks * kBlockBytes;

// Whether all bytes are one and the same.
bool is_uniform(const Bytes& bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [&](std::uint8_t byte) { return byte == bytes.front(); });
}

class Atomic : public testing::TestWithParam<bool> {
 protected:
  Atomic() : file_(scratch_.path(), kUpdate), blocks_(Type::vector(kBlocks, kBlockBytes, 2 * kBlockBytes, MPI_BYTE)) {
    EXPECT_OK(MPI_File_set_atomicity(file_, 1));
    if (GetParam()) {  // blocks with holes between them
      EXPECT_OK(MPI_File_set_view(file_, 0, MPI_BYTE, blocks_, "native", MPI_INFO_NULL));
    }
  }
  MPI_File file() const { return file_; }
  Bytes read() {
    Bytes found(kBytes);
    EXPECT_OK(MPI_File_read_at(file_, 0, found.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    return found;
  }

 private:
  Scratch scratch_;
  File file_;
  Type blocks_;
};

TEST_P(Atomic, OverlappingWritesDoNotMix) {
  for (int round = 0; round < 10; ++round) {
    const Bytes data(kBytes, static_cast<std::uint8_t>(1 + rank() + 16 * round));
    EXPECT_OK(MPI_File_write_at(file(), 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    meet("written");
    EXPECT_TRUE(is_uniform(read())) << "bytes of several ranks in one atomic write, round " << round;
    meet("read");
  }
}

TEST_P(Atomic, OverlappingCollectiveWritesDoNotMix) {
  for (int round = 0; round < 5; ++round) {
    const Bytes data(kBytes, static_cast<std::uint8_t>(1 + rank() + 16 * round));
    EXPECT_OK(MPI_File_write_at_all(file(), 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_TRUE(is_uniform(read())) << "bytes of several ranks in one atomic write, round " << round;
    meet("read");
  }
}

TEST_P(Atomic, ReadersSeeWholeWrites) {
  const Bytes first(kBytes, 0);
  EXPECT_OK(MPI_File_write_at_all(file(), 0, first.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
  for (int round = 0; round < 30; ++round) {
    if (rank() % 2 == 0) {
      const Bytes data(kBytes, static_cast<std::uint8_t>(rank() + 8 * round));
      EXPECT_OK(MPI_File_write_at(file(), 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    } else {
      EXPECT_TRUE(is_uniform(read())) << "half a write was seen";
    }
  }
}

// In atomic mode a write is visible to others at once, without sync.
TEST_P(Atomic, WritesAreVisibleToOthersAtOnce) {
  for (int round = 0; round < 5; ++round) {
    const Bytes data(kBytes, static_cast<std::uint8_t>(40 + round));
    if (rank() == round % size()) {
      EXPECT_OK(MPI_File_write_at(file(), 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    meet("written");
    EXPECT_EQ(read(), data);
    meet("read");
  }
}

TEST_P(Atomic, SizesAreSeenByOthersAtOnce) {
  const MPI_Offset instance_bytes = GetParam() ? kBytes * 2 - kBlockBytes : kBytes;
  for (int round = 0; round < 5; ++round) {
    if (rank() == round % size()) {
      const Bytes data(kBytes, static_cast<std::uint8_t>(50 + round));
      EXPECT_OK(
          MPI_File_write_at(file(), MPI_Offset{round} * kBytes, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    meet("written");
    MPI_Offset bytes = -1;
    EXPECT_OK(MPI_File_get_size(file(), &bytes));
    EXPECT_EQ(bytes, (round + 1) * instance_bytes);
    MPI_Offset position = -1;
    EXPECT_OK(MPI_File_seek(file(), 0, MPI_SEEK_END));
    EXPECT_OK(MPI_File_get_position(file(), &position));
    EXPECT_EQ(position, MPI_Offset{round + 1} * kBytes);
    meet("asked");
  }
}

INSTANTIATE_TEST_SUITE_P(Consistency, Atomic, testing::Bool(),
                         [](const auto& test) { return std::string(test.param ? "Blocks" : "Contiguous"); });

TEST(Atomicity, IsOffAtFirstAndCanBeSwitched) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  int flag = -1;
  for (const int wanted : {0, 1, 0}) {
    if (wanted != flag && flag != -1) {
      EXPECT_OK(MPI_File_set_atomicity(file, wanted));
    }
    EXPECT_OK(MPI_File_get_atomicity(file, &flag));
    EXPECT_EQ(flag != 0, wanted != 0);
  }
}

TEST(Sync, MakesWritesVisible) {
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  for (int writer = 0; writer < size(); ++writer) {
    const int value = 1000 + writer;
    if (rank() == writer) {
      EXPECT_OK(MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    }
    EXPECT_OK(MPI_File_sync(file));
    meet("between the syncs");
    EXPECT_OK(MPI_File_sync(file));
    int found = 0;
    EXPECT_OK(MPI_File_read_at(file, 0, &found, 1, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT_EQ(found, value);
    meet("read");
  }
}

// All nodes have the page, and each rank writes a part of it: no client may put back what it remembers of the rest.
TEST(Sync, WritersOfOnePageLeaveTheRestAlone) {
  constexpr int kPart = 24;
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  const int all = kPart * size();
  for (int round = 0; round < 5; ++round) {
    Bytes found(static_cast<std::size_t>(all));
    if (round == 0 && rank() == 0) {
      EXPECT_OK(MPI_File_write_at(file, 0, found.data(), all, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    EXPECT_OK(MPI_File_sync(file));
    meet("before the page is read");
    EXPECT_OK(MPI_File_sync(file));
    EXPECT_OK(MPI_File_read_at(file, 0, found.data(), all, MPI_BYTE, MPI_STATUS_IGNORE));
    meet("all have the page");
    const Bytes mine(kPart, static_cast<std::uint8_t>(1 + rank() + 32 * round));
    EXPECT_OK(MPI_File_write_at(file, kPart * rank(), mine.data(), kPart, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_sync(file));
    meet("between the syncs");
    EXPECT_OK(MPI_File_sync(file));
    EXPECT_OK(MPI_File_read_at(file, 0, found.data(), all, MPI_BYTE, MPI_STATUS_IGNORE));
    Bytes expected;
    for (int r = 0; r < size(); ++r)
      expected.insert(expected.end(), kPart, static_cast<std::uint8_t>(1 + r + 32 * round));
    EXPECT_EQ(found, expected) << "round " << round;
  }
}

TEST(Sync, OfAReadOnlyFileIsFine) {
  Scratch scratch;
  make_file(scratch.path(), pattern(10, 1));
  const File file(scratch.path(), MPI_MODE_RDONLY);
  EXPECT_OK(MPI_File_sync(file));
}

// Every node sees what set_size cut off and put in its place, though all of them had the old bytes.
TEST(SetSize, IsSeenByAll) {
  constexpr int kLong = 9000;
  constexpr int kShort = 1000;
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  for (int writer = 0; writer < size(); writer += 3) {
    const Bytes data(kLong, static_cast<std::uint8_t>(1 + writer));
    if (rank() == writer) {
      EXPECT_OK(MPI_File_write_at(file, 0, data.data(), kLong, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    EXPECT_OK(MPI_File_sync(file));
    meet("between the syncs");
    EXPECT_OK(MPI_File_sync(file));
    Bytes found(kLong);
    EXPECT_OK(MPI_File_read_at(file, 0, found.data(), kLong, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_EQ(found, data);
    for (const int bytes : {kShort, kLong}) {
      MPI_Offset told = -1;
      EXPECT_OK(MPI_File_set_size(file, bytes));
      EXPECT_OK(MPI_File_get_size(file, &told));
      EXPECT_EQ(told, bytes);
    }
    Bytes expected = data;
    std::fill(expected.begin() + kShort, expected.end(), std::uint8_t{0});
    EXPECT_OK(MPI_File_read_at(file, 0, found.data(), kLong, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_EQ(found, expected);
    meet("read");
  }
}

// Where the end of a file was allocated and never written, what lies before it is read as it is by nodes that remember
// another size.
TEST(Preallocate, ChangesNoByteForOtherNodes) {
  constexpr int kPart = 60;
  const int all = kPart * size();
  for (int round = 0; round < 5; ++round) {
    Scratch scratch;
    const File file(scratch.path(), kUpdate);
    const Bytes mine(kPart, static_cast<std::uint8_t>(1 + rank()));
    EXPECT_OK(MPI_File_write_at(file, kPart * rank(), mine.data(), kPart, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_sync(file));
    EXPECT_OK(MPI_File_preallocate(file, all + 23));
    EXPECT_OK(MPI_File_write_at(file, kPart * rank(), mine.data(), kPart, MPI_BYTE, MPI_STATUS_IGNORE));
    Bytes found(kPart);
    MPI_Status status;
    EXPECT_OK(MPI_File_read_at(file, kPart * rank(), found.data(), kPart, MPI_BYTE, &status));
    EXPECT_EQ(count_in(status, MPI_BYTE), kPart);
    EXPECT_EQ(found, mine) << "round " << round;
  }
}

// A rank's accesses follow each other without a sync, though one aggregator makes the collective ones for all nodes.
TEST(OwnAccesses, NeedNoSync) {
  constexpr int kPart = 40;
  Scratch scratch;
  const File file(scratch.path(), kUpdate, MPI_COMM_WORLD, Hints("weir_method=two_phase cb_nodes=1"));
  const MPI_Offset mine = kPart * rank();
  Bytes found(kPart);
  for (int round = 0; round < 5; ++round) {
    const Bytes first(kPart, static_cast<std::uint8_t>(1 + rank() + 64 * (round % 2)));
    EXPECT_OK(MPI_File_write_at_all(file, mine, first.data(), kPart, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_read_at(file, mine, found.data(), kPart, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_EQ(found, first) << "written together, read alone, round " << round;
    const Bytes second(kPart, static_cast<std::uint8_t>(33 + rank() + 64 * (round % 2)));
    EXPECT_OK(MPI_File_write_at(file, mine, second.data(), kPart, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_read_at_all(file, mine, found.data(), kPart, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_EQ(found, second) << "written alone, read together, round " << round;
  }
}

TEST(Close, MakesWritesVisibleToTheNextOpen) {
  Scratch scratch;
  for (int round = 0; round < 5; ++round) {
    const int value = 100 * round + rank();
    {
      const File file(scratch.path(), kUpdate);
      EXPECT_OK(MPI_File_write_at(file, 4 * rank(), &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    }
    const File file(scratch.path(), MPI_MODE_RDONLY);
    const int other = (rank() + 1) % size();
    int found = -1;
    EXPECT_OK(MPI_File_read_at(file, 4 * other, &found, 1, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT_EQ(found, 100 * round + other);
    meet("read");
  }
}

// A record of a log that all ranks write: who, which, and how long, then filling.
std::vector<int> log_record(int of_rank, int number) {
  std::vector<int> record(static_cast<std::size_t>(3 + (of_rank * 7 + number) % 5), of_rank * 1000 + number);
  record[0] = of_rank;
  record[1] = number;
  record[2] = static_cast<int>(record.size());
  return record;
}

// The (rank, number) of the records of a log; adds a failure for anything torn.
std::multiset<std::pair<int, int>> log_entries(const Bytes& bytes) {
  std::multiset<std::pair<int, int>> entries;
  std::vector<int> words(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(words.data()));
  for (std::size_t at = 0; at + 3 <= words.size();) {
    const std::vector<int> expected = log_record(words[at], words[at + 1]);
    const bool whole = at + expected.size() <= words.size() &&
                       std::equal(expected.begin(), expected.end(), words.begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_TRUE(whole) << "a torn record at word " << at;
    if (!whole) break;
    entries.emplace(words[at], words[at + 1]);
    at += expected.size();
  }
  return entries;
}

TEST(SharedPointer, EveryRecordAppearsExactlyOnce) {
  constexpr int kRecords = 100;
  Scratch scratch;
  {
    const File file(scratch.path(), kUpdate);
    for (int number = 0; number < kRecords; ++number) {
      std::vector<int> record = log_record(rank(), number);
      const int words = static_cast<int>(record.size());
      if (number % 3 == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        EXPECT_OK(MPI_File_iwrite_shared(file, record.data(), words, MPI_INT, &request));
        EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
      } else {
        EXPECT_OK(MPI_File_write_shared(file, record.data(), words, MPI_INT, MPI_STATUS_IGNORE));
      }
    }
  }
  const auto entries = log_entries(file_bytes(scratch.path()));
  EXPECT_EQ(entries.size(), static_cast<std::size_t>(kRecords * size()));
  for (int r = 0; r < size(); ++r) {
    for (int number = 0; number < kRecords; ++number) EXPECT_EQ(entries.count({r, number}), 1U);
  }
}

TEST(SharedPointer, EveryRecordIsReadExactlyOnce) {
  constexpr int kRecords = 60;
  Scratch scratch;
  std::vector<int> numbers(static_cast<std::size_t>(kRecords * size()));
  std::iota(numbers.begin(), numbers.end(), 0);
  make_file(scratch.path(), bytes_of(numbers));
  const File file(scratch.path(), MPI_MODE_RDONLY);
  std::vector<int> seen(numbers.size(), 0);
  for (;;) {
    int number = -1;
    MPI_Status status;
    EXPECT_OK(MPI_File_read_shared(file, &number, 1, MPI_INT, &status));
    if (count_in(status, MPI_INT) != 1 || number < 0) break;
    seen[static_cast<std::size_t>(number)] += 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, seen.data(), static_cast<int>(seen.size()), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(seen, std::vector<int>(numbers.size(), 1));
}

TEST(OrderedPointer, RecordsOfDifferentLengthsInRankOrder) {
  Scratch scratch;
  Bytes expected;
  {
    const File file(scratch.path(), kUpdate);
    for (int number = 0; number < 8; ++number) {
      std::vector<int> record = log_record(rank(), number);
      const int words = number == 3 && rank() == 0 ? 0 : static_cast<int>(record.size());
      EXPECT_OK(MPI_File_write_ordered(file, record.data(), words, MPI_INT, MPI_STATUS_IGNORE));
      for (int r = 0; r < size(); ++r) {
        if (number == 3 && r == 0) continue;
        const Bytes one = bytes_of(log_record(r, number));
        expected.insert(expected.end(), one.begin(), one.end());
      }
    }
  }
  EXPECT_EQ(file_bytes(scratch.path()), expected);
}

TEST(OrderedPointer, FollowsTheSharedOne) {
  Scratch scratch;
  {
    const File file(scratch.path(), kUpdate);
    const int mine = rank();
    if (rank() == size() - 1) {
      EXPECT_OK(MPI_File_write_shared(file, "head", 4, MPI_CHAR, MPI_STATUS_IGNORE));
    }
    meet("the head is written");
    EXPECT_OK(MPI_File_write_ordered(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT_EQ(shared_position(file), 4 + 4 * size());
  }
  EXPECT_EQ(file_bytes(scratch.path()).size(), 4U + 4U * static_cast<std::size_t>(size()));
}

TEST(StrayFiles, NeitherWhileOpenNorAfterwards) {
  Scratch scratch;
  const auto files = [] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(environment("TEST_DIR"))) {
      names.push_back(entry.path());
    }
    return names;
  };
  {
    const File file(scratch.path(), kUpdate);
    const int mine = rank();
    EXPECT_OK(MPI_File_set_atomicity(file, 1));
    EXPECT_OK(MPI_File_write_shared(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_write_ordered(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE));
    meet("everything was used once");
    if (under_weir()) {
      EXPECT_EQ(files(), std::vector<std::string>{scratch.path()}) << "while the file is open";
    }
    meet("looked");
  }
  meet("closed");
  EXPECT_EQ(files(), std::vector<std::string>{scratch.path()}) << "after the close";
}

}  // namespace
