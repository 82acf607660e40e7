// Programs that other ranks' progress depends on while they wait: correct MPI programs, so that every one of them has
// to complete, at every thread level, on one node and on several, whatever way the data take. The hosts deadlock in
// some.
#include "interleaved.h"
#include "time_limit.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kPieces = 2048;
constexpr int kBytes = kPieceBytes * kPieces;  // of a rank
constexpr int kMessageBytes = 1 << 20;         // too long to leave the sender before it is received
constexpr int kRounds = 3;
constexpr int kTag = 7;
constexpr unsigned kSeconds = 20;

class Waiting : public testing::Test {
 protected:
  void SetUp() override {
    if (size() < 2) GTEST_SKIP() << "two ranks";
    if (!under_weir()) GTEST_SKIP() << "the hosts may deadlock";
  }
  static bool is_last() { return rank() == size() - 1; }
  static MPI_Request start_write(MPI_File file, const Bytes& data) {
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_OK(MPI_File_iwrite_at_all(file, 0, data.data(), kBytes, MPI_BYTE, &request));
    return request;
  }
  static void send_message(int to, Bytes& message) {
    EXPECT_OK(MPI_Send(message.data(), kMessageBytes, MPI_BYTE, to, kTag, MPI_COMM_WORLD));
  }
  static void receive_message(int from, Bytes& message) {
    EXPECT_OK(MPI_Recv(message.data(), kMessageBytes, MPI_BYTE, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  }
  static void wait(MPI_Request* request) {
    MPI_Status status;
    EXPECT_OK(MPI_Wait(request, &status));
    EXPECT_EQ(moved_bytes(status), kBytes);
  }

  TimeLimit limit_{kSeconds, rank()};
  Scratch scratch_;
  Scratch other_{"other"};
  Hints hints_{"weir_method=two_phase"};
  Bytes data_ = part_of(rank(), kPieces);
  Bytes message_ = Bytes(kMessageBytes, 'm');
};

// Even ranks come to the collective call with a message under way, which odd ranks receive before they come.
TEST_F(Waiting, SplitWriteBesideALongMessage) {
  const int peer = rank() ^ 1;
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    for (int round = 0; round < kRounds; ++round) {
      MPI_Request request = MPI_REQUEST_NULL;
      if (peer < size() && rank() % 2 == 0) {
        EXPECT_OK(MPI_Isend(message_.data(), kMessageBytes, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &request));
      } else if (peer < size()) {
        receive_message(peer, message_);
      }
      EXPECT_OK(MPI_File_write_at_all_begin(file, 0, data_.data(), kBytes, MPI_BYTE));
      EXPECT_OK(MPI_File_write_at_all_end(file, data_.data(), MPI_STATUS_IGNORE));
      EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
}

TEST_F(Waiting, BlockingWriteBesideALongMessage) {
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank() == 0) MPI_Isend(message_.data(), kMessageBytes, MPI_BYTE, size() - 1, kTag, MPI_COMM_WORLD, &request);
    if (is_last()) receive_message(0, message_);
    EXPECT_OK(MPI_File_write_at_all(file, 0, data_.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
}

// Opening, setting a view, resizing, synchronising and closing are collective calls in which a rank may wait, too.
TEST_F(Waiting, OtherCollectiveCallsBesideLongMessages) {
  std::vector<MPI_Request> requests;
  int tag = 100;
  const auto exchange = [&] {
    ++tag;
    if (rank() == 0) {
      MPI_Isend(message_.data(), kMessageBytes, MPI_BYTE, size() - 1, tag, MPI_COMM_WORLD, &requests.emplace_back());
    } else if (is_last()) {
      MPI_Recv(message_.data(), kMessageBytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  };
  exchange();
  File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
  exchange();
  set_interleaved_view(file);
  exchange();
  EXPECT_OK(MPI_File_set_size(file, kBytes));
  exchange();
  EXPECT_OK(MPI_File_sync(file));
  exchange();
  EXPECT_OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  exchange();
  file.close();
  EXPECT_OK(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
}

TEST_F(Waiting, BlockingAfterNonblockingOnOneFile) {
  const Bytes old = part_of(rank(), kPieces, 1);
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    for (int round = 0; round < kRounds; ++round) {
      MPI_Request request = start_write(file, old);
      EXPECT_OK(MPI_File_write_at_all(file, 0, data_.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
      wait(&request);
    }
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
}

TEST_F(Waiting, BlockingAfterNonblockingOnTwoFiles) {
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    const File other(other_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    set_interleaved_view(other);
    for (int round = 0; round < kRounds; ++round) {
      MPI_Request request = start_write(file, data_);
      EXPECT_OK(MPI_File_write_at_all(other, 0, data_.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
      wait(&request);
    }
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
  EXPECT_EQ(file_bytes(other_.path()), interleaved(kPieces));
}

// The last rank starts its access when it has every other rank's message; these send theirs after their own start.
TEST_F(Waiting, ARankThatStartsAfterReceiving) {
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    for (int round = 0; round < kRounds; ++round) {
      if (is_last()) {
        for (int r = 0; r + 1 < size(); ++r) receive_message(r, message_);
      }
      MPI_Request request = start_write(file, data_);
      if (!is_last()) send_message(size() - 1, message_);
      wait(&request);
    }
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
}

// The other way round: the others are blocked in a receive, their accesses started, for the rank that comes late.
TEST_F(Waiting, ARankThatStartsAfterSending) {
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    for (int round = 0; round < kRounds; ++round) {
      if (is_last()) {
        for (int r = 0; r + 1 < size(); ++r) send_message(r, message_);
      }
      MPI_Request request = start_write(file, data_);
      if (!is_last()) receive_message(size() - 1, message_);
      wait(&request);
    }
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
}

// Rank 0 sends when its read is done; the others are blocked in the receive meanwhile, then ask for theirs.
TEST_F(Waiting, ReadTestedAgainAndAgain) {
  make_file(scratch_.path(), interleaved(kPieces));
  const File file(scratch_.path(), MPI_MODE_RDONLY, MPI_COMM_WORLD, hints_);
  set_interleaved_view(file);
  for (int round = 0; round < kRounds; ++round) {
    Bytes found(kBytes);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_OK(MPI_File_iread_at_all(file, 0, found.data(), kBytes, MPI_BYTE, &request));
    if (rank() != 0) receive_message(0, message_);
    for (int done = 0; done == 0;) EXPECT_OK(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    for (int r = 1; rank() == 0 && r < size(); ++r) send_message(r, message_);
    EXPECT_EQ(found, data_);
  }
}

// Conversion takes calls of MPI; the ranks but one are blocked in a receive while it is due.
TEST_F(Waiting, ConvertedWriteOfRanksBlockedInReceive) {
  constexpr int kElements = 100000;
  std::vector<int> values(kElements, rank());
  std::vector<int> found(kElements, -1);
  const MPI_Offset place = static_cast<MPI_Offset>(rank()) * kElements;
  const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
  EXPECT_OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
  for (const bool writes : {true, false}) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    EXPECT_OK(writes ? MPI_File_iwrite_at_all(file, place, values.data(), kElements, MPI_INT, &request)
                     : MPI_File_iread_at_all(file, place, found.data(), kElements, MPI_INT, &request));
    if (!is_last()) receive_message(size() - 1, message_);
    EXPECT_OK(MPI_Wait(&request, &status));
    EXPECT_EQ(count_in(status, MPI_INT), kElements);
    for (int r = 0; is_last() && r + 1 < size(); ++r) send_message(r, message_);
  }
  EXPECT_EQ(found, values);
}

// Two files, waited for in opposite orders by neighbours.
TEST_F(Waiting, TwoFilesInOppositeOrders) {
  {
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    const File other(other_.path(), kUpdate, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    set_interleaved_view(other);
    MPI_Request requests[2] = {start_write(file, data_), start_write(other, data_)};
    wait(&requests[rank() % 2]);
    EXPECT_OK(MPI_Barrier(MPI_COMM_SELF));
    wait(&requests[1 - rank() % 2]);
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
  EXPECT_EQ(file_bytes(other_.path()), interleaved(kPieces));
}

}  // namespace
