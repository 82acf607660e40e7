#include "program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "command.h"

namespace weir::tool {
namespace {

class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/weir_program_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string script(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    chmod(path.c_str(), 0755);
    return path;
  }

  std::string folder_;
};

std::string failure_of(const std::string& program) {
  const auto found = mpi_of_program({{program}, 0, "", std::nullopt}, this_machine());
  return found.ok() ? "" : found.status().text();
}

TEST_F(ProgramTest, ExecutablesAreFoundAsALauncherWould) {
  const std::string path = script("p", "#!/bin/sh\n");
  EXPECT_EQ(find_executable("p", "/bin:" + folder_, ""), path);
  EXPECT_EQ(find_executable("./p", "", folder_), folder_ + "/./p");
  EXPECT_EQ(find_executable("p", "/bin", folder_), path);
  EXPECT_EQ(find_executable(path, "", ""), path);
  EXPECT_EQ(find_executable("q", "/bin", folder_), "");
  EXPECT_EQ(find_executable(folder_, "", ""), "") << "a directory";
}

TEST_F(ProgramTest, Interpreters) {
  EXPECT_EQ(script_interpreter("#!/usr/bin/env  python3 -u\nx"), (Words{"/usr/bin/env", "python3", "-u"}));
  EXPECT_EQ(script_interpreter("#! /bin/sh\n"), (Words{"/bin/sh"}));
  EXPECT_EQ(script_interpreter("\177ELF"), Words{});
  EXPECT_TRUE(is_python("/usr/bin/python3.11"));
  EXPECT_TRUE(is_python("python"));
  EXPECT_FALSE(is_python("pythonista"));
  EXPECT_FALSE(is_python("ipython"));
}

TEST_F(ProgramTest, WhatCannotBeServedSaysWhy) {
  EXPECT_NE(failure_of("no-such-program-here").find("not an executable file"), std::string::npos);
  EXPECT_NE(failure_of("/bin/true").find("not linked to an MPI"), std::string::npos);
  EXPECT_NE(failure_of(script("s", "#!/bin/sh\nexec a.out\n")).find("script"), std::string::npos);
  EXPECT_NE(failure_of(script("t", "no header\n")).find("neither an ELF program"), std::string::npos);
}

TEST_F(ProgramTest, APythonWithoutMpi4pyFollowsItsLauncher) {
  script("python3", "#!/bin/sh\necho weir:\n");
  const ProgramCall call{{folder_ + "/python3", "x.py"}, 0, "", MpiFamily::kMpich};
  const auto found = mpi_of_program(call, this_machine());
  ASSERT_TRUE(found.ok()) << found.status().text();
  EXPECT_EQ(found.value().family, MpiFamily::kMpich);
  EXPECT_NE(failure_of(folder_ + "/python3"), "") << "nothing tells the MPI";
}

TEST(Library, CandidatesForBuildTreeAndInstallation) {
  const auto candidates = library_candidates(MpiFamily::kMpich, "/b/bin", "");
  EXPECT_EQ(candidates.front(), "/b/bin/../lib/mpich/libweir.so");
  EXPECT_NE(std::find(candidates.begin(), candidates.end(), "/b/bin/../lib/weir/mpich/libweir.so"), candidates.end());
  EXPECT_EQ(library_candidates(MpiFamily::kOpenMpi, "/b/bin", "/x"), std::vector<std::string>{"/x/openmpi/libweir.so"});
}

}  // namespace
}  // namespace weir::tool
