#include "report/results.h"

#include <gmock/gmock.h>

#include <string>

namespace weir::tool::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kNothing = R"({"schema": "weir-bench/1", "cells": [], "b_eff_io": []})";
constexpr const char* kCell = R"({"workload": "w", "direction": "write", "mpi": "mpich", "peer": "weir", "ranks": 4})";

// What is said about a file with this text; empty when it is taken.
std::string complaint(const std::string& text) {
  const Result<Results> results = parse_results("r.json", text);
  return results.ok() ? "" : results.status().text();
}

// Results with these cells and this b_eff_io, each the inside of a list.
std::string results_text(const std::string& cells, const std::string& b_eff_io = "") {
  return R"({"schema": "weir-bench/1", "machine": {"host": "here"}, "cells": [)" + cells + R"(], "b_eff_io": [)" +
         b_eff_io + "]}";
}

// kCell with one more field.
std::string cell_with(const std::string& field) {
  std::string cell = kCell;
  return cell.insert(cell.size() - 1, ", " + field);
}

Results parsed(const std::string& path, const std::string& text) {
  Result<Results> results = parse_results(path, text);
  EXPECT_TRUE(results.ok()) << results.status().text();
  return std::move(results).value();
}

TEST(Results, WithoutMeasurementsAreResults) { EXPECT_EQ(complaint(kNothing), ""); }

TEST(Results, OfAnEmptyFile) {
  for (const char* text : {"", " \n\t\n"}) EXPECT_EQ(complaint(text), "r.json: is empty");
}

TEST(Results, CutOffAnywhereAreRefused) {
  const std::string whole = results_text(kCell);
  ASSERT_EQ(complaint(whole), "");
  for (std::size_t length = 1; length < whole.size(); ++length)
    EXPECT_THAT(complaint(whole.substr(0, length)), AllOf(StartsWith("r.json: "), HasSubstr("is cut off"))) << length;
}

TEST(Results, ThatAreNotJson) {
  EXPECT_THAT(complaint("<html>"), HasSubstr("is not JSON: see line 1, column 1"));
  EXPECT_THAT(complaint("{\"a\": 1,\n  ,}"), HasSubstr("is not JSON: see line 2, column 3"));
  EXPECT_THAT(complaint("{\"a\": \"\xff\"}"), HasSubstr("is not JSON"));
  EXPECT_THAT(complaint(std::string(kNothing) + "{}"), HasSubstr("is not JSON"));
  EXPECT_THAT(complaint("{\"a\": 1e999}"), HasSubstr("too large"));
}

TEST(Results, NestedWithoutEndAreRefused) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_THAT(complaint(deep), HasSubstr("nested"));
  EXPECT_THAT(complaint(results_text(cell_with("\"parameters\": {\"a\": " + deep + "}"))), HasSubstr("nested"));
}

TEST(Results, OfAnotherSchema) {
  for (const char* text : {"[]", "7", "{}", R"({"schema": 1})"})
    EXPECT_THAT(complaint(text), HasSubstr("no \"schema\""));
  EXPECT_THAT(complaint(R"({"schema": "weir-bench/2"})"), HasSubstr("weir-bench/2; this weir reads weir-bench/1"));
  EXPECT_THAT(complaint(R"({"schema": "other"})"), HasSubstr("'other', not weir-bench/1"));
}

TEST(Results, NameTheFieldThatIsWrong) {
  EXPECT_EQ(complaint(R"({"schema": "weir-bench/1", "b_eff_io": []})"), "r.json: cells is missing");
  EXPECT_EQ(complaint(R"({"schema": "weir-bench/1", "cells": {}, "b_eff_io": []})"), "r.json: cells should be a list");
  EXPECT_EQ(complaint(results_text("7")), "r.json: cells[0] should be an object");
  EXPECT_EQ(complaint(results_text("{}")), "r.json: cells[0].workload is missing");
  const auto second = [](const std::string& field) {
    return complaint(results_text(std::string(kCell) + ", " + cell_with(field)));
  };
  EXPECT_EQ(second(R"("median": "1")"), "r.json: cells[1].median should be a number");
  EXPECT_EQ(second(R"("seconds": [1, null])"), "r.json: cells[1].seconds[1] should be a number");
  EXPECT_EQ(second(R"("verified": 1)"), "r.json: cells[1].verified should be true or false");
  EXPECT_EQ(second(R"("note": 1)"), "r.json: cells[1].note should be a text");
  EXPECT_EQ(second(R"("breakdown": {"wait": []})"), "r.json: cells[1].breakdown.wait should be a number");
}

TEST(Results, NameTheFieldOfBeffioThatIsWrong) {
  const auto pattern = [](const std::string& text) {
    return complaint(results_text("", R"({"mpi": "mpich", "peer": "weir", "result": {"partitions": [{"ranks": 4,
        "methods": [{"method": "write", "types": [{"type": 0, "patterns": [)" +
                                          text + "]}]}]}]}}"));
  };
  EXPECT_EQ(pattern(R"({"chunk_bytes": 1024})"), "");
  EXPECT_EQ(pattern("{}"),
            "r.json: b_eff_io[0].result.partitions[0].methods[0].types[0].patterns[0].chunk_bytes is missing");
}

TEST(Results, MayLackOrHaveFieldsNobodyNeeds) {
  EXPECT_EQ(complaint(results_text(cell_with(R"("median": null, "breakdown": null, "new": [{}])"))), "");
}

TEST(Results, ThatCannotBeReadNameTheFile) {
  const Result<Results> results = read_results("/no/such.json");
  ASSERT_FALSE(results.ok());
  EXPECT_THAT(results.status().text(), AllOf(HasSubstr("/no/such.json"), HasSubstr("ENOENT")));
}

TEST(Merge, KeepsTheOrderAndSaysWhereACellIsFrom) {
  const Results first = parsed("a.json", results_text(cell_with(R"("note": "1")") + "," + cell_with(R"("note": "2")")));
  const Results second = parsed("b.json", results_text(cell_with(R"("note": "3")"), R"({"mpi": "m", "peer": "p"})"));
  const Json merged = merge({first, second}, "Title");
  EXPECT_EQ(merged["title"], "Title");
  ASSERT_EQ(merged["sources"].size(), 2U);
  EXPECT_EQ(merged["sources"][0]["path"], "a.json");
  EXPECT_EQ(merged["sources"][1]["path"], "b.json");
  EXPECT_EQ(merged["sources"][1]["machine"]["host"], "here");
  EXPECT_FALSE(merged["sources"][0].contains("cells"));
  ASSERT_EQ(merged["cells"].size(), 3U);
  const int sources[] = {0, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(merged["cells"][i]["note"], std::to_string(i + 1));
    EXPECT_EQ(merged["cells"][i]["source"], sources[i]);
  }
  ASSERT_EQ(merged["b_eff_io"].size(), 1U);
  EXPECT_EQ(merged["b_eff_io"][0]["source"], 1);
}

TEST(Merge, MakesATitleOfTheMachines) {
  const Results here = parsed("a.json", results_text(""));
  const Results nowhere = parsed("b.json", kNothing);
  EXPECT_EQ(merge({here, here}, "")["title"], "weir bench on here");
  EXPECT_EQ(merge({nowhere}, "")["title"], "weir bench");
}

}  // namespace
}  // namespace weir::tool::report
