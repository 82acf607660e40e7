#include "explain/place.h"

#include <fmt/format.h>

#include <utility>

#include "driver/machine_file.h"

namespace weir::tool::explain {

namespace {

constexpr int kDefaultRanks = 4;

// The machine asked for; else the one that the library would take; else the local one that comes with weir.
Result<model::ModelFile> find_machine(const std::string& asked) {
  if (!asked.empty()) return driver::find_model(asked);
  auto chosen = driver::chosen_model();
  if (!chosen.ok()) return chosen.status();
  return chosen.value().has_value() ? *std::move(chosen).value() : model::shipped_model("local");
}

}  // namespace

Result<Place> find_place(const ExplainOptions& options) {
  if (options.ranks < 0 || options.nodes < 0) return cannot("--ranks and --nodes have to be at least 1");
  auto file = find_machine(options.machine);
  if (!file.ok()) return file.status();
  const model::MachineModel& machine = file.value().machine;
  const int per_node = options.machine.empty() && options.nodes <= 1 ? 0 : machine.nodes.ranks_per_node;
  const int ranks = options.ranks > 0 ? options.ranks : options.nodes > 0 ? options.nodes * per_node : kDefaultRanks;
  const int nodes = options.nodes > 0 ? options.nodes : per_node > 0 ? (ranks + per_node - 1) / per_node : 1;
  if (ranks % nodes != 0) {
    return cannot(fmt::format("--ranks {} --nodes {}: nodes have equally many ranks; {} or {} ranks would do", ranks,
                              nodes, ranks / nodes * nodes, (ranks / nodes + 1) * nodes));
  }
  if (!options.machine.empty() && nodes > machine.nodes.count) {
    return cannot(fmt::format("--nodes {}: {} has {}", nodes, file.value().name, machine.nodes.count));
  }
  Place place{fmt::format("machine {}", file.value().name), plan::Machine::evenly(ranks, ranks / nodes), {}, machine};
  place.machine.cores_per_node = machine.nodes.cores_per_node;
  place.storage = {machine.storage.block_bytes, machine.storage.servers, machine.locks.protocol,
                   machine.storage.behind_network || nodes > 1};
  return place;
}

}  // namespace weir::tool::explain
