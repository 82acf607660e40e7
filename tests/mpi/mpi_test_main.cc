// The main program of every suite: starts MPI, runs all tests on all ranks, agrees on the result.
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "mpi_test.h"

namespace mpi_test {

namespace {

constexpr double kPatienceSeconds = 50;
constexpr int kDesynchronised = 9;

MPI_Comm meeting_place = MPI_COMM_NULL;

void nap() {
  constexpr timespec kNap = {0, 200 * 1000};
  nanosleep(&kNap, nullptr);
}

// Prints the progress on rank 0, and the failures of every rank with the rank's number.
class RankPrinter : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo& test) override {
    current_ = std::string(test.test_suite_name()) + "." + test.name();
    if (rank() == 0) say("[ RUN      ] " + current_);
  }

  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (part.skipped() && rank() == 0) say("[  SKIPPED ] " + std::string(part.message()));
    if (!part.failed()) return;
    std::string text = part.message();
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1)) {
      text.insert(end + 1, "    ");
    }
    say("[rank " + std::to_string(rank()) + "/" + std::to_string(size()) + "] " + current_ + "\n    " +
        (part.file_name() != nullptr ? part.file_name() : "?") + ":" + std::to_string(part.line_number()) + ": " +
        text);
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    meet("the end of test " + current_);
    int failed = test.result()->Failed() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, meeting_place);
    (failed != 0 ? failed_ : passed_) += 1;
    if (rank() != 0) return;
    const long milliseconds = static_cast<long>(test.result()->elapsed_time());
    say((failed != 0 ? "[  FAILED  ] " : "[       OK ] ") + current_ + " (" + std::to_string(milliseconds) + " ms)");
  }

  bool all_passed() const { return failed_ == 0 && passed_ > 0; }
  void say_summary() const {
    if (rank() != 0) return;
    say(std::to_string(passed_) + " tests passed, " + std::to_string(failed_) + " failed, on " +
        std::to_string(size()) + " ranks" + (under_weir() ? ", under weir" : ", under the host's own MPI-IO"));
  }

 private:
  static void say(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }

  std::string current_;
  int passed_ = 0;
  int failed_ = 0;
};

int level_from(int argc, char** argv) {
  constexpr std::string_view kOption = "--thread=";
  constexpr std::pair<std::string_view, int> kLevels[] = {{"single", MPI_THREAD_SINGLE},
                                                          {"funneled", MPI_THREAD_FUNNELED},
                                                          {"serialized", MPI_THREAD_SERIALIZED},
                                                          {"multiple", MPI_THREAD_MULTIPLE}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with(kOption)) continue;
    for (const auto& [name, level] : kLevels) {
      if (argument.substr(kOption.size()) == name) return level;
    }
  }
  return MPI_THREAD_SINGLE;
}

void start_mpi(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, level_from(argc, argv), &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &meeting_place);
  if (environment("TEST_DIR").empty()) {
    std::fprintf(stderr, "TEST_DIR is not set: start this program by tests/mpi/launch\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

}  // namespace

void meet(std::string_view where) {
  MPI_Request arrival = MPI_REQUEST_NULL;
  MPI_Ibarrier(meeting_place, &arrival);
  const double deadline = MPI_Wtime() + kPatienceSeconds;
  for (int done = 0; done == 0;) {
    MPI_Test(&arrival, &done, MPI_STATUS_IGNORE);
    if (done == 0) nap();
    if (done == 0 && MPI_Wtime() > deadline) {
      std::printf("[rank %d/%d] waited %.0f s for the others at %.*s: some rank left early or hangs; aborting\n",
                  rank(), size(), kPatienceSeconds, static_cast<int>(where.size()), where.data());
      std::fflush(stdout);
      MPI_Abort(MPI_COMM_WORLD, kDesynchronised);
    }
  }
}

int run(int argc, char** argv) {
  start_mpi(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  auto* printer = new RankPrinter;  // owned by GoogleTest from here on
  listeners.Append(printer);
  const int unused = RUN_ALL_TESTS();
  static_cast<void>(unused);  // the result of this rank alone; the printer knows everyone's
  printer->say_summary();
  const bool passed = printer->all_passed();
  MPI_Comm_free(&meeting_place);
  MPI_Finalize();
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace mpi_test

int main(int argc, char** argv) { return mpi_test::run(argc, argv); }
