#include "hints/hint_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hints/lookup.h"
#include "samples.h"

namespace weir::hints {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Key;
using ::testing::Not;

TEST(HintSet, StartsWithTheDefaults) {
  const HintSet hints;
  for (const Row& row : table()) {
    EXPECT_EQ(hints.text(row.id), row.default_text) << row.name;
    EXPECT_EQ(hints.has(row.id), !row.default_text.empty()) << row.name;
  }
  EXPECT_EQ(hints.integer(Id::kIndRdBufferSize), 4 << 20);
  EXPECT_EQ(hints.integer(Id::kIndWrBufferSize), 512 << 10);
  EXPECT_EQ(hints.integer(Id::kWeirPipelineDepth), 0);
  EXPECT_EQ(hints.integer(Id::kCbNodes), 0);
  EXPECT_EQ(hints.choice<Toggle>(Id::kRomioDsRead), Toggle::kAutomatic);
  EXPECT_EQ(hints.choice<Domains>(Id::kWeirDomains), Domains::kAuto);
  EXPECT_TRUE(hints.boolean(Id::kRomioVisibilityImmediate));
}

TEST(HintSet, WeirMaySetEveryHint) {
  for (const Row& row : table()) {
    HintSet hints;
    const std::string value = sample_value(row);
    EXPECT_TRUE(hints.set(row.id, value).ok()) << row.name;
    EXPECT_EQ(hints.text(row.id), value) << row.name;
  }
}

TEST(HintSet, ABadValueIsAFailureAndChangesNothing) {
  HintSet hints;
  const Status status = hints.set(Id::kCbNodes, "many");
  EXPECT_EQ(status.error_class(), ErrorClass::kInfo);
  EXPECT_EQ(status.text(), "hint cb_nodes: \"many\" is not 1 to 16777216");
  EXPECT_FALSE(hints.set(Id::kWeirPipelineDepth, "1000").ok());
  EXPECT_EQ(hints, HintSet());
}

TEST(HintSet, EqualityAndHashFollowEveryValue) {
  std::set<std::uint64_t> hashes{HintSet().hash()};
  for (const Row& row : table()) {
    HintSet hints;
    ASSERT_TRUE(hints.set(row.id, sample_value(row)).ok());
    EXPECT_NE(hints, HintSet()) << row.name;
    EXPECT_TRUE(hashes.insert(hints.hash()).second) << row.name;
    hints.assign(row.id, default_value(row));
    EXPECT_EQ(hints, HintSet()) << row.name;
    EXPECT_EQ(hints.hash(), HintSet().hash()) << row.name;
  }
}

// Ranks of one job may run different builds of one version: the number must not depend on them.
TEST(HintSet, HashIsOfValuesAlone) {
  HintSet hints;
  hints.remember_alias(Id::kCbNodes, "num_aggregators");
  EXPECT_NE(hints, HintSet());
  EXPECT_EQ(hints.hash(), HintSet().hash());
}

TEST(Describe, ReturnsEveryDefaultThatIsNotIgnored) {
  const Pairs pairs = describe(HintSet());
  for (const Row& row : table()) {
    const bool returned = row.effect != Effect::kIgnored && !row.default_text.empty();
    if (returned) {
      EXPECT_THAT(pairs, Contains(Pair(row.name, row.default_text)));
    } else {
      EXPECT_THAT(pairs, Not(Contains(Key(std::string(row.name)))));
    }
  }
}

TEST(Describe, NamesWhatHdf5AndPnetcdfLookFor) {
  const Pairs pairs = describe(HintSet());
  EXPECT_THAT(pairs, Contains(Pair("romio_visibility_immediate", "true")));
  EXPECT_THAT(pairs, Contains(Pair("romio_ds_write", "automatic")));
  EXPECT_THAT(pairs, Contains(Pair("cb_buffer_size", "16777216")));
}

TEST(Describe, ReturnsAliasesThatWereUsedAfterTheName) {
  HintSet hints;
  ASSERT_TRUE(hints.set(Id::kCbNodes, "7").ok());
  hints.remember_alias(Id::kCbNodes, "num_aggregators");
  hints.remember_alias(Id::kCbNodes, "num_aggregators");
  hints.remember_alias(Id::kCbNodes, "cb_nodes");
  hints.remember_alias(Id::kCbNodes, "stripe_size");
  Pairs sevens;
  for (const Pair& pair : describe(hints)) {
    if (pair.second == "7") sevens.push_back(pair);
  }
  EXPECT_THAT(sevens, ElementsAre(Pair("cb_nodes", "7"), Pair("num_aggregators", "7")));
}

TEST(Describe, LeavesOutWhatTheHostCannotHold) {
  HintSet hints;
  ASSERT_TRUE(hints.set(Id::kFilename, std::string(kShortestValueLimit, 'f')).ok());
  EXPECT_THAT(hints.describe(), Contains(Key("filename")));
  ASSERT_TRUE(hints.set(Id::kFilename, std::string(kShortestValueLimit + 1, 'f')).ok());
  EXPECT_THAT(hints.describe(), Not(Contains(Key("filename"))));
  EXPECT_THAT(hints.describe(1023), Contains(Key("filename")));
}

TEST(Describe, KeysAndValuesFitEveryHostWhateverIsSet) {
  HintSet hints;
  for (const Row& row : table()) {
    ASSERT_TRUE(hints.set(row.id, sample_value(row)).ok());
    for (std::string_view alias : split(row.aliases, ' ')) hints.remember_alias(row.id, alias);
  }
  for (const auto& [key, value] : describe(hints)) {
    EXPECT_LE(key.size(), kShortestKeyLimit) << key;
    EXPECT_FALSE(value.empty()) << key;
    EXPECT_LE(value.size(), kShortestValueLimit) << key;
  }
}

}  // namespace
}  // namespace weir::hints
