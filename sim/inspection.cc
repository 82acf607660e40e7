#include "sim/inspection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace weir::sim {

namespace {

// A structure of fewer bytes is regular, and goes to every aggregator as it is; of a list, each gets its part.
constexpr std::int64_t kRegularBytes = 8192;
// An entry of a list.
constexpr std::int64_t kEntryBytes = 16;

}  // namespace

Micros meeting_time(const model::MachineModel& machine, int ranks, int ranks_per_node, std::int64_t bytes_of_rank) {
  const auto nodes = static_cast<unsigned>((ranks + ranks_per_node - 1) / ranks_per_node);
  const model::Network& network = machine.network;
  const auto steps = static_cast<double>(std::bit_width(nodes - 1));
  const double bytes = nodes > 1 ? static_cast<double>(ranks) * static_cast<double>(bytes_of_rank) : 0;
  return machine.memory.sleep_us + steps * (network.latency_us + network.send_us + network.receive_us) +
         (nodes > 1 ? bytes / network.link_mb_s : 0);
}

Inspection::Inspection(const Stage& stage, const plan::Plan& plan, const Traffic& traffic, bool lists)
    : stage_(stage), plan_(plan), traffic_(traffic), lists_(lists), told_(plan.aggregators.size()) {}

std::int64_t Inspection::structure_of(const Party& party) const {
  return lists_ ? party.pieces * kEntryBytes : party.structure_bytes;
}

bool Inspection::is_list(const Party& party) const {
  return lists_ || party.structure_bytes > kRegularBytes * party.ranks;
}

// O(n log k), for n entries of k lists.
Micros Inspection::merging(std::int64_t entries, int lists) const {
  return lists > 1 ? static_cast<double>(entries) * stage_.machine.memory.piece_us * std::log2(lists) : 0;
}

void Inspection::start() {
  stage_.network.set_users({.arrived = [this](std::size_t number) { stage_.network.take(number); },
                            .taken = [this](const Message& message) { hear(static_cast<std::size_t>(message.tag)); }});
  const bool merges = plan_.merging != plan::Merging::kOff;
  for (Told& told : told_) told.left = static_cast<std::int64_t>(traffic_.parties.size());
  for (const Party& party : traffic_.parties) {
    const std::int64_t entries = is_list(party) ? structure_of(party) / kEntryBytes : 0;
    stage_.events.after(merges ? merging(entries, party.ranks) : 0, [this, &party] { send(party); });
  }
}

void Inspection::send(const Party& party) {
  const auto aggregators = static_cast<std::int64_t>(plan_.aggregators.size());
  const bool list = is_list(party);
  std::int64_t bytes = structure_of(party) / (list ? aggregators : 1);
  if (plan_.merging == plan::Merging::kOn) bytes = static_cast<std::int64_t>(static_cast<double>(bytes) * party.merged);
  const std::int64_t pieces = list ? bytes / kEntryBytes : 0;
  for (std::size_t i = 0; i < plan_.aggregators.size(); ++i) {
    const int rank = plan_.aggregators[i];
    told_[i].entries += pieces;
    told_[i].parties += pieces > 0 ? 1 : 0;
    const bool own = plan_.in_memory && stage_.network.node_of(rank) == stage_.network.node_of(party.rank);
    if (own || rank == party.rank) {
      hear(i);
    } else {
      stage_.network.send({party.rank, rank, bytes, pieces, static_cast<std::int64_t>(i)});
    }
  }
}

void Inspection::hear(std::size_t aggregator) {
  const Told& told = told_[aggregator];
  if (--told_[aggregator].left > 0 || !lists_) return;
  stage_.events.after(merging(told.entries, told.parties), [] {});
}

}  // namespace weir::sim
