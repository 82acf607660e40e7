// Accesses go on while the program does something else: computes, or is blocked in another call.
#include <functional>
#include <thread>

#include "access_test.h"
#include "happens_soon.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kBlockBytes = 1 << 20;

class Progress : public testing::Test {
 protected:
  Progress() : data_(pattern(kBlockBytes, static_cast<unsigned>(rank()))) {}
  static bool have_two_ranks() { return size() > 1; }
  // The blocks of all ranks, one after the other.
  static Bytes all_blocks() {
    Bytes all;
    for (int r = 0; r < size(); ++r) {
      const Bytes one = pattern(kBlockBytes, static_cast<unsigned>(r));
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  Bytes data_;
};

// Rank 0 is blocked in `block` for what rank 1 only sends after its own access has ended.
void blocked_meanwhile(MPI_Request* request, const std::function<void()>& block, const std::function<void()>& release) {
  MPI_Status status;
  if (rank() == 0) {
    block();
    EXPECT_OK(MPI_Wait(request, &status));
  } else {
    EXPECT_OK(MPI_Wait(request, &status));
    release();
  }
  EXPECT_EQ(moved_bytes(status), kBlockBytes);
}

void receive_from_one() {
  char word = 0;
  MPI_Recv(&word, 1, MPI_CHAR, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void send_to_zero() {
  const char word = 'x';
  if (rank() == 1) MPI_Send(&word, 1, MPI_CHAR, 0, 8, MPI_COMM_WORLD);
}

TEST_F(Progress, CollectiveWriteOfARankBlockedInReceive) {
  if (!have_two_ranks() || !under_weir()) GTEST_SKIP() << "two ranks, and not the hosts: they deadlock";
  Scratch scratch;
  {
    const File file(scratch.path(), kUpdate);
    for (int i = 0; i < 5; ++i) {
      MPI_Request request = MPI_REQUEST_NULL;
      EXPECT_OK(MPI_File_iwrite_at_all(file, static_cast<MPI_Offset>(rank()) * kBlockBytes, data_.data(), kBlockBytes,
                                       MPI_BYTE, &request));
      blocked_meanwhile(&request, receive_from_one, send_to_zero);
    }
  }
  EXPECT_EQ(file_bytes(scratch.path()), all_blocks());
}

TEST_F(Progress, CollectiveReadOfARankBlockedInReceive) {
  if (!have_two_ranks() || !under_weir()) GTEST_SKIP() << "two ranks, and not the hosts: they deadlock";
  Scratch scratch;
  make_file(scratch.path(), all_blocks());
  const File file(scratch.path(), MPI_MODE_RDONLY);
  Bytes found(kBlockBytes);
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_OK(MPI_File_seek(file, static_cast<MPI_Offset>(rank()) * kBlockBytes, MPI_SEEK_SET));
  EXPECT_OK(MPI_File_iread_all(file, found.data(), kBlockBytes, MPI_BYTE, &request));
  blocked_meanwhile(&request, receive_from_one, send_to_zero);
  EXPECT_EQ(found, data_);
}

TEST_F(Progress, CollectiveWriteOfARankBlockedInABarrier) {
  if (!have_two_ranks() || !under_weir()) GTEST_SKIP() << "two ranks, and not the hosts: they deadlock";
  Scratch scratch;
  {
    const File file(scratch.path(), kUpdate);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_OK(MPI_File_iwrite_at_all(file, static_cast<MPI_Offset>(rank()) * kBlockBytes, data_.data(), kBlockBytes,
                                     MPI_BYTE, &request));
    const auto barrier = [] { MPI_Barrier(MPI_COMM_WORLD); };
    blocked_meanwhile(&request, barrier, barrier);
  }
  EXPECT_EQ(file_bytes(scratch.path()), all_blocks());
}

// The receiver comes to the collective call only after the message, which is too long to leave the sender at once.
TEST_F(Progress, MessagesOfTheProgramMoveWhileARankWaitsInACollectiveCall) {
  if (!have_two_ranks()) GTEST_SKIP() << "needs two ranks";
  constexpr int kMessageBytes = 16 << 20;
  Bytes message(kMessageBytes);
  Scratch scratch;
  const File file(scratch.path(), kUpdate);
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank() == 0) MPI_Isend(message.data(), kMessageBytes, MPI_BYTE, 1, 9, MPI_COMM_WORLD, &request);
  if (rank() == 1) MPI_Recv(message.data(), kMessageBytes, MPI_BYTE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_OK(MPI_File_write_at_all(file, rank() * kBlockBytes, data_.data(), kBlockBytes, MPI_BYTE, MPI_STATUS_IGNORE));
  EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

TEST_F(Progress, SplitWriteOfARankBlockedInReceive) {
  if (!have_two_ranks() || !under_weir()) GTEST_SKIP() << "two ranks, and not the hosts: they deadlock";
  Scratch scratch;
  {
    const File file(scratch.path(), kUpdate);
    EXPECT_OK(MPI_File_write_at_all_begin(file, static_cast<MPI_Offset>(rank()) * kBlockBytes, data_.data(),
                                          kBlockBytes, MPI_BYTE));
    MPI_Status status;
    if (rank() == 0) receive_from_one();
    EXPECT_OK(MPI_File_write_at_all_end(file, data_.data(), &status));
    send_to_zero();
    EXPECT_EQ(moved_bytes(status), kBlockBytes);
  }
  EXPECT_EQ(file_bytes(scratch.path()), all_blocks());
}

TEST_F(Progress, IndependentWriteWhileComputing) {
  if (!under_weir()) GTEST_SKIP() << "ROMIO writes when asked to wait";
  Scratch scratch;
  const std::string own = std::string(scratch.path()) + "." + std::to_string(rank());
  {
    const File file(own.c_str(), kUpdate, MPI_COMM_SELF);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_OK(MPI_File_iwrite_at(file, 0, data_.data(), kBlockBytes, MPI_BYTE, &request));
    EXPECT_TRUE(happens_soon([&] { return file_size(own.c_str()) == kBlockBytes; }));
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_delete(own.c_str(), MPI_INFO_NULL));
  }
}

TEST_F(Progress, FreedRequestIsStillServed) {
  if (!under_weir()) GTEST_SKIP() << "unspecified enough to leave the hosts alone";
  Scratch scratch;
  {
    const File file(scratch.path(), kUpdate);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_OK(MPI_File_iwrite_at(file, static_cast<MPI_Offset>(rank()) * kBlockBytes, data_.data(), kBlockBytes,
                                 MPI_BYTE, &request));
    EXPECT_OK(MPI_Request_free(&request));
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    EXPECT_TRUE(happens_soon([&] {
      int flag = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, 12345, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
      return file_size(scratch.path()) == static_cast<std::int64_t>(kBlockBytes) * size();
    }));
  }
  EXPECT_EQ(file_bytes(scratch.path()), all_blocks());
}

// Two collective writes in flight on two files, waited for in opposite orders by neighbours.
TEST_F(Progress, TwoFilesInOppositeOrders) {
  if (!under_weir()) GTEST_SKIP() << "the hosts may deadlock";
  Scratch one("one");
  Scratch two("two");
  {
    const File first(one.path(), kUpdate);
    const File second(two.path(), kUpdate);
    const MPI_Offset place = static_cast<MPI_Offset>(rank()) * kBlockBytes;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    EXPECT_OK(MPI_File_iwrite_at_all(first, place, data_.data(), kBlockBytes, MPI_BYTE, &requests[0]));
    EXPECT_OK(MPI_File_iwrite_at_all(second, place, data_.data(), kBlockBytes, MPI_BYTE, &requests[1]));
    EXPECT_OK(MPI_Wait(&requests[rank() % 2], MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_Wait(&requests[1 - rank() % 2], MPI_STATUS_IGNORE));
  }
  EXPECT_EQ(file_bytes(one.path()), all_blocks());
  EXPECT_EQ(file_bytes(two.path()), all_blocks());
}

TEST_F(Progress, CallsFromAnotherThread) {
  if (thread_level() < MPI_THREAD_SERIALIZED) GTEST_SKIP() << "needs MPI_THREAD_SERIALIZED";
  Scratch scratch;
  {
    const File file(scratch.path(), kUpdate);
    MPI_Request request = MPI_REQUEST_NULL;
    std::thread([&] {
      EXPECT_OK(MPI_File_iwrite_at_all(file, static_cast<MPI_Offset>(rank()) * kBlockBytes, data_.data(), kBlockBytes,
                                       MPI_BYTE, &request));
    }).join();
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  EXPECT_EQ(file_bytes(scratch.path()), all_blocks());
}

TEST_F(Progress, ManyThreadsAtOnce) {
  if (thread_level() < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "needs MPI_THREAD_MULTIPLE";
  Scratch scratch;
  constexpr int kThreads = 4;
  constexpr int kSlice = kBlockBytes / kThreads;
  {
    const File file(scratch.path(), kUpdate);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        const MPI_Offset place = static_cast<MPI_Offset>(rank()) * kBlockBytes + t * kSlice;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Status status;
        EXPECT_OK(MPI_File_iwrite_at(file, place, data_.data() + t * kSlice, kSlice / 2, MPI_BYTE, &request));
        EXPECT_OK(MPI_File_write_at(file, place + kSlice / 2, data_.data() + t * kSlice + kSlice / 2, kSlice / 2,
                                    MPI_BYTE, &status));
        EXPECT_OK(MPI_Wait(&request, &status));
        EXPECT_EQ(moved_bytes(status), kSlice / 2);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(file_bytes(scratch.path()), all_blocks());
}

}  // namespace
