#include "compare/beffio.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/groups.h"
#include "compare/hint_sets.h"

namespace weir::tool::compare {

namespace {

Result<std::vector<Variant>> variants_wanted(const BenchOptions& options) {
  std::vector<Variant> variants;
  for (const std::string& name : options.methods) {
    if (name != "shipping" && name != "all")
      return cannot(fmt::format("--methods {}: b_eff_io is compared by shipping only", name));
    variants = hint_sets();
  }
  if (!variants.empty() && !options.hints_file.empty())
    return cannot("--hints-file and --methods shipping both say which hints b_eff_io has");
  return variants;
}

std::string name_of(const Cell& cell) {
  return fmt::format("{}, {} ranks, {}{}", cell.host.version, cell.ranks, cell.peer.name,
                     cell.variant.label.empty() ? "" : fmt::format(", hints {}", cell.variant.label));
}

std::string summary_line(const Cell& cell) {
  if (!cell.outcome.facts.contains("result"))
    return fmt::format("{}: {}\n", name_of(cell), cell.outcome.failed.empty() ? "not run" : cell.outcome.failed);
  const nlohmann::json& result = cell.outcome.facts.at("result");
  return fmt::format("{}: b_eff_io = {:.1f} MB/s{}{}\n", name_of(cell), result.value("value", 0.0),
                     result.value("comparable", false) ? "" : " (not comparable)",
                     cell.outcome.failed.empty() ? "" : ", but " + cell.outcome.failed);
}

}  // namespace

Result<std::vector<Group>> beffio_groups(const BenchOptions& options, const std::vector<Host>& hosts, Words& left_out) {
  Words names = peers_wanted(options).value();
  std::erase(names, "blockio");
  const auto variants = variants_wanted(options);
  if (!variants.ok()) return variants.status();
  std::vector<Group> groups;
  for (const Host& host : hosts) {
    Words ignored;
    const Peer weir = peers_of(host, {"weir"}, ignored).front();
    for (const int ranks : options.ranks) {
      Group group;
      const auto add = [&](const Peer& peer, const Variant& variant) {
        group.cells.push_back(
            {.workload = kBeffio, .direction = "", .host = host, .peer = peer, .variant = variant, .ranks = ranks});
      };
      for (const Peer& peer : peers_of(host, names, left_out)) add(peer, {});
      for (const Variant& variant : variants.value()) add(weir, variant);
      if (!group.cells.empty()) groups.push_back(std::move(group));
    }
  }
  return groups;
}

std::string beffio_tables(const std::vector<Group>& groups) {
  std::string text;
  std::string summary;
  for (const Group& group : groups) {
    for (const Cell& cell : group.cells) {
      if (cell.outcome.facts.contains("text"))
        text += fmt::format("\n=== {}\n{}", name_of(cell), cell.outcome.facts.at("text").get<std::string>());
      summary += summary_line(cell);
    }
  }
  for (const Group& group : groups) summary += hint_set_tables(group);
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
                            {"hints", cell.variant.label},
                            {"failed", cell.outcome.failed},
                            {"wall_seconds", cell.outcome.seconds.back()}};
      if (cell.outcome.facts.contains("result")) run["result"] = cell.outcome.facts.at("result");
      runs.push_back(run);
    }
  }
  return runs;
}

}  // namespace weir::tool::compare
