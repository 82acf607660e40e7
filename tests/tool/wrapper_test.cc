#include <gtest/gtest.h>

#include "launcher.h"

namespace weir::tool {
namespace {

std::string behind(const std::string& line) {
  const Words words = split(line, ' ');
  const auto index = skip_wrappers(words, 0, words.size());
  return index.ok() ? words[index.value()] : "failure";
}

TEST(Wrappers, AreSkipped) {
  for (const char* line : {"prog timeout 3",
                           "timeout 60 prog",
                           "timeout -k 5 -s TERM 60 prog x",
                           "timeout -k5 --foreground 60 prog",
                           "env A=b C=d prog",
                           "env -u X -C /tmp A=b prog",
                           "/usr/bin/env prog",
                           "nice -n 5 prog",
                           "nice -5 prog",
                           "numactl -m 0 --cpunodebind=0 prog",
                           "numactl --interleave all -l prog",
                           "taskset -c 0-3 prog",
                           "taskset 0x3 prog",
                           "stdbuf -oL prog",
                           "time -p prog",
                           "nohup setsid prog",
                           "env A=b timeout 60 nice prog a",
                           "strace -f -o out prog",
                           "valgrind --tool=memcheck -q prog",
                           "env -- prog"})
    EXPECT_EQ(behind(line), "prog") << line;
}

TEST(Wrappers, ThatTakeWeirAwayAreRefused) {
  for (const char* line : {"env -i prog", "env -u LD_PRELOAD prog", "env --unset=LD_PRELOAD prog",
                           "env LD_PRELOAD=x prog", "env A=b WEIR_HINTS=x prog", "env -S prog"})
    EXPECT_EQ(behind(line), "failure") << line;
}

TEST(Wrappers, ThatStartNothingAreRefused) {
  for (const char* line : {"env", "timeout 60", "env A=b", "timeout --frobnicate 60 prog", "nice -n"})
    EXPECT_EQ(behind(line), "failure") << line;
}

}  // namespace
}  // namespace weir::tool
