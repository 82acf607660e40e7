#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compare/cell.h"

namespace weir::tool::compare {
namespace {

using testing::ElementsAre;

constexpr const char* kResult =
    R"({"seconds": [1, 2], "whole_seconds": [3], "block_seconds": [4], "block_whole_seconds": [5], "bytes": 7,)"
    R"( "verified": true, "note": "", "nodes": 2, "file_system": "tmpfs", "seed": 20, "parameters": {"side": 3}})";

TEST(Outcome, StartsAddUp) {
  Outcome outcome;
  EXPECT_TRUE(add_result(outcome, kResult));
  EXPECT_TRUE(add_result(outcome, kResult));
  EXPECT_THAT(outcome.seconds, ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(outcome.block_whole_seconds, ElementsAre(5, 5));
  EXPECT_EQ(outcome.bytes, 7);
  EXPECT_EQ(outcome.verified, true);
  EXPECT_EQ(outcome.facts.at("parameters").at("side"), 3);
}

TEST(Outcome, OneWrongStartIsEnough) {
  Outcome outcome;
  EXPECT_TRUE(add_result(outcome, R"({"verified": false})"));
  EXPECT_TRUE(add_result(outcome, R"({"verified": true})"));
  EXPECT_EQ(outcome.verified, false);
}

TEST(Outcome, WithoutVerificationNothingIsKnown) {
  Outcome outcome;
  EXPECT_TRUE(add_result(outcome, R"({"verified": null})"));
  EXPECT_EQ(outcome.verified, std::nullopt);
}

TEST(Outcome, WhatIsNoResultIsTold) {
  for (const char* text : {"", "{", "[]", "3", R"({"seconds": "long", "verified": null})"}) {
    Outcome outcome;
    EXPECT_FALSE(add_result(outcome, text)) << text;
  }
}

std::string report_file(const char* path, double file_seconds, const char* wish) {
  return std::string(R"({"path": ")") + path + R"(", "ranks": 2, "totals": {"file_seconds": )" +
         std::to_string(file_seconds) +
         R"(, "agree_seconds": 1, "wait_seconds": 3, "copy_seconds": 8}, "calls_left_out": 0, "calls": [],)" +
         R"( "reading": {"last_plan": null}, "writing": {"last_plan": {"replaced_wishes": [")" + wish + R"("]}}})";
}

TEST(Breakdown, MeanOfTheRanksForEveryTimedRepeat) {
  const std::string report = R"({"files": [)" + report_file("/d/subject", 100, "") + "," +
                             report_file("/d/block", 100, "") + "," + report_file("/d/subject", 4, "even instead") +
                             "]}";
  Outcome outcome;
  add_breakdown(outcome, report, 1, "write");
  ASSERT_EQ(outcome.breakdowns.size(), 1u);
  EXPECT_EQ(outcome.breakdowns[0].file, 2);
  EXPECT_EQ(outcome.breakdowns[0].wait, 2);
  EXPECT_EQ(outcome.breakdowns[0].copy, 4);
  EXPECT_EQ(outcome.note, "even instead");
}

// A report of one file with these calls.
std::string report_of_calls(const std::string& calls, int left_out, double independent_seconds) {
  return R"({"files": [{"path": "/d/subject", "ranks": 2, "totals": {"independent_seconds": )" +
         std::to_string(independent_seconds) + R"(}, "reading": {"last_plan": null}, "writing": {"last_plan": null},)" +
         R"( "calls_left_out": )" + std::to_string(left_out) + R"(, "calls": [)" + calls + "]}]}";
}

TEST(Prediction, IsTheSumOfTheCallsInTheDirection) {
  const std::string calls = R"({"direction": "write", "predicted_seconds": 2}, {"direction": "read",)"
                            R"( "predicted_seconds": 5}, {"direction": "write", "predicted_seconds": 1})";
  Outcome outcome;
  outcome.seconds = {6};
  add_breakdown(outcome, report_of_calls(calls, 0, 0), 0, "write");
  EXPECT_THAT(outcome.predicted_seconds, ElementsAre(3));
  EXPECT_EQ(predicted_of_measured(outcome), 0.5);
}

TEST(Prediction, IsNoneOfCallsThatAreNotAllPredicted) {
  const std::string call = R"({"direction": "write", "predicted_seconds": 2})";
  Outcome outcome;
  outcome.seconds = {6};
  add_breakdown(outcome, report_of_calls(call, 1, 0), 0, "write");
  add_breakdown(outcome, report_of_calls(call, 0, 0.1), 0, "write");
  add_breakdown(outcome, report_of_calls(call, 0, 0), 0, "read");
  EXPECT_EQ(outcome.breakdowns.size(), 3U);
  EXPECT_THAT(outcome.predicted_seconds, ElementsAre());
  EXPECT_EQ(predicted_of_measured(outcome), std::nullopt);
}

TEST(Breakdown, ABrokenReportIsNoFailure) {
  Outcome outcome;
  add_breakdown(outcome, R"({"files": [{"path": 3}]})", 0, "write");
  add_breakdown(outcome, "", 0, "write");
  EXPECT_TRUE(outcome.breakdowns.empty());
  EXPECT_TRUE(outcome.failed.empty());
}

TEST(Failure, IsToldInOneLine) {
  using Kind = JobEnd::Kind;
  EXPECT_EQ(failure_of({.kind = Kind::kExited, .code = 0}, 60, "x"), "");
  EXPECT_EQ(failure_of({.kind = Kind::kExited, .code = 3}, 60, "no space"), "no space");
  EXPECT_EQ(failure_of({.kind = Kind::kExited, .code = 3}, 60, ""), "failed with exit code 3");
  EXPECT_EQ(failure_of({.kind = Kind::kTimedOut, .code = 0}, 60, "x"), "> 60 s");
  EXPECT_EQ(failure_of({.kind = Kind::kExited, .code = 139}, 60, "x"), "ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(failure_of({.kind = Kind::kSignalled, .code = 9}, 60, "x"), "ended by signal 9 (Killed)");
}

TEST(Failure, TheComplaintIsTheProgramsOwn) {
  EXPECT_EQ(complaint_in(""), "");
  EXPECT_EQ(complaint_in("first\nsecond\n"), "first");
  EXPECT_EQ(complaint_in("----\nMPI_ABORT was invoked\n----\nno luck\n"), "no luck");
  EXPECT_EQ(complaint_in("noise\nworkloads: disk full\n"), "disk full");
}

}  // namespace
}  // namespace weir::tool::compare
