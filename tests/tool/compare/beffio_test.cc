// b_eff_io's cells, and the paper's tables 2 and 3 from results as its runs leave them.
#include "compare/beffio.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compare/hint_sets.h"
#include "fake_host.h"

namespace weir::tool::compare {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

BenchOptions options_with(Words methods) {
  BenchOptions options;
  options.workloads = {kBeffio};
  options.methods = std::move(methods);
  return options;
}

std::vector<Group> planned(const BenchOptions& options) {
  Words left_out;
  auto groups = beffio_groups(options, {open_mpi(), mpich()}, left_out);
  EXPECT_TRUE(groups.ok()) << groups.status().text();
  return groups.ok() ? std::move(groups).value() : std::vector<Group>();
}

std::string refusal(const BenchOptions& options) {
  Words left_out;
  const auto groups = beffio_groups(options, {open_mpi()}, left_out);
  return groups.ok() ? "" : groups.status().text();
}

TEST(BeffioGroups, HostAndWeirByDefault) {
  const auto groups = planned(options_with({}));
  ASSERT_THAT(groups, SizeIs(2));
  for (const Group& group : groups) EXPECT_THAT(group.cells, SizeIs(2));
}

TEST(BeffioGroups, TheThreeSetsOfHintsAreWeirsOwnWays) {
  const auto groups = planned(options_with({"shipping"}));
  ASSERT_THAT(groups, SizeIs(2));
  for (const Group& group : groups) {
    ASSERT_THAT(group.cells, SizeIs(3));
    for (const Cell& cell : group.cells) EXPECT_EQ(cell.peer.name, "weir");
    EXPECT_EQ(group.cells[0].variant.hints_file, "b_eff_io/largeblock-false.hints");
    EXPECT_EQ(group.cells[2].variant.hints_file, "b_eff_io/largeblock-mixed.hints");
  }
}

TEST(BeffioGroups, WhatCannotBeComparedIsRefused) {
  EXPECT_THAT(refusal(options_with({"depth"})), HasSubstr("shipping only"));
  BenchOptions twice = options_with({"shipping"});
  twice.hints_file = "mine";
  EXPECT_THAT(refusal(twice), HasSubstr("--hints-file"));
}

// A row of the paper's Table 2: types 0 to 4, and the weighted average.
using Row = std::array<double, 6>;

json method_json(const char* name, const Row& row) {
  json types = json::array();
  for (std::size_t i = 0; i < 5; ++i) {
    constexpr std::array kNames = {"scatter", "shared", "separate", "segmented", "seg-coll"};
    types.push_back({{"name", kNames[i]}, {"value", row[i]}});
  }
  return {{"method", name}, {"value", row[5]}, {"types", types}};
}

json result_json(double value, const Row& write, const Row& rewrite, const Row& read) {
  const json methods = {method_json("write", write), method_json("rewrite", rewrite), method_json("read", read)};
  return {{"value", value}, {"comparable", true}, {"partitions", {{{"ranks", 64}, {"methods", methods}}}}};
}

// The paper's numbers.
Group paper_group() {
  Group group = planned(options_with({"shipping"})).front();
  const std::array results = {
      result_json(159.5, {197, 188, 104, 338, 13, 173}, {190, 172, 83, 186, 11, 139}, {122, 130, 96, 408, 11, 148}),
      result_json(440.8, {284, 277, 435, 541, 524, 391}, {197, 244, 241, 228, 431, 256},
                  {483, 346, 609, 586, 590, 516}),
      result_json(451.7, {397, 282, 423, 533, 502, 422}, {449, 265, 234, 297, 297, 332},
                  {441, 282, 579, 554, 544, 473})};
  for (std::size_t i = 0; i < results.size(); ++i) group.cells[i].outcome.facts["result"] = results[i];
  return group;
}

std::string row(const char* access, const char* set, const char* largeblock, const std::array<int, 6>& numbers) {
  std::string text = fmt::format("  {:<9}{:<10}{:<19}", access, set, largeblock);
  for (const int number : numbers) text += fmt::format("{:>11}", number);
  return text + "\n";
}

TEST(HintSets, TablesOfThePaper) {
  const std::string text = hint_set_tables(paper_group());
  EXPECT_THAT(text, HasSubstr(row("write", "third", "mixed", {397, 282, 423, 533, 502, 422})));
  EXPECT_THAT(text, HasSubstr(row("read", "baseline", "false", {122, 130, 96, 408, 11, 148})));
  // The bottom rows follow from the others, whole as they stand in the table: where its own fractions led the paper to
  // 157, 473 and 485, those of whole numbers lead to 157.75, 473.5 and 484.5.
  EXPECT_THAT(text, HasSubstr(row("average", "baseline", "false", {158, 155, 95, 335, 12, 152})));
  EXPECT_THAT(text, HasSubstr(row("average", "second", "true", {362, 303, 474, 485, 534, 420})));
  EXPECT_THAT(text, HasSubstr(row("average", "third", "mixed", {432, 278, 454, 484, 472, 425})));
  EXPECT_THAT(text, HasSubstr("  third     mixed                    451.7\n"));
}

TEST(HintSets, ARunThatFailedIsLeftOut) {
  Group group = paper_group();
  group.cells[1].outcome.facts = json::object();
  EXPECT_THAT(hint_set_tables(group), Not(HasSubstr("second")));
  for (Cell& cell : group.cells) cell.outcome.facts = json::object();
  EXPECT_THAT(hint_set_tables(group), IsEmpty());
}

TEST(HintSets, WhatWasNotRewrittenHasNoAverage) {
  Group group = paper_group();
  json& methods = group.cells[0].outcome.facts["result"]["partitions"][0]["methods"];
  methods[1] = {{"method", "rewrite"}, {"types", json::array()}};
  const std::string text = hint_set_tables(group);
  EXPECT_THAT(text, HasSubstr("  average  baseline  false                        -          -"));
}

}  // namespace
}  // namespace weir::tool::compare
