// Persistent collective access: weir/persistent.h, in programs linked to weir.
#include "weir/persistent.h"

#include <algorithm>

#include "mpi_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kPieceBytes = 512;
constexpr int kPieces = 64;
constexpr int kBytes = kPieceBytes * kPieces;  // of a rank in a step

// COLLECTIVE. Every size()-th piece of the file is this rank's.
void set_interleaved_view(MPI_File file) {
  const Type piece = Type::contiguous(kPieceBytes, MPI_BYTE);
  const Type mine = Type::resized(piece, 0, static_cast<MPI_Aint>(kPieceBytes) * size());
  EXPECT_OK(
      MPI_File_set_view(file, static_cast<MPI_Offset>(kPieceBytes) * rank(), MPI_BYTE, mine, "native", MPI_INFO_NULL));
}

Bytes data_of(int of_rank, int step) { return pattern(kBytes, static_cast<unsigned>(100 * step + of_rank)); }

// The buffer stays where it is: operations know its address.
void fill(Bytes& buffer, int step) {
  const Bytes data = data_of(rank(), step);
  std::copy(data.begin(), data.end(), buffer.begin());
}

// The file after `steps` steps of all ranks.
Bytes interleaved(int steps) {
  Bytes all(static_cast<std::size_t>(kBytes) * static_cast<std::size_t>(size() * steps));
  for (int step = 0; step < steps; ++step) {
    for (int r = 0; r < size(); ++r) {
      const Bytes data = data_of(r, step);
      for (int piece = 0; piece < kPieces; ++piece) {
        const int place = (step * kPieces + piece) * size() + r;
        std::copy_n(data.begin() + piece * kPieceBytes, kPieceBytes,
                    all.begin() + static_cast<std::ptrdiff_t>(place) * kPieceBytes);
      }
    }
  }
  return all;
}

class Persistent : public testing::Test {
 protected:
  static void run(MPIX_File_operation operation, int expected_bytes = kBytes) {
    MPI_Status status;
    EXPECT_OK(MPIX_File_start(operation));
    EXPECT_OK(MPIX_File_wait(operation, &status));
    EXPECT_EQ(moved_bytes(status), expected_bytes);
  }
  static void free(MPIX_File_operation* operation) {
    EXPECT_OK(MPIX_File_operation_free(operation));
    EXPECT_EQ(*operation, nullptr);
  }
  Scratch scratch_;
};

// Every start goes to where the individual pointer stands, and moves it.
TEST_F(Persistent, StepsFollowEachOther) {
  constexpr int kSteps = 5;
  Bytes buffer(kBytes);
  {
    const File file(scratch_.path(), kUpdate);
    set_interleaved_view(file);
    MPIX_File_operation step = nullptr;
    EXPECT_OK(MPIX_File_write_all_init(file, buffer.data(), kBytes, MPI_BYTE, &step));
    for (int i = 0; i < kSteps; ++i) {
      fill(buffer, i);
      run(step);
      EXPECT_EQ(position(file), static_cast<MPI_Offset>(kBytes) * (i + 1));
    }
    free(&step);
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kSteps));
}

TEST_F(Persistent, ReadsFollowEachOther) {
  constexpr int kSteps = 3;
  make_file(scratch_.path(), interleaved(kSteps));
  const File file(scratch_.path(), MPI_MODE_RDONLY);
  set_interleaved_view(file);
  Bytes buffer(kBytes);
  MPIX_File_operation step = nullptr;
  EXPECT_OK(MPIX_File_read_all_init(file, buffer.data(), kBytes, MPI_BYTE, &step));
  for (int i = 0; i < kSteps; ++i) {
    run(step);
    EXPECT_EQ(buffer, data_of(rank(), i));
  }
  run(step, 0);  // behind the end of the file
  free(&step);
}

