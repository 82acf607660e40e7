#include "compare/results.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

#include "compare/numbers.h"
#include "weir/version.h"
#include "whole_file.h"

namespace weir::tool::compare {

namespace {

using nlohmann::json;

std::string processor() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

json machine() {
  utsname system{};
  uname(&system);
  return {{"host", system.nodename},
          {"cpu", processor()},
          {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"memory_bytes", std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE)},
          {"kernel", system.release}};
}

// Null for an empty list.
json median_or_null(const std::vector<double>& values) { return values.empty() ? json(nullptr) : json(median(values)); }

json breakdown_json(const std::vector<Breakdown>& repeats) {
  if (repeats.empty()) return nullptr;
  Breakdown sum;
  for (const Breakdown& one : repeats) {
    sum.inspect += one.inspect;
    sum.copy += one.copy;
    sum.exchange += one.exchange;
    sum.file += one.file;
    sum.wait += one.wait;
  }
  const auto count = static_cast<double>(repeats.size());
  return {{"inspect", sum.inspect / count},
          {"copy", sum.copy / count},
          {"exchange", sum.exchange / count},
          {"file", sum.file / count},
          {"wait", sum.wait / count}};
}

// What follows from the times.
void add_derived(json& cell, const Outcome& outcome) {
  const bool measured = !outcome.seconds.empty();
  cell["median"] = median_or_null(outcome.seconds);
  cell["spread"] = measured ? json(spread(outcome.seconds)) : json(nullptr);
  cell["block_median"] = median_or_null(outcome.block_seconds);
  cell["ratio"] = nullptr;
  cell["bandwidth"] = nullptr;
  const std::optional<double> predicted = predicted_of_measured(outcome);
  cell["predicted_of_measured"] = predicted ? json(*predicted) : json(nullptr);
  if (!measured) return;
  const double seconds = median(outcome.seconds);
  if (!outcome.block_seconds.empty()) cell["ratio"] = seconds / median(outcome.block_seconds);
  if (outcome.bytes > 0) cell["bandwidth"] = static_cast<double>(outcome.bytes) / seconds / 1e6;
}

Words all_hints(const Cell& cell, const BenchOptions& options) {
  Words hints = options.hints;
  hints.insert(hints.end(), cell.variant.hints.begin(), cell.variant.hints.end());
  return hints;
}

}  // namespace

json new_document(const BenchOptions& options) {
  return {{"schema", "weir-bench/1"},
          {"command", options.command_line},
          {"created", time_now()},
          {"weir", WEIR_VERSION},
          {"machine", machine()},
          {"options",
           {{"size", options.size},
            {"repeats", options.repeats},
            {"rounds", options.rounds},
            {"warmups", options.warmups},
            {"timeout_seconds", options.timeout},
            {"verify", options.verify},
            {"launcher", options.launcher_words},
            {"keep_spinning", options.keep_spinning}}},
          {"complete", false},
          {"cells", json::array()},
          {"b_eff_io", json::array()}};
}

json cell_json(const Cell& cell, const BenchOptions& options) {
  const Outcome& outcome = cell.outcome;
  json object = {{"workload", cell.workload},
                 {"direction", cell.direction},
                 {"mpi", short_name(cell.host.family)},
                 {"mpi_version", cell.host.version},
                 {"peer", cell.peer.name},
                 {"comparison", cell.variant.comparison},
                 {"variant", cell.variant.label},
                 {"x", cell.variant.x ? json(*cell.variant.x) : json(nullptr)},
                 {"hints", join(all_hints(cell, options), ";")},
                 {"ranks", cell.ranks},
                 {"directory", options.directory},
                 {"bytes", outcome.bytes},
                 {"seconds", outcome.seconds},
                 {"whole_seconds", outcome.whole_seconds},
                 {"block_seconds", outcome.block_seconds},
                 {"block_whole_seconds", outcome.block_whole_seconds},
                 {"verified", outcome.verified ? json(*outcome.verified) : json(nullptr)},
                 {"failed", outcome.failed},
                 {"note", outcome.note},
                 {"breakdown", breakdown_json(outcome.breakdowns)},
                 {"predicted_seconds", outcome.predicted_seconds}};
  object.update(outcome.facts);
  const int nodes = outcome.facts.value("nodes", 1);
  object["ranks_per_node"] =
      cell.variant.ranks_per_node > 0 ? cell.variant.ranks_per_node : (cell.ranks + nodes - 1) / nodes;
  add_derived(object, outcome);
  return object;
}

Status write_document(const json& document, const std::string& path) {
  return replace_file(path, document.dump(1) + "\n");
}

}  // namespace weir::tool::compare
