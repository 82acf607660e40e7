// A test that hangs ends its program, and says which one it was.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

namespace mpi_test {

// From its construction to its destruction a process has `seconds`; then it prints the running test and exits, which
// ends the job. One at a time. LOCAL. REQUIRES a running test.
class TimeLimit {
 public:
  TimeLimit(unsigned seconds, int rank) {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    text() = "TIME LIMIT: rank " + std::to_string(rank) + " hangs, after " + std::to_string(seconds) + " s, in " +
             test->test_suite_name() + "." + test->name() + "\n";
    std::signal(SIGALRM, give_up);
    alarm(seconds);
  }
  ~TimeLimit() { alarm(0); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  static std::string& text() {
    static std::string message;
    return message;
  }
  static void give_up(int /*signal*/) {
    const ssize_t ignored = write(STDOUT_FILENO, text().data(), text().size());
    static_cast<void>(ignored);
    _exit(8);
  }
};

}  // namespace mpi_test
