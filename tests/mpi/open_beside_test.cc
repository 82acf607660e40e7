// Two threads of each rank at work on different files at the same time. What a thread does is in order with the same
// thread of the other ranks; nothing orders the two.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "interleaved.h"
#include "time_limit.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kRounds = 100;
constexpr int kPieces = 16;
constexpr int kBytes = kPieces * kPieceBytes;

// Files on their way from the thread that opens to the thread that closes; at most four.
class Belt {
 public:
  void put(MPI_File file) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return files_.size() < 4; });
    files_.push_back(file);
    changed_.notify_all();
  }
  MPI_File take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !files_.empty(); });
    const MPI_File file = files_.front();
    files_.pop_front();
    changed_.notify_all();
    return file;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<MPI_File> files_;
};

class OpenBeside : public testing::Test {
 protected:
  void SetUp() override {
    if (thread_level() < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "MPI_THREAD_MULTIPLE";
  }
  static void both(const std::function<void()>& first, const std::function<void()>& second) {
    std::thread thread(first);
    second();
    thread.join();
  }
  TimeLimit limit_{45, rank()};
  Scratch scratch_;
  Scratch other_{"other"};
  Hints hints_;
};

// One thread opens, the other closes what the first has opened. All on one communicator: an open and a close may meet,
// and which comes first is another matter on every rank.
TEST_F(OpenBeside, OpenBesideClose) {
  Belt belt;
  both(
      [&] {
        for (int i = 0; i < kRounds; ++i) {
          MPI_File file = MPI_FILE_NULL;
          EXPECT_OK(
              MPI_File_open(MPI_COMM_WORLD, i % 2 == 0 ? scratch_.path() : other_.path(), kUpdate, hints_, &file));
          belt.put(file);
        }
      },
      [&] {
        for (int i = 0; i < kRounds; ++i) {
          MPI_File file = belt.take();
          EXPECT_OK(MPI_File_close(&file));
        }
      });
}

TEST_F(OpenBeside, OpenBesideCollectiveWrites) {
  const Bytes data = part_of(rank(), kPieces);
  {
    const File written(other_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(written);
    both(
        [&] {
          for (int i = 0; i < kRounds; ++i) {
            MPI_File file = MPI_FILE_NULL;
            EXPECT_OK(MPI_File_open(MPI_COMM_WORLD, scratch_.path(), kUpdate, hints_, &file));
            EXPECT_OK(MPI_File_close(&file));
          }
        },
        [&] {
          for (int i = 0; i < kRounds; ++i) {
            EXPECT_OK(MPI_File_write_at_all(written, 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
          }
        });
  }
  EXPECT_EQ(file_bytes(other_.path()), interleaved(kPieces));
}

// Each thread has a communicator of its own; both are duplicates of one.
TEST_F(OpenBeside, TwoThreadsOnTwoDuplicates) {
  MPI_Comm comms[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
  for (MPI_Comm& comm : comms) EXPECT_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  const Bytes data = part_of(rank(), kPieces);
  const auto work = [&](MPI_Comm comm, const char* path) {
    const Type piece = Type::contiguous(kPieceBytes, MPI_BYTE);
    const Type mine = Type::resized(piece, 0, static_cast<MPI_Aint>(kPieceBytes) * size());
    for (int i = 0; i < kRounds; ++i) {
      MPI_File file = MPI_FILE_NULL;
      EXPECT_OK(MPI_File_open(comm, path, kUpdate, hints_, &file));
      EXPECT_OK(MPI_File_set_view(file, static_cast<MPI_Offset>(kPieceBytes) * rank(), MPI_BYTE, mine, "native",
                                  MPI_INFO_NULL));
      EXPECT_OK(MPI_File_write_at_all(file, 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
      EXPECT_OK(MPI_File_close(&file));
    }
  };
  both([&] { work(comms[0], scratch_.path()); }, [&] { work(comms[1], other_.path()); });
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
  EXPECT_EQ(file_bytes(other_.path()), interleaved(kPieces));
}

// One thread starts accesses and waits for them, the other makes blocking ones on a file of the same communicator.
TEST_F(OpenBeside, NonblockingBesideBlocking) {
  const Bytes data = part_of(rank(), kPieces);
  {
    const File first(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    const File second(other_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(first);
    set_interleaved_view(second);
    both(
        [&] {
          for (int i = 0; i < kRounds; ++i) {
            MPI_Request request = MPI_REQUEST_NULL;
            EXPECT_OK(MPI_File_iwrite_at_all(first, 0, data.data(), kBytes, MPI_BYTE, &request));
            EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
          }
        },
        [&] {
          for (int i = 0; i < kRounds; ++i) {
            EXPECT_OK(MPI_File_write_at_all(second, 0, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
          }
        });
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
  EXPECT_EQ(file_bytes(other_.path()), interleaved(kPieces));
}

}  // namespace
