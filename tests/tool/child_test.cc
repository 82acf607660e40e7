#include "child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace weir::tool {
namespace {

TEST(Child, OutputAndExitCode) {
  const auto result = run_command({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(run_command({"sh", "-c", "echo err >&2"}, {.merge_errors = true}).output, "err\n");
}

TEST(Child, MissingProgram) { EXPECT_EQ(run_command({"/nonexistent/program"}).exit_code, 127); }

TEST(Child, ACrashIsContained) {
  const auto result = run_forked([]() -> int {
    raise(SIGKILL);
    return 0;
  });
  EXPECT_EQ(result.signal_number, SIGKILL);
  EXPECT_EQ(result.exit_code, -1);
}

TEST(Child, TimeIsLimited) {
  const auto result = run_command({"sh", "-c", "sleep 60"}, {.timeout = std::chrono::seconds(1)});
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.succeeded());
}

}  // namespace
}  // namespace weir::tool
