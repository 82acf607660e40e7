#include "words.h"

#include <gtest/gtest.h>

namespace weir::tool {
namespace {

TEST(Words, SplitAndJoin) {
  EXPECT_EQ(split("a:b::c:", ':'), (Words{"a", "b", "c"}));
  EXPECT_EQ(split("", ':'), Words{});
  EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
  EXPECT_EQ(base_name("/usr/bin/mpirun"), "mpirun");
  EXPECT_EQ(base_name("mpirun"), "mpirun");
}

TEST(Words, QuotedForAShell) {
  EXPECT_EQ(shell_quoted({"mpirun", "-x", "A=b;c"}), "mpirun -x 'A=b;c'");
  EXPECT_EQ(shell_quoted({"it's", ""}), "'it'\\''s' ''");
}

TEST(Words, Nearest) {
  const Words commands = {"run", "doctor", "explain", "hints", "version"};
  EXPECT_EQ(nearest("docter", commands), "doctor");
  EXPECT_EQ(nearest("rnu", commands), "run");
  EXPECT_EQ(nearest("hint", commands), "hints");
  EXPECT_EQ(nearest("completely-else", commands), "");
}

}  // namespace
}  // namespace weir::tool
