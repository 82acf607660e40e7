// Where reports go: one document for all files and processes; broken paths.
#include "trace/report_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "trace/deliver.h"
#include "trace/made_up_report.h"
#include "weir/version.h"

namespace weir::trace {
namespace {

using nlohmann::json;

class ReportFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "weir-report.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name = "report.json") const { return (directory_ / name).string(); }
  std::string text() const {
    std::ifstream file(path());
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
  }
  void put(const std::string& bytes) const { std::ofstream(path()) << bytes; }
  void expect_left_alone(const std::string& bytes) const {
    put(bytes);
    Status status = add_to_report_file(path(), "{}");
    EXPECT_EQ(status.error_class(), ErrorClass::kFileExists);
    EXPECT_NE(status.text().find(path()), std::string::npos) << status.text();
    EXPECT_EQ(text(), bytes);
  }

 private:
  std::filesystem::path directory_;
};

TEST_F(ReportFile, IsAValidDocumentAfterEveryEntry) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(add_to_report_file(path(), json({{"number", i}}).dump()).ok());
    const json document = json::parse(text());
    EXPECT_EQ(document["weir"], WEIR_VERSION);
    ASSERT_EQ(document["files"].size(), static_cast<std::size_t>(i + 1));
    for (int j = 0; j <= i; ++j) EXPECT_EQ(document["files"][static_cast<std::size_t>(j)]["number"], j);
  }
}

TEST_F(ReportFile, AnEmptyFileIsFilled) {
  put("");
  EXPECT_TRUE(add_to_report_file(path(), "{}").ok());
  EXPECT_EQ(json::parse(text())["files"].size(), 1U);
}

TEST_F(ReportFile, WhatIsNoReportIsLeftAlone) {
  expect_left_alone("x");
  expect_left_alone("precious results\n");
  expect_left_alone("{\"weir\": \"0.1.0\", \"files\": []}");
  expect_left_alone("{\"files\": [\n{}\n]}\n");
  expect_left_alone("\n]}\n");
}

TEST_F(ReportFile, BrokenPathsAreFailuresWithAReason) {
  Status status = add_to_report_file(path("missing/report.json"), "{}");
  EXPECT_EQ(status.error_class(), ErrorClass::kNoSuchFile);
  EXPECT_NE(status.text().find("missing/report.json"), std::string::npos);
  EXPECT_FALSE(add_to_report_file(path("."), "{}").ok());
  EXPECT_EQ(add_to_report_file("/dev/null", "{}").error_class(), ErrorClass::kBadFile);
  put("");
  EXPECT_FALSE(add_to_report_file(path() + "/report.json", "{}").ok());
}

// Whoever knows the name of the report can put a link there.
TEST_F(ReportFile, SymbolicLinksAreNotFollowed) {
  for (const bool dangling : {false, true}) {
    const std::string target = path(dangling ? "missing" : "target");
    if (!dangling) std::ofstream(target).flush();
    std::filesystem::create_symlink(target, path());
    const Status status = add_to_report_file(path(), "{}");
    EXPECT_EQ(status.error_class(), ErrorClass::kBadFile);
    EXPECT_NE(status.text().find("symbolic link"), std::string::npos) << status.text();
    EXPECT_EQ(std::filesystem::exists(target), !dangling);
    EXPECT_EQ(dangling ? 0U : std::filesystem::file_size(target), 0U);
    std::filesystem::remove(path());
  }
}

TEST_F(ReportFile, AnotherUsersFileIsLeftAloneWhereEverybodyMayPutFiles) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  constexpr uid_t kNobody = 65534;
  put("");
  ASSERT_EQ(chown(path().c_str(), kNobody, kNobody), 0);
  const auto directory = std::filesystem::path(path()).parent_path();
  std::filesystem::permissions(directory, std::filesystem::perms::all | std::filesystem::perms::sticky_bit);
  const Status status = add_to_report_file(path(), "{}");
  EXPECT_EQ(status.error_class(), ErrorClass::kAccess);
  EXPECT_NE(status.text().find("another user"), std::string::npos) << status.text();
  EXPECT_EQ(text(), "");
  std::filesystem::permissions(directory, std::filesystem::perms::owner_all);
  EXPECT_TRUE(add_to_report_file(path(), "{}").ok()) << "a directory of the user's own";
}

