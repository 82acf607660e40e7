#include "compare/programs.h"

#include <fmt/format.h>

#include <filesystem>

#include "compare/replay.h"
#include "data_file.h"

namespace weir::tool::compare {

namespace {

constexpr int kWrongData = 1;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

std::string first_object_in(const std::string& output) {
  for (const std::string& line : split(output, '\n'))
    if (line.starts_with("{")) return line;
  return "";
}

std::string complaint_of(const Places& places) { return complaint_in(text_of(places.private_directory + "/errors")); }

// `repeats` spread over `rounds`.
int repeats_per_start(const BenchOptions& options) { return (options.repeats + options.rounds - 1) / options.rounds; }

// What the programs that measure something have in common.
Words measuring_arguments(const Cell& cell, const BenchOptions& options, const Places& places) {
  Words hints = options.hints;
  append(hints, cell.variant.hints);
  Words words = {"--repeats", std::to_string(repeats_per_start(options)),
                 "--warmups", std::to_string(options.warmups),
                 "--seconds", fmt::format("{:g}", options.timeout / 2.0),
                 "--dir",     places.data,
                 "--verify",  options.verify ? "yes" : "no"};
  if (!hints.empty()) append(words, {"--hints", join(hints, ";")});
  return words;
}

Words workload_arguments(const Cell& cell, const BenchOptions& options, const Places& places) {
  Words words = {"--workload",  spec_of(cell),
                 "--direction", cell.direction,
                 "--size",      std::to_string(cell.bytes),
                 "--block",     options.block ? "yes" : "no"};
  append(words, measuring_arguments(cell, options, places));
  return words;
}

Words replay_arguments(const Cell& cell, const BenchOptions& options, const Places& places) {
  Words words = {"--capture", std::filesystem::absolute(captured_file(cell.workload)).string()};
  append(words, measuring_arguments(cell, options, places));
  return words;
}

void collect_workload(Cell& cell, const JobEnd& end, const BenchOptions& options, const Places& places) {
  Outcome& outcome = cell.outcome;
  const bool has_result = add_result(outcome, first_object_in(text_of(places.private_directory + "/output")));
  const bool judged = end.kind == JobEnd::Kind::kExited && end.code <= kWrongData;
  if (outcome.verified == false) {
    outcome.failed = "wrong data";
  } else if (!judged) {
    outcome.failed = failure_of(end, options.timeout, complaint_of(places));
  } else if (!has_result) {
    outcome.failed = "no result";
  }
  if (cell.peer.name == "weir")
    add_breakdown(outcome, text_of(places.private_directory + "/report.json"), options.warmups, cell.direction);
}

std::vector<Variable> report_variables(const Cell& cell, const Places& places) {
  if (cell.peer.name != "weir") return {};
  return {{"WEIR_REPORT", places.private_directory + "/report.json", '\0', ""}};
}

// What a set of hints is measured with: the paper's tables have all rewrites of one partition.
Words hint_set_arguments(const Cell& cell) {
  return {"--partitions",  std::to_string(cell.ranks),
          "--rewrite-all", "yes",
          "--hints",       find_data_file(own_directory(), cell.variant.hints_file)};
}

Words beffio_arguments(const Cell& cell, const BenchOptions& options, const Places& places) {
  Words words = {"--release", options.release, "--time", fmt::format("{:g}", options.time),
                 "--dir",     places.data,     "--json", places.private_directory + "/result.json"};
  if (!cell.variant.hints_file.empty()) append(words, hint_set_arguments(cell));
  append(words, split(options.beffio_words, ' '));
  if (!options.hints_file.empty())
    words.insert(words.end(), {"--hints", std::filesystem::absolute(options.hints_file).string()});
  return words;
}

void collect_beffio(Cell& cell, const JobEnd& end, int timeout_seconds, const Places& places) {
  Outcome& outcome = cell.outcome;
  outcome.failed = failure_of(end, timeout_seconds, complaint_of(places));
  outcome.facts["text"] = text_of(places.private_directory + "/output");
  const auto result = nlohmann::json::parse(text_of(places.private_directory + "/result.json"), nullptr, false);
  if (!result.is_discarded()) outcome.facts["result"] = result;
  if (result.is_discarded() && outcome.failed.empty()) outcome.failed = "no result";
  outcome.seconds.push_back(end.seconds);
}

void collect_user_program(Cell& cell, const JobEnd& end, const BenchOptions& options, const Places& places) {
  cell.outcome.failed = failure_of(end, options.timeout, complaint_of(places));
  if (cell.outcome.failed.empty()) cell.outcome.seconds.push_back(end.seconds);
}

}  // namespace

int beffio_timeout(const BenchOptions& options) { return static_cast<int>(5 * options.time) + 120; }

CellProgram workload_program(const BenchOptions& options, const StartOptions& start, const Places& places) {
  return {.command =
              [&](const Cell& cell) {
                return own_command(cell, "workloads", workload_arguments(cell, options, places), start);
              },
          .variables = [&](const Cell& cell) { return report_variables(cell, places); },
          .collect = [&](Cell& cell, const JobEnd& end) { collect_workload(cell, end, options, places); }};
}

CellProgram replay_program(const BenchOptions& options, const StartOptions& start, const Places& places) {
  return {
      .command =
          [&](const Cell& cell) { return own_command(cell, "replay", replay_arguments(cell, options, places), start); },
      .variables = [](const Cell&) { return std::vector<Variable>(); },
      .collect = [&](Cell& cell, const JobEnd& end) { collect_workload(cell, end, options, places); }};
}

CellProgram beffio_program(const BenchOptions& options, const StartOptions& start, const Places& places) {
  return {
      .command =
          [&](const Cell& cell) {
            return own_command(cell, "b_eff_io", beffio_arguments(cell, options, places), start);
          },
      .variables = [](const Cell&) { return std::vector<Variable>(); },
      .collect = [&](Cell& cell, const JobEnd& end) { collect_beffio(cell, end, beffio_timeout(options), places); }};
}

CellProgram user_program(const Command& command, const BenchOptions& options, const Places& places) {
  return {.command = [&](const Cell&) -> Result<Command> { return command; },
          .variables = [&](const Cell& cell) -> std::vector<Variable> {
            if (cell.peer.name != "weir" || options.hints.empty()) return {};
            return {{"WEIR_HINTS", join(options.hints, ";"), ';', environment("WEIR_HINTS")}};
          },
          .collect = [&](Cell& cell, const JobEnd& end) { collect_user_program(cell, end, options, places); }};
}

}  // namespace weir::tool::compare
