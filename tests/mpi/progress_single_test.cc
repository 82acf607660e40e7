// Accesses go on while the program computes, also where weir has to leave the thread level as low as it is: no thread
// of weir's may call MPI then.
#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "access_test.h"
#include "happens_soon.h"
#include "request_ops.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kPieceBytes = 512;
constexpr int kPieces = 4096;
constexpr int kBytes = kPieceBytes * kPieces;  // of a rank

// LOCAL, unlike file_bytes().
Bytes bytes_now(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Info {
 public:
  explicit Info(const char* method) {
    MPI_Info_create(&info_);
    MPI_Info_set(info_, "weir_method", method);
  }
  ~Info() { MPI_Info_free(&info_); }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  operator MPI_Info() const { return info_; }  // NOLINT(google-explicit-constructor)

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

// COLLECTIVE. Every size()-th piece of the file is this rank's.
void set_interleaved_view(MPI_File file) {
  const Type piece = Type::contiguous(kPieceBytes, MPI_BYTE);
  const Type mine = Type::resized(piece, 0, static_cast<MPI_Aint>(kPieceBytes) * size());
  EXPECT_OK(
      MPI_File_set_view(file, static_cast<MPI_Offset>(kPieceBytes) * rank(), MPI_BYTE, mine, "native", MPI_INFO_NULL));
}

Bytes data_of(int of_rank) { return pattern(kBytes, static_cast<unsigned>(of_rank)); }

// What all ranks' data, interleaved, make of the file.
Bytes interleaved() {
  Bytes all(static_cast<std::size_t>(kBytes) * static_cast<std::size_t>(size()));
  for (int r = 0; r < size(); ++r) {
    const Bytes data = data_of(r);
    for (int piece = 0; piece < kPieces; ++piece) {
      std::copy_n(data.begin() + piece * kPieceBytes, kPieceBytes,
                  all.begin() + static_cast<std::ptrdiff_t>(piece * size() + r) * kPieceBytes);
    }
  }
  return all;
}

class Kept : public testing::Test {
 protected:
  void SetUp() override {
    if (!under_weir()) GTEST_SKIP() << "the hosts move data when asked to wait";
    EXPECT_LT(thread_level(), MPI_THREAD_MULTIPLE);
  }
  // Nobody calls MPI before the whole file is there.
  void expect_there() {
    EXPECT_TRUE(happens_soon([&] { return bytes_now(scratch_.path()) == all_; }));
  }

  Scratch scratch_;
  Bytes data_ = data_of(rank());
  Bytes all_ = interleaved();
};

class KeptMethod : public Kept, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, KeptMethod, testing::Values("two_phase", "independent"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(KeptMethod, CollectiveWriteWhileComputing) {
  const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, Info(GetParam()));
  set_interleaved_view(file);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  EXPECT_OK(MPI_File_iwrite_at_all(file, 0, data_.data(), kBytes, MPI_BYTE, &request));
  expect_there();
  EXPECT_OK(MPI_Wait(&request, &status));
  EXPECT_EQ(moved_bytes(status), kBytes);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

TEST_P(KeptMethod, SplitWriteWhileComputing) {
  const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, Info(GetParam()));
  set_interleaved_view(file);
  MPI_Status status;
  EXPECT_OK(MPI_File_write_all_begin(file, data_.data(), kBytes, MPI_BYTE));
  expect_there();
  EXPECT_OK(MPI_File_write_all_end(file, data_.data(), &status));
  EXPECT_EQ(moved_bytes(status), kBytes);
}

TEST_P(KeptMethod, CollectiveReadBack) {
  make_file(scratch_.path(), all_);
  const File file(scratch_.path(), MPI_MODE_RDONLY, MPI_COMM_WORLD, Info(GetParam()));
  set_interleaved_view(file);
  Bytes found(kBytes);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  EXPECT_OK(MPI_File_iread_all(file, found.data(), kBytes, MPI_BYTE, &request));
  EXPECT_OK(MPI_Wait(&request, &status));
  EXPECT_EQ(moved_bytes(status), kBytes);
  EXPECT_EQ(found, data_);
}

// The last rank makes its call when the first one's has returned: no call waits for the other ranks.
TEST_P(KeptMethod, StartsDoNotWaitForOtherRanks) {
  if (size() == 1) GTEST_SKIP() << "two ranks";
  const Scratch flags[] = {Scratch("nonblocking"), Scratch("split")};
  const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, Info(GetParam()));
  set_interleaved_view(file);
  for (const Scratch& flag : flags) {
    const bool split = &flag != &flags[0];
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank() == size() - 1) {
      EXPECT_TRUE(happens_soon([&] { return exists(flag.path()); }));
    }
    EXPECT_OK(split ? MPI_File_write_at_all_begin(file, 0, data_.data(), kBytes, MPI_BYTE)
                    : MPI_File_iwrite_at_all(file, 0, data_.data(), kBytes, MPI_BYTE, &request));
    if (rank() == 0) std::ofstream(flag.path()).put('x');
    expect_there();
    EXPECT_OK(split ? MPI_File_write_at_all_end(file, data_.data(), MPI_STATUS_IGNORE)
                    : MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
}

// Ordered calls take their places in the background too.
TEST_F(Kept, OrderedSplitWriteWhileComputing) {
  const File file(scratch_.path(), kUpdate);
  Bytes in_order;
  for (int r = 0; r < size(); ++r) {
    const Bytes data = data_of(r);
    in_order.insert(in_order.end(), data.begin(), data.end());
  }
  EXPECT_OK(MPI_File_write_ordered_begin(file, data_.data(), kBytes, MPI_BYTE));
  EXPECT_TRUE(happens_soon([&] { return bytes_now(scratch_.path()) == in_order; }));
  EXPECT_OK(MPI_File_write_ordered_end(file, data_.data(), MPI_STATUS_IGNORE));
}

TEST_F(Kept, IndependentWriteWhileComputing) {
  const File file(scratch_.path(), kUpdate);
  set_interleaved_view(file);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  EXPECT_OK(MPI_File_iwrite_at(file, 0, data_.data(), kBytes, MPI_BYTE, &request));
  expect_there();
  int done = 0;
  EXPECT_TRUE(happens_soon([&] {
    EXPECT_OK(MPI_Test(&request, &done, &status));
    return done != 0;
  }));
  EXPECT_EQ(moved_bytes(status), kBytes);
}

// Rank 1 holds a lock that rank 0's write needs, and lets go of it when the call has returned.
TEST_F(Kept, IndependentWriteThatHasToWait) {
  if (size() == 1) GTEST_SKIP() << "two ranks";
  const Scratch held("held");
  const Scratch started("started");
  const File file(scratch_.path(), kUpdate);
  EXPECT_OK(MPI_File_set_atomicity(file, 1));
  if (rank() == 0) {
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_TRUE(happens_soon([&] { return exists(held.path()); }));
    EXPECT_OK(MPI_File_iwrite_at(file, 0, data_.data(), kBytes, MPI_BYTE, &request));
    int done = 1;
    EXPECT_OK(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    EXPECT_EQ(done, 0);
    std::ofstream(started.path()).put('x');
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  if (rank() == 1) {
    const int descriptor = open(scratch_.path(), O_RDWR | O_CLOEXEC);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    EXPECT_EQ(fcntl(descriptor, F_OFD_SETLK, &lock), 0);
    std::ofstream(held.path()).put('x');
    EXPECT_TRUE(happens_soon([&] { return exists(started.path()); }));
    ::close(descriptor);
  }
}

// The last call wins, whoever is ahead: a blocking collective call waits for its turn.
TEST_F(Kept, BlockingAfterNonblocking) {
  {
    const File file(scratch_.path(), kUpdate);
    set_interleaved_view(file);
    Bytes old = pattern(kBytes, 1000U + static_cast<unsigned>(rank()));
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_OK(MPI_File_iwrite_at_all(file, 0, old.data(), kBytes, MPI_BYTE, &request));
    EXPECT_OK(MPI_File_write_at_all(file, 0, data_.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  EXPECT_EQ(file_bytes(scratch_.path()), all_);
}

// Hints may ask for messages: then the call is complete when it returns, as before.
TEST_F(Kept, MessagesAskedForByHint) {
  for (const char* exchange : {"direct", "pairwise"}) {
    Info info("two_phase");
    MPI_Info_set(info, "weir_exchange", exchange);
    const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, info);
    set_interleaved_view(file);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_OK(MPI_File_iwrite_at_all(file, 0, data_.data(), kBytes, MPI_BYTE, &request));
    EXPECT_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  EXPECT_EQ(file_bytes(scratch_.path()), all_);
}

// So is one that converts data, which takes calls of MPI.
TEST_F(Kept, ConvertingAccess) {
  const File file(scratch_.path(), kUpdate);
  EXPECT_OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
  int value = 1000 + rank();
  int found = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  EXPECT_OK(MPI_File_iwrite_at_all(file, rank(), &value, 1, MPI_INT, &request));
  EXPECT_OK(MPI_Wait(&request, &status));
  EXPECT_EQ(count_in(status, MPI_INT), 1);
  EXPECT_OK(MPI_File_iread_at(file, rank(), &found, 1, MPI_INT, &request));
  EXPECT_OK(MPI_Wait(&request, &status));
  EXPECT_EQ(found, value);
}

// A request freed while the access runs is told to the host later, at the latest at the end of the program.
TEST_F(Kept, FreedRequests) {
  {
    const File file(scratch_.path(), kUpdate);
    set_interleaved_view(file);
    MPI_Request freed = MPI_REQUEST_NULL;
    MPI_Request waited = MPI_REQUEST_NULL;
    EXPECT_OK(MPI_File_iwrite_at_all(file, 0, data_.data(), kBytes, MPI_BYTE, &freed));
    EXPECT_OK(MPI_Request_free(&freed));
    expect_there();
    EXPECT_OK(MPI_File_iwrite_at(file, 0, data_.data(), kPieceBytes, MPI_BYTE, &waited));
    EXPECT_OK(MPI_Wait(&waited, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_iwrite_at(file, 0, data_.data(), kPieceBytes, MPI_BYTE, &freed));
    EXPECT_OK(MPI_Request_free(&freed));
  }
  EXPECT_EQ(file_bytes(scratch_.path()), all_);
}

class KeptCompletion : public Kept, public testing::WithParamInterface<Completion> {};
INSTANTIATE_TEST_SUITE_P(Ways, KeptCompletion, testing::ValuesIn(completions()),
                         [](const auto& test) { return std::string(test.param.name); });

// A receive, a collective and an independent access, a send: whatever completes them, it learns of all.
TEST_P(KeptCompletion, AmongMessages) {
  const File file(scratch_.path(), kUpdate, MPI_COMM_WORLD, Info("two_phase"));
  set_interleaved_view(file);
  const int left = (rank() + size() - 1) % size();
  const int right = (rank() + 1) % size();
  const int sent = 500 + rank();
  int received = -1;
  std::vector<MPI_Request> requests(4, MPI_REQUEST_NULL);
  std::vector<MPI_Status> statuses(4);
  MPI_Irecv(&received, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[0]);
  EXPECT_OK(MPI_File_iwrite_at_all(file, 0, data_.data(), kBytes / 2, MPI_BYTE, &requests[1]));
  EXPECT_OK(MPI_File_iwrite_at(file, kBytes / 2, data_.data() + kBytes / 2, kBytes / 2, MPI_BYTE, &requests[2]));
  MPI_Isend(&sent, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[3]);
  expect_there();
  EXPECT_OK(GetParam().complete(requests, statuses));
  EXPECT_EQ(requests, std::vector<MPI_Request>(4, MPI_REQUEST_NULL));
  EXPECT_EQ(received, 500 + left);
  EXPECT_EQ(count_in(statuses[0], MPI_INT), 1);
  EXPECT_EQ(moved_bytes(statuses[1]), kBytes / 2);
  EXPECT_EQ(moved_bytes(statuses[2]), kBytes / 2);
}

int failures = 0;  // of files, as their handler counts them

void count_failure(MPI_File*, int*, ...) { ++failures; }

// A file system of 1 MiB takes no more: the file's own handler hears of it when the program asks.
TEST_P(KeptCompletion, FailedWrite) {
  const std::string directory = environment("TEST_SMALL_DIR");
  if (directory.empty()) GTEST_SKIP() << "no mounts in this run";
  const std::string path = directory + "/file";
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  EXPECT_OK(MPI_File_create_errhandler(&count_failure, &handler));
  for (const bool collective : {true, false}) {
    File file(path.c_str(), kUpdate | MPI_MODE_DELETE_ON_CLOSE, MPI_COMM_WORLD, Info("two_phase"));
    EXPECT_OK(MPI_File_set_errhandler(file, handler));
    set_interleaved_view(file);
    failures = 0;
    std::vector<MPI_Request> requests(1, MPI_REQUEST_NULL);
    std::vector<MPI_Status> statuses(1);
    EXPECT_OK(collective ? MPI_File_iwrite_at_all(file, 0, data_.data(), kBytes, MPI_BYTE, requests.data())
                         : MPI_File_iwrite_at(file, 0, data_.data(), kBytes, MPI_BYTE, requests.data()));
    EXPECT_EQ(failures, 0);
    const int code = GetParam().complete(requests, statuses);
    EXPECT_CLASS(MPI_ERR_NO_SPACE, code == MPI_ERR_IN_STATUS ? statuses[0].MPI_ERROR : code);
    EXPECT_GE(failures, 1);
    EXPECT_EQ(requests[0], MPI_REQUEST_NULL);
  }
  MPI_Errhandler_free(&handler);
}

}  // namespace
