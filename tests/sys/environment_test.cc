#include "sys/environment.h"

#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace weir::sys {
namespace {

constexpr const char* kVariable = "WEIR_TEST_OF_ENVIRONMENT";
constexpr int kSecureAndUnseen = 42;
constexpr int kSecureAndSeen = 43;

TEST(Environment, VariablesAreRead) {
  setenv(kVariable, "value", 1);
  EXPECT_STREQ(environment(kVariable), "value");
  setenv(kVariable, "", 1);
  EXPECT_EQ(environment(kVariable), nullptr);
  unsetenv(kVariable);
  EXPECT_EQ(environment(kVariable), nullptr);
}

// Runs in the program that the next test starts.
TEST(EnvironmentChild, TellsWhatItSees) {
  if (getauxval(AT_SECURE) == 0) GTEST_SKIP() << "is the child of another test";
  _exit(environment(kVariable) == nullptr ? kSecureAndUnseen : kSecureAndSeen);
}

int run_with_variable(const std::filesystem::path& program) {
  const pid_t child = fork();
  if (child == 0) {
    setenv(kVariable, "value", 1);
    execl(program.c_str(), program.c_str(), "--gtest_filter=EnvironmentChild.*", nullptr);
    _exit(1);
  }
  int how = 0;
  waitpid(child, &how, 0);
  return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

// A copy of this program that belongs to somebody else and runs with that user's rights.
TEST(Environment, IsNotThatOfASetUidProgram) {
  constexpr uid_t kNobody = 65534;
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a program away";
  std::string directory = (std::filesystem::temp_directory_path() / "weir-setuid.XXXXXX").string();
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  const std::filesystem::path copy = std::filesystem::path(directory) / "program";
  std::filesystem::copy_file("/proc/self/exe", copy);
  EXPECT_EQ(chown(copy.c_str(), kNobody, kNobody), 0);
  EXPECT_EQ(chmod(copy.c_str(), 04755), 0);
  const int seen = run_with_variable(copy);
  std::filesystem::remove_all(directory);
  if (seen == 0) GTEST_SKIP() << "set-uid programs have no effect here";
  EXPECT_EQ(seen, kSecureAndUnseen);
}

}  // namespace
}  // namespace weir::sys
