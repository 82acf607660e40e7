// Programs with very many communicators. A communicator that a file was once opened on must not cost for ever: not the
// host's few contexts (MPICH has 2046), and not an engine's worth of address space.
#include <fstream>

#include "mpi_test.h"
#include "time_limit.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kMany = 1200;
constexpr int kWarmUp = 100;
// What is left for each communicator, above all of the host's own: less than any engine needs.
constexpr std::int64_t kMostBytesEach = 48 << 10;

// The address space of this process.
std::int64_t address_space() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::int64_t kilobytes = 0;
  while (status >> word) {
    if (word == "VmSize:") status >> kilobytes;
  }
  return kilobytes << 10;
}

// The communicator with this number: a duplicate, or a half, of other ranks each time.
struct Kind {
  bool halves;
  bool freed;
};

class Communicators : public testing::Test {
 protected:
  static int color(const Kind& kind, int number) { return kind.halves ? ((rank() + number) / 2) % 2 : 0; }

  static MPI_Comm make(const Kind& kind, int number) {
    MPI_Comm comm = MPI_COMM_NULL;
    EXPECT_OK(kind.halves ? MPI_Comm_split(MPI_COMM_WORLD, color(kind, number), rank(), &comm)
                          : MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    return comm;
  }

  void open_and_close(MPI_Comm comm, int file_number) {
    MPI_File file = MPI_FILE_NULL;
    EXPECT_OK(MPI_File_open(comm, file_number == 0 ? scratch_.path() : other_.path(), kUpdate, MPI_INFO_NULL, &file));
    if (file != MPI_FILE_NULL) {
      EXPECT_OK(MPI_File_close(&file));
    }
  }

  // Opens and closes a file on each of many communicators. Stops at the first failure: there would be a thousand more.
  void open_on_each(const Kind& kind) {
    std::vector<MPI_Comm> kept;
    std::int64_t before = 0;
    int number = 0;
    for (; number < kMany && !HasFailure(); ++number) {
      if (number == kWarmUp) before = address_space();
      MPI_Comm comm = make(kind, number);
      open_and_close(comm, color(kind, number));
      if (kind.freed) {
        EXPECT_OK(MPI_Comm_free(&comm));
      } else {
        kept.push_back(comm);
      }
    }
    EXPECT_EQ(number, kMany) << "communicators worked";
    const std::int64_t each = (address_space() - before) / (number - kWarmUp);
    EXPECT_LT(each, kMostBytesEach) << "bytes of address space are left for each communicator";
    for (MPI_Comm& comm : kept) MPI_Comm_free(&comm);
  }

  TimeLimit limit_{100, rank()};
  Scratch scratch_;
  Scratch other_{"other"};
};

TEST_F(Communicators, DuplicatesThatStay) { open_on_each({.halves = false, .freed = false}); }
TEST_F(Communicators, DuplicatesThatAreFreed) { open_on_each({.halves = false, .freed = true}); }
TEST_F(Communicators, HalvesThatStay) { open_on_each({.halves = true, .freed = false}); }
TEST_F(Communicators, HalvesThatAreFreed) { open_on_each({.halves = true, .freed = true}); }

}  // namespace