// Two operations of one file, started one after the other and waited for in the other order.
TEST_F(Persistent, TwoInterleaved) {
  constexpr int kSteps = 3;
  const File file(scratch_.path(), kUpdate);
  set_interleaved_view(file);
  Bytes out(kBytes);
  Bytes in(kBytes);
  MPIX_File_operation write = nullptr;
  MPIX_File_operation read = nullptr;
  EXPECT_OK(MPIX_File_write_at_all_init(file, kBytes, out.data(), kBytes, MPI_BYTE, &write));
  EXPECT_OK(MPIX_File_read_at_all_init(file, kBytes, in.data(), kBytes, MPI_BYTE, &read));
  for (int i = 0; i < kSteps; ++i) {
    fill(out, i);
    MPI_Status status;
    EXPECT_OK(MPIX_File_start(write));
    EXPECT_OK(MPIX_File_start(read));  // collective calls of a file take effect in the order they are made
    EXPECT_OK(MPIX_File_wait(read, &status));
    EXPECT_EQ(moved_bytes(status), kBytes);
    EXPECT_OK(MPIX_File_wait(write, MPI_STATUS_IGNORE));
    EXPECT_EQ(in, out);
  }
  EXPECT_EQ(position(file), 0);
  free(&write);
  free(&read);
}

TEST_F(Persistent, AmongOtherCollectiveCalls) {
  constexpr int kSteps = 3;
  {
    const File file(scratch_.path(), kUpdate);
    set_interleaved_view(file);
    Bytes kept = data_of(rank(), 0);
    MPIX_File_operation step = nullptr;
    EXPECT_OK(MPIX_File_write_at_all_init(file, 0, kept.data(), kBytes, MPI_BYTE, &step));
    for (int i = kSteps - 1; i >= 0; --i) {
      Bytes other = data_of(rank(), i);
      EXPECT_OK(MPIX_File_start(step));
      EXPECT_OK(MPI_File_write_at_all(file, static_cast<MPI_Offset>(kBytes) * i, other.data(), kBytes, MPI_BYTE,
                                      MPI_STATUS_IGNORE));
      EXPECT_OK(MPIX_File_wait(step, MPI_STATUS_IGNORE));
    }
    free(&step);
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(kSteps));
}

