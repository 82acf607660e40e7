#include "compare/listing.h"

#include <fmt/format.h>

#include "compare/hosts.h"
#include "workloads/workload.h"

namespace weir::tool::compare {

namespace {

std::string default_text(const bench::Parameter& parameter) {
  if (parameter.kind == bench::ParameterKind::kPath) return "none";
  return parameter.fallback == bench::kFromSize ? "from the size" : std::to_string(parameter.fallback);
}

void list_workloads() {
  fmt::print("Workloads (weir bench NAME, or NAME:parameter=value:...)\n");
  for (const bench::Workload& workload : bench::all_workloads()) {
    fmt::print("  {:<22} {}{}\n", workload.name, workload.text,
               workload.paper.empty() ? "" : fmt::format(" [{}]", workload.paper));
    for (const bench::Parameter& parameter : workload.parameters)
      fmt::print("    {:<20} {} (default: {})\n", parameter.name, parameter.text, default_text(parameter));
  }
  fmt::print("  {:<22} {}\n", "b_eff_io", "the effective I/O bandwidth benchmark; see --time and --release");
}

std::string summary_line(const Cell& cell) {
  if (!cell.outcome.facts.contains("result")) {
    return fmt::format("{}, {} ranks, {}: {}\n", cell.host.version, cell.ranks, cell.peer.name,
                       cell.outcome.failed.empty() ? "not run" : cell.outcome.failed);
  }
  const nlohmann::json& result = cell.outcome.facts.at("result");
  return fmt::format("{}, {} ranks, {}: b_eff_io = {:.1f} MB/s{}{}\n", cell.host.version, cell.ranks, cell.peer.name,
                     result.value("value", 0.0), result.value("comparable", false) ? "" : " (not comparable)",
                     cell.outcome.failed.empty() ? "" : ", but " + cell.outcome.failed);
}

}  // namespace

int list_all() {
  list_workloads();
  fmt::print("\nMPI-IOs (--against)\n");
  fmt::print(
      "  host     what the MPI uses by itself\n  ompio    Open MPI's OMPIO\n  romio    Open MPI's or MPICH's ROMIO\n");
  fmt::print("  weir     this library\n  blockio  the limit: each rank moves its share contiguously, no exchange\n");
  fmt::print("\nComparisons of weir's own ways (--methods, or all)\n");
  for (const Comparison& comparison : all_comparisons()) fmt::print("  {:<18} {}\n", comparison.name, comparison.text);
  return 0;
}

std::string beffio_tables(const std::vector<Group>& groups) {
  std::string text;
  std::string summary;
  for (const Group& group : groups) {
    for (const Cell& cell : group.cells) {
      if (cell.outcome.facts.contains("text")) {
        text += fmt::format("\n=== {}, {} ranks, {}\n{}", cell.host.version, cell.ranks, cell.peer.name,
                            cell.outcome.facts.at("text").get<std::string>());
      }
      summary += summary_line(cell);
    }
  }
  return text + "\n" + summary;
}

nlohmann::json beffio_json(const std::vector<Group>& groups) {
  nlohmann::json runs = nlohmann::json::array();
  for (const Group& group : groups) {
    for (const Cell& cell : group.cells) {
      if (cell.outcome.seconds.empty()) continue;
      nlohmann::json run = {{"mpi", short_name(cell.host.family)},
                            {"mpi_version", cell.host.version},
                            {"peer", cell.peer.name},
                            {"ranks", cell.ranks},
                            {"hints", ""},
                            {"failed", cell.outcome.failed},
                            {"wall_seconds", cell.outcome.seconds.back()}};
      if (cell.outcome.facts.contains("result")) run["result"] = cell.outcome.facts.at("result");
      runs.push_back(run);
    }
  }
  return runs;
}

}  // namespace weir::tool::compare
