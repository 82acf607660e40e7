#include "hints/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hints/pairs.h"

namespace weir::hints {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(HintFile, TakesKeysAndValuesLineByLine) {
  const ParsedPairs parsed = parse_hint_file(
      "# for the whole machine\n"
      "cb_nodes 32\n"
      "\n"
      "  \t\n"
      "\tcb_config_list \t n01,n11:2,*:1  \r\n"
      "  # an indented comment\n"
      "romio_ds_write disable");
  EXPECT_THAT(parsed.pairs, ElementsAre(Pair("cb_nodes", "32"), Pair("cb_config_list", "n01,n11:2,*:1"),
                                        Pair("romio_ds_write", "disable")));
  EXPECT_THAT(parsed.complaints, IsEmpty());
}

TEST(HintFile, ComplainsOfLinesItCannotTake) {
  const ParsedPairs parsed = parse_hint_file("cb_nodes\nromio_cb_read enable # why\ncb_nodes 4\ncb_nodes 8\n");
  EXPECT_THAT(parsed.pairs, ElementsAre(Pair("cb_nodes", "4")));
  EXPECT_THAT(parsed.complaints, ElementsAre("line 1: \"cb_nodes\" is not a key and a value",
                                             "line 2: \"romio_cb_read enable # why\" is not a key and a value",
                                             "line 4: cb_nodes was given before"));
}

TEST(HintFile, SurvivesAnything) {
  EXPECT_THAT(parse_hint_file("").pairs, IsEmpty());
  EXPECT_THAT(parse_hint_file("\n\n\n").complaints, IsEmpty());
  const std::string binary("\0\xff \x01\n\0", 6);
  EXPECT_EQ(parse_hint_file(binary).pairs.size(), 1u);
  EXPECT_EQ(parse_hint_file(std::string(100'000, 'x')).complaints.size(), 1u);
}

TEST(HintFile, InfoWinsOverTheFile) {
  const Pairs info{{"cb_nodes", "8"}};
  EXPECT_THAT(merge(parse_hint_file("cb_nodes 4\nromio_cb_write enable\n").pairs, info),
              ElementsAre(Pair("romio_cb_write", "enable"), Pair("cb_nodes", "8")));
}

TEST(HintList, TakesPairsBetweenSemicolons) {
  const ParsedPairs parsed = parse_hint_list("cb_nodes=4; cb_config_list = n01:2,*:1 ;k=a=b;;empty=;");
  EXPECT_THAT(parsed.pairs, ElementsAre(Pair("cb_nodes", "4"), Pair("cb_config_list", "n01:2,*:1"), Pair("k", "a=b"),
                                        Pair("empty", "")));
  EXPECT_THAT(parsed.complaints, IsEmpty());
}

TEST(HintList, TheLastOfAKeyCounts) {
  EXPECT_THAT(parse_hint_list("a=1;b=2;a=3").pairs, ElementsAre(Pair("b", "2"), Pair("a", "3")));
}

TEST(HintList, ComplainsOfOtherThings) {
  const ParsedPairs parsed = parse_hint_list("cb_nodes;=4;romio_ds_read=enable; ");
  EXPECT_THAT(parsed.pairs, ElementsAre(Pair("romio_ds_read", "enable")));
  EXPECT_THAT(parsed.complaints,
              ElementsAre("\"cb_nodes\" is not of the form key=value", "\"=4\" is not of the form key=value"));
}

TEST(HintList, EmptyIsNothing) {
  EXPECT_THAT(parse_hint_list("").pairs, IsEmpty());
  EXPECT_THAT(parse_hint_list(" ;; ").complaints, IsEmpty());
}

}  // namespace
}  // namespace weir::hints