// The view may change between two starts.
TEST_F(Persistent, NewViewBetweenStarts) {
  Bytes data = data_of(rank(), 0);
  {
    const File file(scratch_.path(), kUpdate);
    MPIX_File_operation step = nullptr;
    EXPECT_OK(MPIX_File_write_at_all_init(file, 0, data.data(), kBytes, MPI_BYTE, &step));
    EXPECT_OK(
        MPI_File_set_view(file, static_cast<MPI_Offset>(kBytes) * rank(), MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    run(step);
    set_interleaved_view(file);
    run(step);
    free(&step);
  }
  EXPECT_EQ(file_bytes(scratch_.path()), interleaved(1));
}

TEST_F(Persistent, TypeMayBeFreedAtOnce) {
  const File file(scratch_.path(), kUpdate);
  std::vector<int> memory(200, rank());
  std::vector<int> found(100, -1);
  MPIX_File_operation step = nullptr;
  {
    const Type every_other = Type::vector(100, 1, 2, MPI_INT);
    EXPECT_OK(MPIX_File_write_at_all_init(file, 400 * rank(), memory.data(), 1, every_other, &step));
  }
  run(step, 400);
  EXPECT_OK(MPI_File_read_at_all(file, 400 * rank(), found.data(), 100, MPI_INT, MPI_STATUS_IGNORE));
  EXPECT_EQ(found, std::vector<int>(100, rank()));
  free(&step);
}

TEST_F(Persistent, WaitWithoutStart) {
  const File file(scratch_.path(), kUpdate);
  int value = 0;
  MPIX_File_operation step = nullptr;
  EXPECT_OK(MPIX_File_write_at_all_init(file, 0, &value, 1, MPI_INT, &step));
  MPI_Status status;
  EXPECT_OK(MPIX_File_wait(step, &status));
  EXPECT_EQ(moved_bytes(status), 0);
  free(&step);
}

TEST_F(Persistent, StartedTwiceOrFreedWhileRunning) {
  const File file(scratch_.path(), kUpdate);
  int value = 7;
  MPIX_File_operation step = nullptr;
  EXPECT_OK(MPIX_File_write_at_all_init(file, 4 * rank(), &value, 1, MPI_INT, &step));
  EXPECT_OK(MPIX_File_start(step));
  EXPECT_CLASS(MPI_ERR_REQUEST, MPIX_File_start(step));
  EXPECT_CLASS(MPI_ERR_REQUEST, MPIX_File_operation_free(&step));
  EXPECT_NE(step, nullptr);
  EXPECT_OK(MPIX_File_wait(step, MPI_STATUS_IGNORE));
  run(step, 4);
  free(&step);
}

// No rank gets an operation that another could not have: starting it would be waiting for ever.
TEST_F(Persistent, BadArgumentsOnOneRank) {
  const File file(scratch_.path(), kUpdate);
  int value = 7;
  const bool at_fault = rank() == size() - 1;
  MPIX_File_operation step = nullptr;
  const int code = MPIX_File_write_at_all_init(file, 0, &value, 1, at_fault ? MPI_DATATYPE_NULL : MPI_INT, &step);
  EXPECT_CLASS(MPI_ERR_TYPE, code);
  EXPECT_EQ(step, nullptr);
  EXPECT_CLASS(MPI_ERR_ARG, MPIX_File_write_at_all_init(file, 0, &value, 1, MPI_INT, at_fault ? nullptr : &step));
}

TEST_F(Persistent, StartedAgainOnOneRank) {
  const File file(scratch_.path(), kUpdate);
  int value = 7;
  const bool at_fault = rank() == size() - 1;
  MPIX_File_operation step = nullptr;
  EXPECT_OK(MPIX_File_write_at_all_init(file, 4 * rank(), &value, 1, MPI_INT, &step));
  EXPECT_OK(MPIX_File_start(step));
  const auto wait = [&] { return MPIX_File_wait(step, MPI_STATUS_IGNORE); };
  int code = at_fault ? MPI_SUCCESS : wait();
  EXPECT_OK(code);
  code = MPIX_File_start(step);
  if (!at_fault) code = wait();
  EXPECT_CLASS(MPI_ERR_REQUEST, code);
  code = at_fault ? wait() : MPI_SUCCESS;
  EXPECT_OK(code);
  run(step, 4);
  free(&step);
}

TEST_F(Persistent, NullHandles) {
  MPIX_File_operation none = nullptr;
  EXPECT_CLASS(MPI_ERR_REQUEST, MPIX_File_start(none));
  EXPECT_CLASS(MPI_ERR_REQUEST, MPIX_File_wait(none, MPI_STATUS_IGNORE));
  EXPECT_CLASS(MPI_ERR_REQUEST, MPIX_File_operation_free(&none));
  EXPECT_CLASS(MPI_ERR_REQUEST, MPIX_File_operation_free(nullptr));
  int value = 0;
  EXPECT_CLASS(MPI_ERR_FILE, MPIX_File_write_all_init(MPI_FILE_NULL, &value, 1, MPI_INT, &none));
  const File file(scratch_.path(), kUpdate);
  EXPECT_CLASS(MPI_ERR_ARG, MPIX_File_write_all_init(file, &value, 1, MPI_INT, nullptr));
}

TEST_F(Persistent, BadType) {
  const File file(scratch_.path(), kUpdate);
  int value = 0;
  MPIX_File_operation step = nullptr;
  EXPECT_CLASS(MPI_ERR_TYPE, MPIX_File_write_all_init(file, &value, 1, MPI_DATATYPE_NULL, &step));
  EXPECT_EQ(step, nullptr);
}

// What the access itself meets is told by the wait, on all ranks alike.
TEST_F(Persistent, RefusedAccess) {
  make_file(scratch_.path(), Bytes(100));
  const File file(scratch_.path(), MPI_MODE_RDONLY);
  int value = 0;
  MPIX_File_operation step = nullptr;
  EXPECT_OK(MPIX_File_write_at_all_init(file, 0, &value, 1, MPI_INT, &step));
  EXPECT_OK(MPIX_File_start(step));
  EXPECT_CLASS(MPI_ERR_READ_ONLY, MPIX_File_wait(step, MPI_STATUS_IGNORE));
  free(&step);
}

}  // namespace
