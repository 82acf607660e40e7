// Every way to wait for requests, with a message and a file access in one list: the message comes only when the
// sender's access is done, which takes all ranks'.
#include <algorithm>
#include <array>

#include "interleaved.h"
#include "time_limit.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kPieces = 2048;
constexpr int kBytes = kPieceBytes * kPieces;  // of a rank
constexpr int kMessageBytes = 1 << 20;
constexpr int kAccess = 1;  // place of the access in the list, after the message
using Requests = std::array<MPI_Request, 2>;

// Makes one call; returns whether it told that the access is complete. Calls of this kind are repeated until one does.
struct Way {
  const char* name;
  bool (*ask)(Requests& requests);
};

bool by_wait(Requests& requests) { return MPI_Wait(&requests[kAccess], MPI_STATUS_IGNORE) == MPI_SUCCESS; }

bool by_test(Requests& requests) {
  int done = 0;
  EXPECT_OK(MPI_Test(&requests[kAccess], &done, MPI_STATUS_IGNORE));
  return done != 0;
}

bool by_get_status(Requests& requests) {
  int done = 0;
  EXPECT_OK(MPI_Request_get_status(requests[kAccess], &done, MPI_STATUS_IGNORE));
  if (done != 0) {
    EXPECT_OK(MPI_Wait(&requests[kAccess], MPI_STATUS_IGNORE));
  }
  return done != 0;
}

bool by_waitany(Requests& requests) {
  int index = MPI_UNDEFINED;
  EXPECT_OK(MPI_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE));
  return index == kAccess;
}

bool by_testany(Requests& requests) {
  int index = MPI_UNDEFINED;
  int done = 0;
  EXPECT_OK(MPI_Testany(2, requests.data(), &index, &done, MPI_STATUS_IGNORE));
  return done != 0 && index == kAccess;
}

bool has_access(int count, const std::array<int, 2>& indices) {
  return count > 0 && std::find(indices.begin(), indices.begin() + count, kAccess) != indices.begin() + count;
}

bool by_waitsome(Requests& requests) {
  int count = 0;
  std::array<int, 2> indices{};
  EXPECT_OK(MPI_Waitsome(2, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE));
  return has_access(count, indices);
}

bool by_testsome(Requests& requests) {
  int count = 0;
  std::array<int, 2> indices{};
  EXPECT_OK(MPI_Testsome(2, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE));
  return has_access(count, indices);
}

// The access alone: the message cannot come before.
bool by_testall(Requests& requests) {
  int done = 0;
  EXPECT_OK(MPI_Testall(1, &requests[kAccess], &done, MPI_STATUSES_IGNORE));
  return done != 0;
}

bool by_waitall(Requests& requests) { return MPI_Waitall(1, &requests[kAccess], MPI_STATUSES_IGNORE) == MPI_SUCCESS; }

constexpr Way kWays[] = {{"Wait", by_wait},         {"Test", by_test},       {"Request_get_status", by_get_status},
                         {"Waitany", by_waitany},   {"Testany", by_testany}, {"Waitsome", by_waitsome},
                         {"Testsome", by_testsome}, {"Testall", by_testall}, {"Waitall", by_waitall}};

class WaitingBy : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    if (!under_weir()) GTEST_SKIP() << "the hosts may deadlock";
  }
  TimeLimit limit_{20, rank()};
  Scratch scratch_;
  Hints hints_{"weir_method=two_phase"};
};
INSTANTIATE_TEST_SUITE_P(Ways, WaitingBy, testing::ValuesIn(kWays),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(WaitingBy, AMessageAndAnAccessInOneList) {
  const int left = (rank() + size() - 1) % size();
  const int right = (rank() + 1) % size();
  const Bytes data = part_of(rank(), kPieces);
  Bytes message(kMessageBytes);
  {
    const File file(scratch_.path(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_COMM_WORLD, hints_);
    set_interleaved_view(file);
    Requests requests{};
    EXPECT_OK(MPI_Irecv(message.data(), kMessageBytes, MPI_BYTE, left, 3, MPI_COMM_WORLD, requests.data()));
    EXPECT_OK(MPI_File_iwrite_at_all(file, 0, data.data(), kBytes, MPI_BYTE, &requests[kAccess]));
    while (!GetParam().ask(requests)) {
    }
    EXPECT_EQ(requests[kAccess], MPI_REQUEST_NULL);
    Bytes sent(kMessageBytes, 's');
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_OK(MPI_Isend(sent.data(), kMessageBytes, MPI_BYTE, right, 3, MPI_COMM_WORLD, &request));
    EXPECT_OK(MPI_Wait(requests.data(), MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    EXPECT_EQ(message, sent);
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kPieces));
}

}  // namespace
