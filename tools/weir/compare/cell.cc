#include "compare/cell.h"

#include <fmt/format.h>

#include <cstring>

#include "compare/numbers.h"

namespace weir::tool::compare {

namespace {

using nlohmann::json;

void append(std::vector<double>& values, const json& result, const char* key) {
  if (!result.contains(key)) return;
  const auto more = result.at(key).get<std::vector<double>>();
  values.insert(values.end(), more.begin(), more.end());
}

void add(Outcome& outcome, const json& result) {
  append(outcome.seconds, result, "seconds");
  append(outcome.whole_seconds, result, "whole_seconds");
  append(outcome.block_seconds, result, "block_seconds");
  append(outcome.block_whole_seconds, result, "block_whole_seconds");
  outcome.bytes = result.value("bytes", std::int64_t{0});
  if (const json& verified = result.at("verified"); !verified.is_null())
    outcome.verified = verified.get<bool>() && outcome.verified.value_or(true);
  if (const std::string note = result.value("note", ""); !note.empty()) outcome.note = note;
  for (const char* key : {"nodes", "file_system", "seed", "parameters"})
    if (result.contains(key)) outcome.facts[key] = result.at(key);
}

Breakdown breakdown_of(const json& file) {
  const json& totals = file.at("totals");
  const double ranks = file.at("ranks").get<double>();
  const auto mean = [&](const char* key) { return totals.value(key, 0.0) / ranks; };
  return {.inspect = mean("inspect_seconds"),
          .copy = mean("copy_seconds"),
          .exchange = mean("exchange_seconds"),
          .file = mean("file_seconds") + mean("independent_seconds"),
          .wait = mean("wait_seconds") + mean("agree_seconds")};
}

// Of the collective calls in the direction; none where single ranks' calls, of which nothing is predicted, or calls
// that the report has left out were among them.
std::optional<double> predicted_seconds(const json& file, const std::string& direction) {
  const json& totals = file.at("totals");
  if (file.at("calls_left_out") != 0 || totals.value("independent_seconds", 0.0) > 0) return std::nullopt;
  double sum = 0;
  for (const json& call : file.at("calls")) {
    if (call.at("direction") == direction) sum += call.value("predicted_seconds", 0.0);
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

// What weir did otherwise than its hints wished.
std::string replaced_wishes(const json& file, const std::string& direction) {
  const json& plan = file.at(direction == "write" ? "writing" : "reading").at("last_plan");
  std::string text;
  if (plan.is_null() || !plan.contains("replaced_wishes")) return text;
  for (const json& wish : plan.at("replaced_wishes"))
    text += (text.empty() ? "" : "; ") + (wish.is_string() ? wish.get<std::string>() : wish.dump());
  return text;
}

}  // namespace

std::optional<double> predicted_of_measured(const Outcome& outcome) {
  if (!outcome.usable() || outcome.predicted_seconds.empty()) return std::nullopt;
  return median(outcome.predicted_seconds) / median(outcome.seconds);
}

std::string spec_of(const Cell& cell) {
  std::string spec = cell.workload;
  for (const std::string& parameter : cell.variant.parameters) spec += ":" + parameter;
  return spec;
}

std::string label_of(const Cell& cell) {
  if (cell.variant.comparison.empty()) return cell.peer.name;
  return fmt::format("{} {}", cell.variant.comparison, cell.variant.label);
}

bool add_result(Outcome& outcome, const std::string& text) {
  try {
    add(outcome, json::parse(text));
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

void add_breakdown(Outcome& outcome, const std::string& report, int warmups, const std::string& direction) {
  try {
    const json document = json::parse(report);
    int repeat = 0;
    for (const json& file : document.at("files")) {
      if (!file.at("path").get<std::string>().ends_with("/subject") || repeat++ < warmups) continue;
      outcome.breakdowns.push_back(breakdown_of(file));
      if (const auto predicted = predicted_seconds(file, direction)) outcome.predicted_seconds.push_back(*predicted);
      if (outcome.note.empty()) outcome.note = replaced_wishes(file, direction);
    }
  } catch (const json::exception&) {
    outcome.breakdowns.clear();
    outcome.predicted_seconds.clear();
  }
}

std::string failure_of(const JobEnd& end, int timeout_seconds, const std::string& complaint) {
  switch (end.kind) {
    case JobEnd::Kind::kTimedOut: return fmt::format("> {} s", timeout_seconds);
    case JobEnd::Kind::kStopped: return "stopped";
    case JobEnd::Kind::kNotStarted: return "could not be started";
    case JobEnd::Kind::kSignalled: return fmt::format("ended by signal {} ({})", end.code, strsignal(end.code));
    case JobEnd::Kind::kExited: break;
  }
  if (end.code == 0) return "";
  // Launchers hand a rank's signal on as 128 + number.
  if (end.code > 128 && end.code < 128 + 32)
    return fmt::format("ended by signal {} ({})", end.code - 128, strsignal(end.code - 128));
  return complaint.empty() ? fmt::format("failed with exit code {}", end.code) : complaint;
}

std::string complaint_in(const std::string& errors) {
  const Words lines = split(errors, '\n');
  for (const char* program : {"workloads: ", "replay: ", "b_eff_io: "}) {
    for (const std::string& line : lines)
      if (line.starts_with(program)) return line.substr(std::strlen(program));
  }
  // Open MPI's own messages stand between lines of dashes.
  bool in_block = false;
  for (const std::string& line : lines) {
    const bool border = line.starts_with("----");
    in_block = border != in_block;
    if (!border && !in_block) return line;
  }
  return "";
}

}  // namespace weir::tool::compare
