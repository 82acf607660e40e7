#include "hints/apply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "hints/lookup.h"
#include "samples.h"

namespace weir::hints {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;

Change apply_one(HintSet& hints, std::string key, std::string value, When when = When::kOpen) {
  const Pairs pairs{{std::move(key), std::move(value)}};
  const Changes changes = apply(hints, pairs, when);
  EXPECT_EQ(changes.size(), 1u);
  return changes.front();
}

std::string own_key(const Row& row) {
  std::string key(row.name);
  if (key.ends_with('*')) key.back() = 'x';
  return key;
}

bool users_set(const Row& row) { return row.effect != Effect::kIgnored && row.settable != Settable::kNever; }

TEST(Apply, EveryHintIsSettableFromTextAndReadBack) {
  for (const Row& row : table()) {
    if (!users_set(row)) continue;
    HintSet hints;
    const std::string value = sample_value(row);
    const Change change = apply_one(hints, std::string(row.name), value);
    EXPECT_EQ(change, (Change{std::string(row.name), value, row.id, Outcome::kAccepted, ""}));
    EXPECT_THAT(describe(hints), Contains(Pair(row.name, value)));
  }
}

TEST(Apply, EveryAliasSetsItsHintAndIsReadBackToo) {
  for (const Row& row : table()) {
    if (!users_set(row)) continue;
    for (std::string_view alias : split(row.aliases, ' ')) {
      HintSet hints;
      const std::string value = sample_value(row);
      EXPECT_EQ(apply_one(hints, std::string(alias), value).outcome, Outcome::kAccepted) << alias;
      EXPECT_THAT(describe(hints), Contains(Pair(row.name, value)));
      EXPECT_THAT(describe(hints), Contains(Pair(alias, value)));
    }
  }
}

TEST(Apply, IgnoredHintsSayWhyAndAreNotReadBack) {
  for (const Row& row : table()) {
    if (row.effect != Effect::kIgnored) continue;
    HintSet hints;
    const Change change = apply_one(hints, own_key(row), "enable");
    EXPECT_EQ(change.id, row.id);
    EXPECT_EQ(change.outcome, Outcome::kIgnored) << row.name;
    EXPECT_EQ(change.note, row.reason);
    EXPECT_EQ(hints, HintSet());
    EXPECT_THAT(describe(hints), Not(Contains(Key(own_key(row)))));
  }
}

TEST(Apply, UsersCannotSetWhatWeirReports) {
  HintSet hints;
  const Change change = apply_one(hints, "romio_visibility_immediate", "false");
  EXPECT_EQ(change.outcome, Outcome::kIgnored);
  EXPECT_EQ(change.note, "set by weir, not by users");
  EXPECT_EQ(apply_one(hints, "romio_visibility_immediate", "true").outcome, Outcome::kAccepted);
  EXPECT_EQ(apply_one(hints, "filename", "/etc/passwd").outcome, Outcome::kIgnored);
  EXPECT_EQ(hints, HintSet());
}

TEST(Apply, OpenOnlyHintsMayBeRepeatedButNotChangedLater) {
  for (When later : {When::kSetView, When::kSetInfo}) {
    for (const Row& row : table()) {
      if (row.settable != Settable::kAtOpen) continue;
      HintSet hints;
      const std::string key(row.name), value = sample_value(row);
      EXPECT_EQ(apply_one(hints, key, value, later).outcome, Outcome::kIgnored) << key;
      EXPECT_EQ(hints, HintSet());
      EXPECT_EQ(apply_one(hints, key, value, When::kOpen).outcome, Outcome::kAccepted) << key;
      EXPECT_EQ(apply_one(hints, key, value, later).outcome, Outcome::kAccepted) << key;
    }
  }
}

TEST(Apply, WhatAgentsFollowMayChangeLaterIfThatWasAnnounced) {
  for (const bool announced : {false, true}) {
    HintSet hints;
    if (announced) apply_one(hints, "IBM_largeblock_io", "switchable", When::kOpen);
    const Outcome expected = announced ? Outcome::kAccepted : Outcome::kIgnored;
    for (const char* value : {"false", "true", "false"}) {
      EXPECT_EQ(apply_one(hints, "IBM_largeblock_io", value, When::kSetView).outcome, expected);
    }
    const Change change = apply_one(hints, "IBM_io_buffer_size", "1m", When::kSetInfo);
    EXPECT_EQ(change.outcome, expected);
    EXPECT_EQ(change.note.empty(), announced);
    EXPECT_EQ(hints.text(Id::kIbmLargeblockIo), announced ? "false" : "auto");
  }
}

TEST(Apply, OtherHintsMayChangeLater) {
  HintSet hints;
  EXPECT_EQ(apply_one(hints, "romio_ds_read", "disable", When::kSetView).outcome, Outcome::kAccepted);
  EXPECT_EQ(apply_one(hints, "ind_rd_buffer_size", "1m", When::kSetInfo).outcome, Outcome::kAccepted);
  EXPECT_EQ(hints.choice<Toggle>(Id::kRomioDsRead), Toggle::kDisable);
  EXPECT_EQ(hints.integer(Id::kIndRdBufferSize), 1 << 20);
}

TEST(Apply, ABadValueLeavesTheOldOne) {
  HintSet hints;
  apply_one(hints, "cb_nodes", "4");
  const HintSet before = hints;
  const Change change = apply_one(hints, "cb_nodes", "four");
  EXPECT_EQ(change.outcome, Outcome::kRejected);
  EXPECT_THAT(change.note, HasSubstr("\"four\" is not 1 to"));
  apply_one(hints, "num_aggregators", "");
  EXPECT_EQ(hints, before);
}

TEST(Apply, OutOfRangeIsAdjustedAndSaysSo) {
  HintSet hints;
  const Change change = apply_one(hints, "weir_pipeline_depth", "1000");
  EXPECT_EQ(change.outcome, Outcome::kAdjusted);
  EXPECT_EQ(change.note, "\"1000\" is more than 64; 64 is used");
  EXPECT_EQ(hints.integer(Id::kWeirPipelineDepth), 64);
}

TEST(Apply, UnknownKeysMaySuggestOne) {
  HintSet hints;
  EXPECT_EQ(apply_one(hints, "cb_node", "4"),
            (Change{"cb_node", "4", std::nullopt, Outcome::kUnknown, "did you mean cb_nodes?"}));
  EXPECT_EQ(apply_one(hints, "colour", "red").note, "");
  EXPECT_EQ(hints, HintSet());
}

TEST(Apply, KeysOfOtherObjectsAreNotUnknown) {
  HintSet hints;
  const Change change = apply_one(hints, "no_locks", "true");
  EXPECT_EQ(change.outcome, Outcome::kIgnored);
  EXPECT_EQ(change.note, "a key of MPI_Win_create, not of files");
}

TEST(Apply, TheCanonicalNameWinsOverAliasesWhateverTheOrder) {
  for (const Pairs& pairs :
       {Pairs{{"cb_nodes", "4"}, {"num_aggregators", "8"}}, Pairs{{"num_aggregators", "8"}, {"cb_nodes", "4"}}}) {
    HintSet hints;
    const Changes changes = apply(hints, pairs, When::kOpen);
    EXPECT_EQ(hints.integer(Id::kCbNodes), 4);
    for (const Change& change : changes) {
      const bool canonical = change.key == "cb_nodes";
      EXPECT_EQ(change.outcome, canonical ? Outcome::kAccepted : Outcome::kIgnored);
      EXPECT_EQ(change.note, canonical ? "" : "cb_nodes=4 is given too");
    }
  }
}

TEST(Apply, AmongAliasesTheLastWins) {
  HintSet hints;
  const Pairs pairs{{"coll_read_bufsize", "1m"}, {"coll_write_bufsize", "2m"}};
  const Changes changes = apply(hints, pairs, When::kOpen);
  EXPECT_EQ(hints.integer(Id::kCbBufferSize), 2 << 20);
  EXPECT_EQ(changes[0].outcome, Outcome::kIgnored);
  EXPECT_EQ(changes[1].outcome, Outcome::kAccepted);
}

TEST(Apply, AnswersEveryPairInOrderAndSurvivesGarbage) {
  Pairs pairs;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string junk(static_cast<std::size_t>(byte % 7), static_cast<char>(byte));
    pairs.emplace_back(junk, junk);
    pairs.emplace_back("weir_method", junk);
  }
  pairs.emplace_back(std::string(100'000, 'k'), std::string(100'000, 'v'));
  HintSet hints;
  const Changes changes = apply(hints, pairs, When::kOpen);
  ASSERT_EQ(changes.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(changes[i].key, pairs[i].first);
    EXPECT_NE(changes[i].outcome, Outcome::kAccepted);
    EXPECT_LE(sentence(changes[i]).size(), 250u);
  }
  EXPECT_EQ(hints, HintSet());
}

TEST(Apply, NothingGivenChangesNothing) {
  HintSet hints;
  EXPECT_TRUE(apply(hints, {}, When::kSetInfo).empty());
  EXPECT_EQ(hints, HintSet());
}

TEST(Sentence, IsALineForAReport) {
  HintSet hints;
  EXPECT_EQ(sentence(apply_one(hints, "cb_node", "4")), "hint cb_node=4: unknown, did you mean cb_nodes?");
  EXPECT_EQ(sentence(apply_one(hints, "cb_nodes", "4")), "hint cb_nodes=4: accepted");
  EXPECT_EQ(sentence(apply_one(hints, "weir_exchange", "x\ny")),
            "hint weir_exchange=x?y: rejected, \"x?y\" is not auto, shared, direct or pairwise");
}

}  // namespace
}  // namespace weir::hints
