#include "compare/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "compare/session.h"

namespace weir::tool::compare {
namespace {

class JobTest : public testing::Test {
 protected:
  JobEnd run(const std::string& script, int seconds = 30) {
    const Job job{.invocation = {.words = {"bash", "-c", script}, .environment = {{"FROM_JOB", "yes"}}},
                  .directory = scratch_.path(),
                  .output = path("output"),
                  .errors = path("errors"),
                  .timeout = std::chrono::seconds(seconds)};
    return run_job(job, signals_);
  }

  std::string path(const std::string& name) const { return scratch_.path() + "/" + name; }

  Scratch scratch_ = Scratch::make(testing::TempDir()).value();
  Signals signals_;
};

TEST_F(JobTest, PrintsAndExits) {
  const JobEnd end = run("echo $FROM_JOB; echo bad >&2; pwd; exit 7");
  EXPECT_EQ(end.kind, JobEnd::Kind::kExited);
  EXPECT_EQ(end.code, 7);
  EXPECT_EQ(text_of(path("output")), "yes\n" + std::filesystem::canonical(scratch_.path()).string() + "\n");
  EXPECT_EQ(text_of(path("errors")), "bad\n");
}

TEST_F(JobTest, ASignalIsTold) {
  const JobEnd end = run("kill -SEGV $$");
  EXPECT_EQ(end.kind, JobEnd::Kind::kSignalled);
  EXPECT_EQ(end.code, SIGSEGV);
}

TEST_F(JobTest, AHangEndsWithEverythingItStarted) {
  const JobEnd end = run("echo $$ > first; setsid sleep 1000 & echo $! > second; wait", 1);
  EXPECT_EQ(end.kind, JobEnd::Kind::kTimedOut);
  for (const char* name : {"first", "second"}) {
    const pid_t process = std::stoi(text_of(path(name)));
    // A process that was ended may still wait to be reaped by whoever adopted it.
    const std::string state = text_of("/proc/" + std::to_string(process) + "/stat");
    EXPECT_TRUE(state.empty() || state.find(") Z") != std::string::npos) << name << ": " << state;
  }
}

TEST_F(JobTest, StopsWhenAskedTo) {
  const JobEnd end = run("kill -INT $PPID; sleep 1000");
  EXPECT_EQ(end.kind, JobEnd::Kind::kStopped);
  EXPECT_TRUE(signals_.stopped());
}

TEST_F(JobTest, WhatIsNotThereCannotBeRun) {
  const Job job{.invocation = {.words = {"/no/such/launcher"}, .environment = {}},
                .directory = "",
                .output = path("output"),
                .errors = path("errors")};
  EXPECT_EQ(run_job(job, signals_).code, 127);
}

TEST(Scratch, GoesAwayWithItsContents) {
  std::string path;
  {
    const auto scratch = Scratch::make(testing::TempDir());
    ASSERT_TRUE(scratch.ok());
    path = scratch.value().path();
    std::filesystem::create_directories(path + "/a/b");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Scratch, SaysWhereItCannotBeMade) {
  const auto scratch = Scratch::make("/no/such/directory");
  ASSERT_FALSE(scratch.ok());
  EXPECT_THAT(scratch.status().text(), testing::HasSubstr("/no/such/directory"));
}

}  // namespace
}  // namespace weir::tool::compare
