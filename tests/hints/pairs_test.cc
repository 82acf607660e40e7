#include "hints/pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace weir::hints {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string all_bytes() {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) text.push_back(static_cast<char>(byte));
  return text;
}

Pairs odd_pairs() {
  return {{"", ""},
          {"key", ""},
          {"", "value"},
          {"key", "value"},
          {"key", "again"},
          {all_bytes(), all_bytes()},
          {std::string(1, '\0'), "\n=;#"},
          {"long", std::string(70'000, 'x')}};
}

TEST(Encode, RoundTripsAnything) {
  for (const Pairs& pairs : {Pairs{}, Pairs{{"cb_nodes", "4"}}, odd_pairs()}) {
    const auto decoded = decode(encode(pairs));
    ASSERT_TRUE(decoded.ok()) << decoded.status().text();
    EXPECT_EQ(decoded.value(), pairs);
  }
}

TEST(Encode, DiffersForDifferentLists) {
  EXPECT_NE(encode(Pairs{{"a", "bc"}}), encode(Pairs{{"ab", "c"}}));
  EXPECT_NE(encode(Pairs{{"a", "b"}}), encode(Pairs{{"a", "b"}, {"", ""}}));
}

TEST(Decode, RefusesEveryShortenedOrLengthenedMessage) {
  const Pairs pairs{{"cb_nodes", "4"}, {"", ""}, {"k", "v"}};
  auto bytes = encode(pairs);
  for (std::size_t kept = 0; kept < bytes.size(); ++kept) {
    const auto decoded = decode(std::span(bytes).first(kept));
    EXPECT_FALSE(decoded.ok()) << kept;
    EXPECT_EQ(decoded.status().error_class(), ErrorClass::kInfo);
  }
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(decode(bytes).ok());
}

// The first 16 bytes hold the number of pairs and the length of the first key.
TEST(Decode, RefusesAbsurdLengthsWithoutAskingForMemory) {
  for (std::size_t place = 0; place < 16; ++place) {
    auto bytes = encode(Pairs{{"cb_nodes", "4"}});
    bytes[place] = std::byte{0xff};
    EXPECT_FALSE(decode(bytes).ok()) << place;
  }
}

TEST(Merge, TheStrongerWinsByWhateverName) {
  const Pairs file{{"num_aggregators", "4"}, {"romio_ds_read", "disable"}, {"my_key", "1"}};
  const Pairs info{{"cb_nodes", "8"}, {"my_key", "2"}};
  EXPECT_THAT(merge(file, info),
              ElementsAre(Pair("romio_ds_read", "disable"), Pair("cb_nodes", "8"), Pair("my_key", "2")));
}

TEST(Merge, ThreeSourcesInOrderOfStrength) {
  const Pairs file{{"cb_nodes", "1"}, {"romio_cb_read", "enable"}, {"weir_sparse", "true"}};
  const Pairs info{{"cb_nodes", "2"}, {"romio_cb_read", "disable"}};
  const Pairs command{{"cb_nodes", "3"}};
  EXPECT_THAT(merge(merge(file, info), command),
              ElementsAre(Pair("weir_sparse", "true"), Pair("romio_cb_read", "disable"), Pair("cb_nodes", "3")));
}

TEST(Merge, NothingAndNothing) {
  EXPECT_THAT(merge({}, {}), IsEmpty());
  EXPECT_EQ(merge(odd_pairs(), {}), odd_pairs());
  EXPECT_EQ(merge({}, odd_pairs()), odd_pairs());
}

TEST(Merge, KeysOfOneStarRowAreDifferentHints) {
  EXPECT_EQ(merge(Pairs{{"panfs_a", "1"}}, Pairs{{"panfs_b", "2"}}).size(), 2u);
}

TEST(Compare, EqualListsDoNotDiffer) {
  EXPECT_THAT(compare({}, {}), IsEmpty());
  EXPECT_THAT(compare(odd_pairs(), odd_pairs()), IsEmpty());
}

TEST(Compare, FindsChangedMissingAndExtraHints) {
  const Pairs rank0{{"cb_nodes", "4"}, {"weir_sparse", "true"}, {"romio_ds_read", "enable"}};
  const Pairs mine{{"romio_ds_read", "enable"}, {"weir_max_acc", "3"}, {"cb_nodes", "8"}};
  EXPECT_THAT(compare(rank0, mine),
              ElementsAre(Difference{"cb_nodes", "4", "8"}, Difference{"weir_sparse", "true", std::nullopt},
                          Difference{"weir_max_acc", std::nullopt, "3"}));
}

TEST(Compare, SpellingsAndOrderDoNotMatter) {
  const Pairs rank0{{"cb_buffer_size", "4m"}, {"romio_ds_read", "enable"}, {"num_aggregators", "4"}};
  const Pairs mine{{"cb_nodes", "04"}, {"romio_ds_read", "TRUE"}, {"cb_buffer_size", "4194304"}};
  EXPECT_THAT(compare(rank0, mine), IsEmpty());
}

TEST(Compare, OnlyTheValueThatCountsMatters) {
  const Pairs rank0{{"cb_nodes", "4"}, {"num_aggregators", "9"}};
  EXPECT_THAT(compare(rank0, Pairs{{"cb_nodes", "4"}}), IsEmpty());
  EXPECT_THAT(compare(Pairs{{"coll_read_bufsize", "1"}, {"coll_write_bufsize", "2"}}, Pairs{{"cb_buffer_size", "2"}}),
              IsEmpty());
}

TEST(Compare, IgnoredHintsAreLeftOutAndUnknownOnesAreNot) {
  EXPECT_THAT(compare(Pairs{{"access_style", "random"}}, Pairs{{"access_style", "sequential"}}), IsEmpty());
  EXPECT_THAT(compare(Pairs{}, Pairs{{"cb_node", "2"}}), ElementsAre(Difference{"cb_node", std::nullopt, "2"}));
}

TEST(Compare, BadValuesAreComparedAsTheyAre) {
  EXPECT_THAT(compare(Pairs{{"cb_nodes", "x"}}, Pairs{{"cb_nodes", "y"}}),
              ElementsAre(Difference{"cb_nodes", "x", "y"}));
}

TEST(Sentence, SaysWhoseValueIsUsed) {
  EXPECT_EQ(sentence(Difference{"cb_nodes", "4", std::nullopt}),
            "hint cb_nodes differs between ranks: rank 0 has \"4\", this rank none; rank 0's value "
            "is used");
}

}  // namespace
}  // namespace weir::hints
