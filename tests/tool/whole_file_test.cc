#include "whole_file.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace weir::tool {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

// A folder of its own for every test, gone afterwards.
class WholeFile : public ::testing::Test {
 protected:
  WholeFile() {
    std::string name = fs::temp_directory_path() / "weir_report.XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~WholeFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  void put(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

 private:
  fs::path folder_;
};

TEST_F(WholeFile, IsReadWithEveryByte) {
  const std::string text("a\0\r\n\xff", 5);
  put("a", text);
  EXPECT_EQ(read_file(path("a")).value(), text);
}

TEST_F(WholeFile, DirectoriesAreNotRead) {
  const Result<std::string> text = read_file(path(""));
  ASSERT_FALSE(text.ok());
  EXPECT_THAT(text.status().text(), HasSubstr("EISDIR"));
}

TEST_F(WholeFile, IsMadeAndReplacedWithNothingLeftBeside) {
  for (const char* text : {"one", "two and more", ""}) {
    ASSERT_TRUE(replace_file(path("out"), text).ok());
    EXPECT_EQ(content("out"), text);
    EXPECT_EQ(files(), 1);
  }
}

TEST_F(WholeFile, ReplacedKeepsItsPermissions) {
  put("out", "old");
  ASSERT_EQ(::chmod(path("out").c_str(), 0640), 0);
  ASSERT_TRUE(replace_file(path("out"), "new").ok());
  EXPECT_EQ(fs::status(path("out")).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(WholeFile, BehindALinkIsTheOneReplaced) {
  put("real", "old");
  fs::create_symlink(path("real"), path("link"));
  ASSERT_TRUE(replace_file(path("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("real"), "new");
}

TEST_F(WholeFile, WithoutADirectoryIsAFailure) {
  const Status status = replace_file(path("none/out"), "text");
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.text(), HasSubstr("none/out"));
}

TEST_F(WholeFile, ThatCannotBeFilledLeavesTheOldOne) {
  put("out", "old");
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit little = {.rlim_cur = 4, .rlim_max = before.rlim_max};
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const Status status = replace_file(path("out"), "longer than that");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(status.text(), HasSubstr("EFBIG"));
  EXPECT_EQ(content("out"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, GivenTwiceIsNoticedUnderAnyName) {
  put("a", "");
  put("b", "");
  fs::create_hard_link(path("a"), path("c"));
  EXPECT_TRUE(check_distinct({path("a"), path("b")}).ok());
  EXPECT_THAT(check_distinct({path("a"), path("a")}).text(), HasSubstr("is given twice"));
  EXPECT_THAT(check_distinct({path("a"), path("b"), path("c")}).text(), HasSubstr("is the same file as " + path("a")));
}

TEST_F(WholeFile, InputsAreNeverOutputs) {
  put("in", "");
  fs::create_symlink(path("in"), path("link"));
  for (const char* name : {"in", "./in", "link"})
    EXPECT_THAT(check_output(path(name), {path("in")}).text(), HasSubstr("not overwritten"));
  EXPECT_TRUE(check_output(path("out"), {path("in")}).ok());
}

TEST_F(WholeFile, OnlyRegularFilesAreReplaced) {
  EXPECT_THAT(check_output(path(""), {}).text(), HasSubstr("is a directory"));
  EXPECT_THAT(check_output("/dev/null", {}).text(), HasSubstr("is no regular file"));
}

}  // namespace
}  // namespace weir::tool
