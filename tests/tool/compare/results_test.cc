#include "compare/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "compare/session.h"
#include "compare/table.h"
#include "fake_host.h"

namespace weir::tool::compare {
namespace {

using testing::HasSubstr;

Cell measured(const std::string& peer, std::vector<double> seconds, std::vector<double> block) {
  Cell cell = cell_of(open_mpi(), {peer, peer, {}});
  cell.outcome.seconds = std::move(seconds);
  cell.outcome.block_seconds = std::move(block);
  cell.outcome.bytes = 4000000;
  cell.outcome.verified = true;
  return cell;
}

Cell failed(const std::string& peer, const std::string& why) {
  Cell cell = cell_of(open_mpi(), {peer, peer, {}});
  cell.outcome.failed = why;
  return cell;
}

TEST(Results, WhatFollowsFromTheTimes) {
  const auto json = cell_json(measured("weir", {0.002, 0.004, 0.003}, {0.001, 0.002}), {});
  EXPECT_DOUBLE_EQ(json.at("median").get<double>(), 0.003);
  EXPECT_DOUBLE_EQ(json.at("spread").get<double>(), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(json.at("ratio").get<double>(), 2);
  EXPECT_DOUBLE_EQ(json.at("bandwidth").get<double>(), 4 / 0.003);
  EXPECT_TRUE(json.at("breakdown").is_null());
}

TEST(Results, AFailedCellHasNoNumbers) {
  const auto json = cell_json(failed("host", "> 60 s"), {});
  EXPECT_EQ(json.at("failed"), "> 60 s");
  for (const char* key : {"median", "spread", "ratio", "bandwidth", "verified"})
    EXPECT_TRUE(json.at(key).is_null()) << key;
}

TEST(Results, HintsOfTheCallAndOfTheVariant) {
  Cell cell = measured("weir", {1}, {});
  cell.variant = {.comparison = "depth", .label = "2", .x = 2, .hints = {"b=2"}, .parameters = {}, .ranks_per_node = 0};
  BenchOptions options;
  options.hints = {"a=1"};
  const auto json = cell_json(cell, options);
  EXPECT_EQ(json.at("hints"), "a=1;b=2");
  EXPECT_EQ(json.at("x"), 2);
  EXPECT_TRUE(json.at("ratio").is_null());
}

TEST(Results, TheDocumentNamesWhatIsNeededToRepeatIt) {
  BenchOptions options;
  options.command_line = "weir bench x";
  const auto document = new_document(options);
  EXPECT_EQ(document.at("schema"), "weir-bench/1");
  EXPECT_EQ(document.at("command"), "weir bench x");
  EXPECT_GE(document.at("machine").at("cores").get<int>(), 1);
  EXPECT_EQ(document.at("complete"), false);
}

TEST(Results, AreWrittenAsAWholeOrNotAtAll) {
  const std::string path = testing::TempDir() + "/results_test.json";
  EXPECT_TRUE(write_document({{"a", 1}}, path).ok());
  EXPECT_TRUE(write_document({{"a", 2}}, path).ok());
  EXPECT_EQ(nlohmann::json::parse(text_of(path)).at("a"), 2);
  std::filesystem::remove(path);
  const Status status = write_document({}, "/no/such/directory/x.json");
  EXPECT_THAT(status.text(), HasSubstr("/no/such/directory/x.json"));
}

TEST(Table, ShowsPeersBlockIoGainAndFailures) {
  const Group group{
      {measured("host", {0.008}, {0.002}), failed("romio", "> 60 s"), measured("weir", {0.004}, {0.002})}};
  const std::string text = tables({group});
  EXPECT_EQ(text,
            "\nOpen MPI 4.1.4, 4 ranks: MB/s of the calls that move data, median and spread\n"
            "workload              host   romio       weir  Block I/O  weir is  weir/Block\n"
            "coll_perf  write  500   0%  > 60 s  1000   0%       2000    2.00x        2.00\n");
}

TEST(Table, SaysHowNearPredictionsCame) {
  std::vector<Group> groups;
  for (const double predicted : {0.006, 0.00608, 0.0026}) {
    groups.push_back({{measured("host", {0.008}, {}), measured("weir", {0.004}, {})}});
    groups.back().cells.back().outcome.predicted_seconds = {predicted, predicted, 1};
  }
  groups.push_back({{measured("weir", {0.004}, {})}});
  EXPECT_EQ(tables(groups),
            "\nOpen MPI 4.1.4, 4 ranks: MB/s of the calls that move data, median and spread\n"
            "workload              host       weir  Block I/O  weir is  weir/Block  predicted/weir\n"
            "coll_perf  write  500   0%  1000   0%          -    2.00x           -            1.50\n"
            "coll_perf  write  500   0%  1000   0%          -    2.00x           -            1.52\n"
            "coll_perf  write  500   0%  1000   0%          -    2.00x           -            0.65\n"
            "coll_perf  write         -  1000   0%          -        -           -               -\n"
            "geometric mean of best peer / weir over 3 rows: 2.00\n"
            "predicted within a factor of 1.5 of measured: 1 of 3 rows\n");
}

TEST(Table, WeirMayBeTheSlowerOne) {
  const Group group{{measured("host", {0.002}, {}), measured("weir", {0.004}, {})}};
  EXPECT_DOUBLE_EQ(gain_of(group), 0.5);
  EXPECT_EQ(gain_of({{failed("host", "x"), measured("weir", {1}, {})}}), 0);
}

TEST(Table, ComparisonsAndRemarks) {
  Cell cell = measured("weir", {0.004}, {0.002});
  cell.variant.comparison = "depth";
  cell.variant.label = "2";
  cell.variant.x = 2;
  cell.outcome.note = "replaced";
  const std::string text = tables({Group{{cell}}});
  EXPECT_THAT(text, HasSubstr("coll_perf write  depth 2"));
  EXPECT_THAT(text, HasSubstr("coll_perf, depth 2: replaced"));
}

TEST(Table, WhatWasNotStartedIsLeftOut) { EXPECT_EQ(tables({Group{{cell_of(mpich(), {"weir", "weir", {}})}}}), ""); }

}  // namespace
}  // namespace weir::tool::compare