TEST_F(ReportFile, WithoutPermissionIsAFailure) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  put("");
  std::filesystem::permissions(path(), std::filesystem::perms::owner_read);
  EXPECT_EQ(add_to_report_file(path(), "{}").error_class(), ErrorClass::kAccess);
}

// A limit on the size of files stands for a full disk: part of the entry is written before the failure. The signal that
// comes with it would end the test.
TEST_F(ReportFile, WithoutSpaceStaysAsItWas) {
  EXPECT_TRUE(add_to_report_file(path(), "{\"number\":1}").ok());
  const std::string before = text();
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit low = {before.size() + 100, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
  Status status = add_to_report_file(path(), "{\"long\":\"" + std::string(1000, 'x') + "\"}");
  Status fresh = add_to_report_file(path("fresh"), "{\"long\":\"" + std::string(1000, 'x') + "\"}");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(text(), before);
  EXPECT_FALSE(fresh.ok());
  EXPECT_EQ(std::filesystem::file_size(path("fresh")), 0U);
  EXPECT_TRUE(add_to_report_file(path(), "{\"number\":2}").ok());
  EXPECT_EQ(json::parse(text())["files"].size(), 2U);
}

std::atomic<int> signals = 0;

// A signal that waits for the program, which has blocked it, is not taken away with the report's own.
TEST_F(ReportFile, TheProgramsOwnSignalIsKept) {
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = std::signal(SIGXFSZ, [](int) { ++signals; });
  sigset_t size_signal;
  sigset_t before;
  sigemptyset(&size_signal);
  sigaddset(&size_signal, SIGXFSZ);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &size_signal, &before), 0);
  std::raise(SIGXFSZ);
  const rlimit low = {100, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
  EXPECT_FALSE(add_to_report_file(path(), "{\"long\":\"" + std::string(1000, 'x') + "\"}").ok());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  EXPECT_EQ(signals, 0);
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_EQ(signals, 1);
  std::signal(SIGXFSZ, handler);
}

TEST_F(ReportFile, ProcessesThatCloseAtTheSameTimeLoseNothing) {
  constexpr int kProcesses = 4;
  constexpr int kEntries = 50;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      bool good = true;
      for (int i = 0; i < kEntries; ++i) {
        const json entry = {{"process", process}, {"padding", std::string(static_cast<std::size_t>(100 * i), 'x')}};
        good = add_to_report_file(path(), entry.dump()).ok() && good;
      }
      _exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int how = 0;
    EXPECT_EQ(waitpid(child, &how, 0), child);
    EXPECT_TRUE(WIFEXITED(how) && WEXITSTATUS(how) == 0);
  }
  std::map<int, int> entries;
  const json document = json::parse(text());
  for (const json& entry : document["files"]) ++entries[entry["process"].get<int>()];
  for (int process = 0; process < kProcesses; ++process) EXPECT_EQ(entries[process], kEntries);
}

TEST(Deliver, WhatTheVariableMeans) {
  for (const char* none : {"", "0", "no", "off", "false"}) EXPECT_FALSE(report_wanted(none)) << none;
  for (const char* some : {"1", "yes", "on", "true", "report.json", "00"}) EXPECT_TRUE(report_wanted(some)) << some;
}

TEST(Deliver, TextGoesToStandardError) {
  testing::internal::CaptureStderr();
  EXPECT_TRUE(deliver(made_up_report(), "1").ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), print(made_up_report()));
}

TEST_F(ReportFile, TwoFilesOfAJobStandInOneDocument) {
  FileReport report = made_up_report();
  EXPECT_TRUE(deliver(report, path()).ok());
  report.path = "/data/second";
  EXPECT_TRUE(deliver(report, path()).ok());
  const json document = json::parse(text());
  ASSERT_EQ(document["files"].size(), 2U);
  EXPECT_EQ(document["files"][0]["path"], "/data/out");
  EXPECT_EQ(document["files"][1]["path"], "/data/second");
}

}  // namespace
}  // namespace weir::trace
