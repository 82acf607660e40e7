#include "explain/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/results.h"
#include "workloads/workload.h"

namespace weir::tool::explain {

namespace {

using report::Json;

bool is_collective_case(const Json& cell) {
  const std::string workload = cell.value("workload", "");
  return cell.value("peer", "") == "weir" && bench::find_workload(workload.substr(0, workload.find(':'))) != nullptr;
}

Measured measured_of(const Json& cell, const std::string& machine) {
  Measured measured;
  ExplainOptions& asked = measured.asked;
  asked.what = cell.value("workload", "");
  asked.machine = machine;
  asked.ranks = cell.value("ranks", 1);
  asked.nodes = std::max(1, cell.value("nodes", 1));
  asked.direction = cell.value("direction", "write");
  if (const auto bytes = cell.value("bytes", std::int64_t{0}); bytes > 0) asked.size = std::to_string(bytes);
  for (const std::string& hint : split(cell.value("hints", ""), ';')) {
    if (!hint.empty()) asked.hints.push_back(hint);
  }
  if (const auto median = cell.find("median"); median != cell.end() && median->is_number()) measured.seconds = *median;
  return measured;
}

}  // namespace

Result<std::vector<Measured>> measured_in(const std::string& path, const std::string& machine) {
  const auto results = report::read_results(path);
  if (!results.ok()) return results.status();
  std::vector<Measured> all;
  std::set<std::string> seen;
  for (const Json& cell : results.value().document.value("cells", Json::array())) {
    if (!is_collective_case(cell)) continue;
    const Measured measured = measured_of(cell, machine);
    const std::string key = fmt::format("{} {} {} {} {}", measured.asked.what, measured.asked.ranks,
                                        measured.asked.direction, measured.asked.size, join(measured.asked.hints, ";"));
    if (seen.insert(key).second) all.push_back(measured);
  }
  if (all.empty()) return cannot(path + ": no workload was measured under weir in there");
  return all;
}

}  // namespace weir::tool::explain
