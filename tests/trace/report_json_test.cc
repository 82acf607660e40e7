// The report for programs: what it holds, and that docs/report.md names every field.
#include "trace/report_json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "trace/made_up_report.h"

namespace weir::trace {
namespace {

using nlohmann::json;
using Fields = std::set<std::string>;

Fields fields_of(const json& object) {
  Fields fields;
  for (const auto& [key, value] : object.items()) fields.insert(key);
  return fields;
}

// The text between the first two backticks of a line.
std::string between_backticks(const std::string& line) {
  const std::size_t begin = line.find('`') + 1;
  return line.substr(begin, line.find('`', begin) - begin);
}

// The fields that the manual documents, by the kind of object.
std::map<std::string, Fields> documented() {
  std::map<std::string, Fields> all;
  std::ifstream manual(WEIR_REPORT_MANUAL);
  std::string kind;
  for (std::string line; std::getline(manual, line);) {
    if (line.starts_with("### `")) kind = between_backticks(line);
    if (line.starts_with("| `")) all[kind].insert(between_backticks(line));
  }
  return all;
}

TEST(ReportJson, HasTheFieldsThatTheManualDocuments) {
  const json file = json::parse(to_json(made_up_report()));
  const std::map<std::string, Fields> written = {
      {"document", {"weir", "files"}},
      {"file", fields_of(file)},
      {"hint", fields_of(file["hints"][0])},
      {"hint not followed", fields_of(file["hints_not_followed"][0])},
      {"counters", fields_of(file["totals"])},
      {"direction", fields_of(file["writing"])},
      {"plan", fields_of(file["writing"]["last_plan"])},
      {"call", fields_of(file["calls"][0])},
  };
  EXPECT_EQ(written, documented());
  EXPECT_EQ(fields_of(file["most_of_a_rank"]), written.at("counters"));
  EXPECT_EQ(fields_of(file["reading"]), written.at("direction"));
}

TEST(ReportJson, SaysWhatTheReportHolds) {
  const json file = json::parse(to_json(made_up_report()));
  EXPECT_EQ(file["path"], "/data/out");
  EXPECT_EQ(file["hosts"], json({"first", "second"}));
  EXPECT_EQ(file["thread_level"], "single");
  EXPECT_EQ(file["thread_level_reason"], "as asked");
  EXPECT_EQ(file["nonblocking_messages"], "move inside the host's progress");
  EXPECT_EQ(file["hints"][1], json({{"key", "striping_unit"}, {"value", "65536"}, {"in_force", false}}));
  EXPECT_EQ(file["hints_not_followed"][0]["outcome"], "unknown");
  EXPECT_EQ(file["totals"]["written_bytes"], 24);
  EXPECT_DOUBLE_EQ(file["totals"]["agree_seconds"].get<double>(), 0.172);
  EXPECT_EQ(file["totals"]["prefetch_ranges_asked"], 116);
  EXPECT_EQ(file["totals"]["prefetch_ranges_taken"], 120);
  EXPECT_EQ(file["totals"]["bounced_bytes"], 124);
  EXPECT_EQ(file["totals"]["calls_in_flight"], 160);
  EXPECT_EQ(file["totals"]["direct_bytes"], 164);
  EXPECT_EQ(file["io_replaced"], "weir_io=uring: forbidden");
  EXPECT_EQ(file["most_of_a_rank"]["written_bytes"], 7);
  EXPECT_EQ(file["writing"]["two_phase_calls"], 2);
  EXPECT_EQ(file["writing"]["reused_plans"], 1);
  EXPECT_EQ(file["last_independent_access"], "list: 3 pieces in the file");
  EXPECT_EQ(file["calls"].size(), 3U);
  EXPECT_EQ(file["calls_left_out"], 0);
}

TEST(ReportJson, OfPlans) {
  const json file = json::parse(to_json(made_up_report()));
  const json plan = file["writing"]["last_plan"];
  EXPECT_EQ(plan["method"], "two_phase");
  EXPECT_EQ(plan["aggregator_ranks"], json({0, 2}));
  EXPECT_EQ(plan["aggregator_nodes"], json({0, 1}));
  EXPECT_EQ(plan["domains"], "aligned");
  EXPECT_EQ(plan["estimated_between_nodes_bytes"], 2000);
  EXPECT_EQ(plan["estimated_in_rank_order_bytes"], 6000);
  EXPECT_EQ(plan["window_bytes"], 4096);
  EXPECT_EQ(plan["sparse"], true);
  EXPECT_EQ(plan["possible_pairs"], 6);
  EXPECT_EQ(plan["pairs_with_bytes"], 5);
  EXPECT_EQ(plan["possible_turns"], 12);
  EXPECT_EQ(plan["turns_with_bytes"], 8);
  EXPECT_EQ(plan["merging"], "on");
  EXPECT_EQ(plan["merging_reason"], "100 pieces become 10");
  EXPECT_EQ(plan["local_aggregators_reason"], "little leaves a node");
  EXPECT_EQ(plan["replaced_wishes"].size(), 1U);
  EXPECT_EQ(fields_of(file["reading"]["last_plan"]),
            (Fields{"method", "reason", "region_begin_bytes", "region_end_bytes", "asked_bytes", "pieces",
                    "active_ranks", "replaced_wishes", "predicted_seconds", "predicted_inspect_seconds",
                    "predicted_copy_seconds", "predicted_exchange_seconds", "predicted_file_seconds"}));
  EXPECT_DOUBLE_EQ(plan["predicted_seconds"].get<double>(), 0.00701);
  EXPECT_DOUBLE_EQ(plan["predicted_file_seconds"].get<double>(), 0.004);
}

TEST(ReportJson, OfCalls) {
  const json calls = json::parse(to_json(made_up_report()))["calls"];
  EXPECT_EQ(calls[0]["plan_reused"], false);
  EXPECT_EQ(calls[1]["plan_reused"], true);
  EXPECT_EQ(calls[1]["number"], 2);
  EXPECT_DOUBLE_EQ(calls[1]["total_seconds"].get<double>(), 0.010);
  EXPECT_DOUBLE_EQ(calls[1]["overlapped_seconds"].get<double>(), 0.003);
  EXPECT_DOUBLE_EQ(calls[1]["predicted_seconds"].get<double>(), 0.00701);
  EXPECT_DOUBLE_EQ(calls[1]["predicted_exchange_seconds"].get<double>(), 0.003);
  EXPECT_EQ(calls[2]["predicted_seconds"], 0);
  EXPECT_EQ(calls[2]["direction"], "read");
  EXPECT_EQ(calls[2]["failed"], true);
}

TEST(ReportJson, OfAFileThatWasOnlyOpened) {
  const json file = json::parse(to_json(FileReport()));
  EXPECT_TRUE(file["writing"]["last_plan"].is_null());
  EXPECT_TRUE(file["calls"].empty());
}

TEST(ReportJson, IsOneLineWhateverAPathHolds) {
  FileReport report;
  report.path = "line\nquote\" bad \xff byte";
  const std::string text = to_json(report);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(json::parse(text)["path"], "line\nquote\" bad \xef\xbf\xbd byte");
}

}  // namespace
}  // namespace weir::trace
