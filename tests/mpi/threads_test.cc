// Several threads of a rank in the file chapter at once, under MPI_THREAD_MULTIPLE.
#include <atomic>
#include <barrier>
#include <functional>
#include <latch>
#include <thread>

#include "mpi_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kThreads = 4;

// Runs `body(thread)` on every thread; all begin at the same moment.
void on_threads(const std::function<void(int)>& body) {
  std::latch start(kThreads);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      body(thread);
    });
  }
}

class Threads : public testing::Test {
 protected:
  void SetUp() override {
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    if (provided != MPI_THREAD_MULTIPLE) GTEST_SKIP() << "needs MPI_THREAD_MULTIPLE";
    if (!under_weir()) GTEST_SKIP() << "about weir";
  }
};

// Pieces at irregular places: decoding takes a while.
Type irregular_type() {
  constexpr int kPieces = 300;
  std::vector<int> places;
  for (int i = 0; i < kPieces; ++i) places.push_back(3 * i + i % 2);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_indexed_block(kPieces, 1, places.data(), MPI_BYTE, &type);
  return Type(type);
}

TEST_F(Threads, UseATypeForTheFirstTime) {
  constexpr int kTypes = 1000;
  constexpr int kUses = 5;
  const Scratch scratch;
  {
    const File file(scratch.path(), MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_COMM_SELF);
    std::atomic<int> failures = 0;
    std::vector<Type> types;
    std::barrier together(kThreads, [&]() noexcept {
      types.clear();
      types.push_back(irregular_type());
    });
    on_threads([&](int) {
      std::vector<char> data(1000);
      for (int i = 0; i < kTypes; ++i) {
        together.arrive_and_wait();
        for (int use = 0; use < kUses; ++use) {
          const int code = MPI_File_read_at(file, 0, data.data(), 1, types[0], MPI_STATUS_IGNORE);
          failures += code != MPI_SUCCESS ? 1 : 0;
        }
      }
    });
    EXPECT_EQ(failures, 0);
  }
  meet("the files are closed");
}

std::atomic<int> calls = 0;

void count_call(MPI_File*, int*, ...) { ++calls; }

// One thread gives the file new handlers all the time; the others fail. None must come upon a handler that is gone:
// that would be a fatal one.
TEST_F(Threads, FailWhileTheHandlerIsReplaced) {
  constexpr int kFailures = 50000;
  const Scratch scratch;
  calls = 0;
  {
    const File file(scratch.path(), MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_COMM_SELF);
    const auto replace = [](MPI_File which) {
      MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
      MPI_File_create_errhandler(&count_call, &handler);
      MPI_File_set_errhandler(which, handler);
      MPI_Errhandler_free(&handler);
    };
    replace(file);
    on_threads([&](int thread) {
      char byte = 0;
      for (int i = 0; i < kFailures; ++i) {
        if (thread == 0) {
          replace(file);
        } else {
          MPI_File_write_at(file, -1, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
        }
      }
    });
    EXPECT_EQ(calls, (kThreads - 1) * kFailures);
  }
  meet("the files are closed");
}

// The same for the handler of MPI_FILE_NULL, which new files begin with.
TEST_F(Threads, ReplaceTheDefaultHandler) {
  constexpr int kFailures = 50000;
  calls = 0;
  on_threads([&](int thread) {
    char byte = 0;
    for (int i = 0; i < kFailures; ++i) {
      if (thread < 2) {
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        MPI_File_create_errhandler(&count_call, &handler);
        MPI_File_set_errhandler(MPI_FILE_NULL, handler);
        MPI_Errhandler_free(&handler);
      } else {
        MPI_File_write_at(MPI_FILE_NULL, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
      }
    }
  });
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  EXPECT_LE(calls, 2 * kFailures);
}

}  // namespace
