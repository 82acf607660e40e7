#include "sys/memory_limit.h"

#include <gtest/gtest.h>

#include <map>

namespace weir::sys {
namespace {

using Files = std::vector<std::string>;

TEST(MemoryLimit, FilesOfVersionTwo) {
  EXPECT_EQ(limit_files("0::/\n"), (Files{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/unified/memory.max"}));
  EXPECT_EQ(limit_files("0::/job/step"),
            (Files{"/sys/fs/cgroup/job/step/memory.max", "/sys/fs/cgroup/job/memory.max", "/sys/fs/cgroup/memory.max",
                   "/sys/fs/cgroup/unified/job/step/memory.max", "/sys/fs/cgroup/unified/job/memory.max",
                   "/sys/fs/cgroup/unified/memory.max"}));
}

TEST(MemoryLimit, FilesOfVersionOne) {
  EXPECT_EQ(
      limit_files("5:cpu,cpuacct:/other\n4:memory:/slurm/a:b\n"),
      (Files{"/sys/fs/cgroup/memory/slurm/a:b/memory.limit_in_bytes",
             "/sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}));
  EXPECT_EQ(limit_files("7:hugetlb,memory:/\n"), (Files{"/sys/fs/cgroup/memory/memory.limit_in_bytes"}));
}

TEST(MemoryLimit, NothingToRead) {
  for (const char* text : {"", "\n", "0", "0:", "0::", "0::relative", "1:name=systemd:/init", "3:memory_other:/x"}) {
    EXPECT_TRUE(limit_files(text).empty()) << text;
  }
}

TEST(MemoryLimit, Values) {
  EXPECT_EQ(parse_limit("1048576\n"), 1048576);
  EXPECT_EQ(parse_limit("0"), 0);
  EXPECT_EQ(parse_limit("9223372036854771712\n"), 9223372036854771712);  // what version 1 says without a limit
  for (const char* none : {"max\n", "", "\n", "-1", "12x", "99999999999999999999"}) {
    EXPECT_EQ(parse_limit(none), std::nullopt) << none;
  }
}

// The least of a group's own limit and those above it; files that are not there do not count.
TEST(MemoryLimit, LeastOfAll) {
  const std::map<std::string, std::string> files = {{"/sys/fs/cgroup/a/b/memory.max", "max\n"},
                                                    {"/sys/fs/cgroup/a/memory.max", "4096\n"},
                                                    {"/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "8192\n"}};
  const ReadFile read = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  EXPECT_EQ(least_limit("0::/a/b\n", read), 4096);
  EXPECT_EQ(least_limit("4:memory:/x\n", read), 8192);
  EXPECT_EQ(least_limit("4:memory:/x\n0::/a/b\n", read), 4096);
  EXPECT_EQ(least_limit("0::/other\n", read), std::nullopt);
  EXPECT_EQ(least_limit("", read), std::nullopt);
}

TEST(MemoryLimit, OfThisProcessCanBeAskedFor) {
  const std::optional<std::int64_t> limit = group_memory_limit();
  if (limit) {
    EXPECT_GT(*limit, 0);
  }
}

TEST(MemoryLimit, ABlockBeyondNodeOrGroupIsRefused) {
  EXPECT_TRUE(check_fits(100, 1000, std::nullopt).ok());
  EXPECT_TRUE(check_fits(100, 1000, 500).ok());
  EXPECT_EQ(check_fits(1000, 1000, std::nullopt).error_class(), ErrorClass::kNoMemory);
  const Status refused = check_fits(600, 1000, 500);
  EXPECT_EQ(refused.error_class(), ErrorClass::kNoMemory);
  EXPECT_NE(refused.text().find("control group"), std::string::npos) << refused.text();
}

}  // namespace
}  // namespace weir::sys
