#include "compare/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_host.h"

namespace weir::tool::compare {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

BenchOptions options_for(Words workloads) {
  BenchOptions options;
  options.workloads = std::move(workloads);
  return options;
}

std::string refusal(const BenchOptions& options) {
  Words left_out;
  const auto groups = plan_groups(options, {open_mpi()}, left_out);
  return groups.ok() ? "" : groups.status().text();
}

std::vector<Group> planned(const BenchOptions& options, const std::vector<Host>& hosts, Words& left_out) {
  auto groups = plan_groups(options, hosts, left_out);
  EXPECT_TRUE(groups.ok()) << groups.status().text();
  return groups.ok() ? std::move(groups).value() : std::vector<Group>();
}

TEST(Groups, AWorkloadIsWrittenAndReadUnderEveryHost) {
  Words left_out;
  const auto groups = planned(options_for({"coll_perf", "flash"}), {open_mpi(), mpich()}, left_out);
  ASSERT_THAT(groups, SizeIs(8));
  for (const Group& group : groups) EXPECT_THAT(group.cells, SizeIs(2));  // host and weir
  EXPECT_THAT(left_out, IsEmpty());
}

TEST(Groups, WaysOfWeirAreComparedAmongThemselves) {
  BenchOptions options = options_for({"coll_perf"});
  options.methods = {"depth", "max_acc"};
  Words left_out;
  const auto groups = planned(options, {open_mpi()}, left_out);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_THAT(groups[0].cells, SizeIs(2));      // writing: depth only
  EXPECT_THAT(groups[1].cells, SizeIs(2 + 5));  // reading: prefetching too
}

TEST(Groups, AComparisonOfOneWorkloadLeavesOthersAlone) {
  BenchOptions options = options_for({"coll_perf"});
  options.methods = {"sparse"};
  Words left_out;
  EXPECT_THAT(planned(options, {open_mpi()}, left_out), IsEmpty());
}

TEST(Groups, AllLeavesOutWhatCannotBeHadAndSaysSo) {
  BenchOptions options = options_for({"all"});
  options.ranks = {5};
  options.quick = true;
  Words left_out;
  const auto groups = planned(options, {open_mpi()}, left_out);
  EXPECT_GT(groups.size(), 10u);
  EXPECT_THAT(left_out, ElementsAre(HasSubstr("btio with 5 ranks")));
}

TEST(Groups, WhatIsUnknownIsRefusedWithTheNearestName) {
  EXPECT_THAT(refusal(options_for({"coll_prf"})), HasSubstr("coll_perf"));
  EXPECT_THAT(refusal(options_for({"cyclic:blok=4"})), HasSubstr("block"));
  BenchOptions options = options_for({"flash"});
  options.against = {"ompoi"};
  EXPECT_THAT(refusal(options), HasSubstr("did you mean ompio?"));
  options = options_for({"flash"});
  options.methods = {"domain"};
  EXPECT_THAT(refusal(options), HasSubstr("did you mean domains?"));
  options = options_for({"flash"});
  options.direction = "up";
  EXPECT_THAT(refusal(options), HasSubstr("write, read or both"));
}

TEST(Groups, WhatCannotBeHadIsRefusedBeforeAnythingRuns) {
  BenchOptions options = options_for({"btio"});
  options.ranks = {6};
  EXPECT_THAT(refusal(options), HasSubstr("square"));
  options = options_for({"cyclic:block=64"});
  options.size = "1000001";
  EXPECT_NE(refusal(options), "");
  options.size = "many";
  EXPECT_THAT(refusal(options), HasSubstr("no size"));
}

TEST(Groups, EveryWorkloadHasASmallSizeForEveryNumberOfRanks) {
  for (const int ranks : {1, 3, 4, 7, 16, 64}) {
    BenchOptions options = options_for({"all"});
    options.quick = true;
    options.ranks = {ranks};
    Words left_out;
    planned(options, {open_mpi()}, left_out);
    EXPECT_THAT(left_out, Each(HasSubstr("btio"))) << ranks;
  }
}

}  // namespace
}  // namespace weir::tool::compare
