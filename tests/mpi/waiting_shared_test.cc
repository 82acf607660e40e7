// Calls with the shared file pointer while other ranks are blocked in calls that have nothing to do with files, and
// persistent operations likewise.
#include <dlfcn.h>

#include "interleaved.h"
#include "time_limit.h"
#include "weir/persistent.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kRounds = 3;
constexpr int kRecordBytes = 100000;
constexpr unsigned kSeconds = 20;

class Shared : public testing::Test {
 protected:
  void SetUp() override {
    if (!under_weir()) GTEST_SKIP() << "the hosts may deadlock, or have no shared file pointer";
  }
  // Waits for a word from the rank on the left; rank 0 has the first word.
  static void take_turn(int round) {
    char word = 0;
    const int left = (rank() + size() - 1) % size();
    if (size() > 1 && (rank() > 0 || round > 0)) {
      MPI_Recv(&word, 1, MPI_CHAR, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  static void pass_turn(int round) {
    const char word = 'x';
    const int right = (rank() + 1) % size();
    if (size() > 1 && (right != 0 || round + 1 < kRounds)) MPI_Send(&word, 1, MPI_CHAR, right, 5, MPI_COMM_WORLD);
  }
  // The records of all ranks in turn, round by round.
  static Bytes all_in_turn() {
    Bytes all;
    for (int i = 0; i < kRounds * size(); ++i) {
      const Bytes one = pattern(kRecordBytes, static_cast<unsigned>(i));
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  static Bytes record(int round) { return pattern(kRecordBytes, static_cast<unsigned>(round * size() + rank())); }

  TimeLimit limit_{kSeconds, rank()};
  Scratch scratch_;
  Hints hints_;
};

TEST_F(Shared, WritesInTurnWhileTheOthersReceive) {
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    for (int round = 0; round < kRounds; ++round) {
      const Bytes data = record(round);
      take_turn(round);
      EXPECT_OK(MPI_File_write_shared(file, data.data(), kRecordBytes, MPI_BYTE, MPI_STATUS_IGNORE));
      pass_turn(round);
    }
  }
  EXPECT_EQ(file_bytes(scratch_.path()), all_in_turn());
}

TEST_F(Shared, NonblockingWritesInTurnWhileTheOthersReceive) {
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    for (int round = 0; round < kRounds; ++round) {
      const Bytes data = record(round);
      MPI_Request request = MPI_REQUEST_NULL;
      take_turn(round);
      EXPECT_OK(MPI_File_iwrite_shared(file, data.data(), kRecordBytes, MPI_BYTE, &request));
      EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
      pass_turn(round);
    }
  }
  EXPECT_EQ(file_bytes(scratch_.path()), all_in_turn());
}

TEST_F(Shared, ReadsInTurnWhileTheOthersReceive) {
  make_file(scratch_.path(), all_in_turn());
  const File file(scratch_.path(), MPI_MODE_RDONLY, MPI_COMM_WORLD, hints_);
  for (int round = 0; round < kRounds; ++round) {
    Bytes found(kRecordBytes);
    take_turn(round);
    EXPECT_OK(MPI_File_read_shared(file, found.data(), kRecordBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    pass_turn(round);
    EXPECT_EQ(found, record(round));
  }
}

TEST_F(Shared, OrderedWritesBlockingAndSplit) {
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    for (int round = 0; round < kRounds; ++round) {
      const Bytes data = record(round);
      if (round % 2 == 0) {
        EXPECT_OK(MPI_File_write_ordered(file, data.data(), kRecordBytes, MPI_BYTE, MPI_STATUS_IGNORE));
      } else {
        EXPECT_OK(MPI_File_write_ordered_begin(file, data.data(), kRecordBytes, MPI_BYTE));
        EXPECT_OK(MPI_File_write_ordered_end(file, data.data(), MPI_STATUS_IGNORE));
      }
    }
  }
  EXPECT_EQ(file_bytes(scratch_.path()), all_in_turn());
}

// The functions of weir/persistent.h, as a program finds them that weir is preloaded to.
struct Persistent {
  decltype(&MPIX_File_write_all_init) write_all_init = find<decltype(write_all_init)>("MPIX_File_write_all_init");
  decltype(&MPIX_File_start) start = find<decltype(start)>("MPIX_File_start");
  decltype(&MPIX_File_wait) wait = find<decltype(wait)>("MPIX_File_wait");
  decltype(&MPIX_File_operation_free) free = find<decltype(free)>("MPIX_File_operation_free");

  template <typename Function>
  static Function find(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  }
};

class PersistentWaiting : public Shared {
 protected:
  static constexpr int kPieces = 2048;
  static constexpr int kBytes = kPieces * kPieceBytes;
  // A message from rank 0 to the last one, or back.
  static void exchange(bool back, Bytes& message) {
    const int from = back ? size() - 1 : 0;
    const int to = back ? 0 : size() - 1;
    const int bytes = static_cast<int>(message.size());
    if (from == to) return;
    if (rank() == from) {
      EXPECT_OK(MPI_Send(message.data(), bytes, MPI_BYTE, to, 6, MPI_COMM_WORLD));
    }
    if (rank() == to) {
      EXPECT_OK(MPI_Recv(message.data(), bytes, MPI_BYTE, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
  }
  Persistent persistent_;
  Bytes message_ = Bytes(1 << 20, 'm');
};

// In odd rounds the last rank starts after it has received what rank 0 sends after its start; in even rounds rank 0 is
// blocked until the last rank's access is done.
TEST_F(PersistentWaiting, StartsAndWaitsBesideLongMessages) {
  const Bytes data = part_of(rank(), kPieces);
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    MPIX_File_operation step = nullptr;
    EXPECT_OK(persistent_.write_all_init(file, data.data(), kBytes, MPI_BYTE, &step));
    for (int round = 0; round < 2 * kRounds; ++round) {
      const bool odd = round % 2 != 0;
      const bool is_last = rank() == size() - 1;
      EXPECT_OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
      if (odd && is_last) exchange(false, message_);
      EXPECT_OK(persistent_.start(step));
      if (odd && !is_last) exchange(false, message_);
      if (!odd && rank() == 0) exchange(true, message_);
      EXPECT_OK(persistent_.wait(step, MPI_STATUS_IGNORE));
      if (!odd && rank() != 0) exchange(true, message_);
    }
    EXPECT_OK(persistent_.free(&step));
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
}

}  // namespace
