#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Text, SplitLeavesEmptyPartsOut) {
  EXPECT_THAT(split("a:b::c:", ':'), testing::ElementsAre("a", "b", "c"));
  EXPECT_THAT(split("a b", ':'), testing::ElementsAre("a b"));
  EXPECT_THAT(split("", ':'), testing::IsEmpty());
  EXPECT_THAT(split("::", ':'), testing::IsEmpty());
}

TEST(Text, TrimmedKeepsBlanksInside) {
  EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Text, LowerChangesNothingButAsciiCapitals) { EXPECT_EQ(lower("AbZ 09_\xC3\x84"), "abz 09_\xC3\x84"); }

}  // namespace
}  // namespace weir
