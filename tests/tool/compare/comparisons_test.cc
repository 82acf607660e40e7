#include "compare/comparisons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hint_words.h"
#include "workloads/workload.h"

namespace weir::tool::compare {
namespace {

using testing::ElementsAre;

Words labels(const char* comparison, int ranks_per_node) {
  Words found;
  for (const Variant& variant : find_comparison(comparison)->variants(ranks_per_node)) found.push_back(variant.label);
  return found;
}

TEST(Comparisons, EveryHintIsOneOfWeirsAndEveryNameItsOwn) {
  std::set<std::string_view> names;
  for (const Comparison& comparison : all_comparisons()) {
    EXPECT_TRUE(names.insert(comparison.name).second) << comparison.name;
    for (const Variant& variant : comparison.variants(16)) {
      EXPECT_EQ(variant.comparison, comparison.name);
      EXPECT_TRUE(check_hints(variant.hints).ok()) << variant.label;
    }
  }
}

TEST(Comparisons, ParametersAreThoseOfTheWorkload) {
  for (const Comparison& comparison : all_comparisons()) {
    for (const Variant& variant : comparison.variants(4)) {
      for (const std::string& parameter : variant.parameters)
        EXPECT_TRUE(bench::parse_spec(std::string(comparison.only_workload) + ":" + parameter).ok()) << parameter;
    }
  }
}

TEST(Comparisons, ThoseOfThePapers) {
  EXPECT_THAT(labels("domains", 4), ElementsAre("even", "aligned", "static_cyclic", "group_cyclic"));
  EXPECT_THAT(labels("access", 4), ElementsAre("list_io", "two_phase", "iec", "shared"));
  EXPECT_THAT(labels("local_aggregators", 5), ElementsAre("1", "2", "4", "5"));
  EXPECT_THAT(labels("local_aggregators", 1), ElementsAre("1"));
  EXPECT_THAT(labels("depth", 4), ElementsAre("1", "2"));
  EXPECT_THAT(labels("max_acc", 4), ElementsAre("0", "1", "2", "4", "8"));
  EXPECT_THAT(labels("shipping", 4), ElementsAre("off", "all ranks", "one a node", "half the ranks", "one rank",
                                                 "blocks of 16k", "blocks of 64k", "blocks of 256k", "blocks of 1m"));
  EXPECT_THAT(labels("tasks_per_node", 8), ElementsAre("1", "2", "4", "8"));
}

TEST(Comparisons, SparseGoesOverTheSparsitiesOnAndOff) {
  const auto variants = find_comparison("sparse")->variants(4);
  ASSERT_EQ(variants.size(), 10u);
  EXPECT_EQ(variants[0].x, variants[1].x);
  EXPECT_NE(variants[0].label, variants[1].label);
  EXPECT_LT(*variants[1].x, *variants[2].x);
}

}  // namespace
}  // namespace weir::tool::compare
