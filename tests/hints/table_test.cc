#include "hints/table.h"

#include <gtest/gtest.h>

#include <set>

#include "base/text.h"
#include "hints/lookup.h"
#include "hints/value.h"

namespace weir::hints {
namespace {

bool is_number(const Row& row) {
  return row.type == Type::kBytes || row.type == Type::kCount || row.type == Type::kOctal;
}

TEST(Table, RowsStandInTheOrderOfTheirIds) {
  ASSERT_EQ(table().size(), kHintCount);
  for (std::size_t i = 0; i < kHintCount; ++i) {
    EXPECT_EQ(table()[i].id, static_cast<Id>(i));
    EXPECT_EQ(&row(static_cast<Id>(i)), &table()[i]);
  }
}

TEST(Table, NoNameOrAliasIsGivenTwice) {
  std::set<std::string_view> names;
  for (const Row& row : table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    for (std::string_view alias : split(row.aliases, ' ')) EXPECT_TRUE(names.insert(alias).second) << alias;
  }
}

TEST(Table, NamesFitEveryHostsInfo) {
  for (const Row& row : table()) {
    EXPECT_LE(row.name.size(), kShortestKeyLimit) << row.name;
    for (std::string_view alias : split(row.aliases, ' ')) EXPECT_LE(alias.size(), kShortestKeyLimit) << alias;
  }
}

TEST(Table, EveryValueFitsEveryHostsInfo) {
  for (const Row& row : table()) {
    EXPECT_LE(row.default_text.size(), kShortestValueLimit) << row.name;
    EXPECT_LE(row.words.size(), kShortestValueLimit) << row.name;
  }
}

TEST(Table, EveryRowSaysWhatItDoesInOneSentence) {
  for (const Row& row : table()) {
    EXPECT_TRUE(row.text.ends_with('.')) << row.name;
    EXPECT_EQ(row.text.find('|'), row.text.npos) << row.name << ": would break the manual's tables";
  }
}

TEST(Table, IgnoredRowsSayWhyAndNoOthers) {
  for (const Row& row : table()) {
    EXPECT_EQ(row.reason.empty(), row.effect != Effect::kIgnored) << row.name;
    EXPECT_FALSE(row.reason.ends_with('.')) << row.name << ": reasons end reports' lines";
  }
}

TEST(Table, OnlyIgnoredRowsStandForManyKeys) {
  for (const Row& row : table()) {
    EXPECT_TRUE(!row.name.ends_with('*') || row.effect == Effect::kIgnored) << row.name;
  }
}

TEST(Table, DefaultsAreValuesInTheirNormalForm) {
  for (const Row& row : table()) {
    if (row.default_text.empty()) continue;
    const Parsed parsed = parse(row, row.default_text);
    EXPECT_EQ(parsed.reading, Reading::kGood) << row.name;
    EXPECT_EQ(parsed.value.text, row.default_text) << row.name;
  }
}

TEST(Table, NumbersHaveARangeAndNoneIsTakenForMissing) {
  for (const Row& row : table()) {
    if (!is_number(row)) continue;
    EXPECT_LE(row.least, row.most) << row.name;
    const bool zero_is_a_number = row.id == Id::kStartIodevice;  // has() tells
    EXPECT_TRUE(!row.default_text.empty() || row.least >= 1 || zero_is_a_number)
        << row.name << ": 0 means it has no value";
  }
}

TEST(Table, WordsHaveADefaultSoThatAChoiceIsAlwaysMade) {
  for (const Row& row : table()) {
    EXPECT_EQ(row.words.empty(), row.type != Type::kWord) << row.name;
    EXPECT_TRUE(row.type != Type::kWord || !row.default_text.empty()) << row.name;
  }
}

// The enums of table.h and the words of the rows are two lists of one thing.
TEST(Table, WordsFollowTheirEnums) {
  const auto number_of = [](Id id, const char* word) { return parse(row(id), word).value.number; };
  for (Id id : {Id::kRomioCbRead, Id::kRomioCbWrite, Id::kRomioDsRead, Id::kRomioDsWrite}) {
    EXPECT_EQ(number_of(id, "automatic"), static_cast<int>(Toggle::kAutomatic));
    EXPECT_EQ(number_of(id, "enable"), static_cast<int>(Toggle::kEnable));
    EXPECT_EQ(number_of(id, "disable"), static_cast<int>(Toggle::kDisable));
  }
  EXPECT_EQ(number_of(Id::kIbmLargeblockIo, "auto"), static_cast<int>(LargeBlock::kAuto));
  EXPECT_EQ(number_of(Id::kIbmLargeblockIo, "false"), static_cast<int>(LargeBlock::kFalse));
  EXPECT_EQ(number_of(Id::kIbmLargeblockIo, "true"), static_cast<int>(LargeBlock::kTrue));
  EXPECT_EQ(number_of(Id::kIbmLargeblockIo, "switchable"), static_cast<int>(LargeBlock::kSwitchable));
  EXPECT_EQ(number_of(Id::kWeirMethod, "auto"), static_cast<int>(Method::kAuto));
  EXPECT_EQ(number_of(Id::kWeirMethod, "independent"), static_cast<int>(Method::kIndependent));
  EXPECT_EQ(number_of(Id::kWeirMethod, "two_phase"), static_cast<int>(Method::kTwoPhase));
  EXPECT_EQ(number_of(Id::kWeirDomains, "auto"), static_cast<int>(Domains::kAuto));
  EXPECT_EQ(number_of(Id::kWeirDomains, "even"), static_cast<int>(Domains::kEven));
  EXPECT_EQ(number_of(Id::kWeirDomains, "aligned"), static_cast<int>(Domains::kAligned));
  EXPECT_EQ(number_of(Id::kWeirDomains, "static_cyclic"), static_cast<int>(Domains::kStaticCyclic));
  EXPECT_EQ(number_of(Id::kWeirDomains, "group_cyclic"), static_cast<int>(Domains::kGroupCyclic));
  EXPECT_EQ(number_of(Id::kWeirExchange, "auto"), static_cast<int>(Exchange::kAuto));
  EXPECT_EQ(number_of(Id::kWeirExchange, "shared"), static_cast<int>(Exchange::kShared));
  EXPECT_EQ(number_of(Id::kWeirExchange, "direct"), static_cast<int>(Exchange::kDirect));
  EXPECT_EQ(number_of(Id::kWeirExchange, "pairwise"), static_cast<int>(Exchange::kPairwise));
  EXPECT_EQ(number_of(Id::kWeirSparse, "auto"), static_cast<int>(Sparse::kAuto));
  EXPECT_EQ(number_of(Id::kWeirSparse, "true"), static_cast<int>(Sparse::kTrue));
  EXPECT_EQ(number_of(Id::kWeirSparse, "false"), static_cast<int>(Sparse::kFalse));
}

}  // namespace
}  // namespace weir::hints
