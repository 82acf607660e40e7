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

Inspection::Inspection(const Stage& stage, const plan::Plan& plan, const Traffic& traffic)
    : stage_(stage), plan_(plan), traffic_(traffic) {}

void Inspection::start() {
  stage_.network.set_users({.arrived = [this](std::size_t number) { stage_.network.take(number); },
                            .taken = [this](const Message&) { --left_; }});
  const bool merges = plan_.merging != plan::Merging::kOff;
  for (const Party& party : traffic_.parties) {
    const bool list = party.structure_bytes > kRegularBytes * party.ranks;
    const std::int64_t entry_count = list ? party.structure_bytes / kEntryBytes : 0;
    const auto entries = static_cast<double>(entry_count);
    const Micros merging = merges && party.ranks > 1
                               ? entries * stage_.machine.memory.piece_us * std::log2(static_cast<double>(party.ranks))
                               : 0;
    stage_.events.after(merging, [this, &party] { send(party); });
    left_ += static_cast<std::int64_t>(plan_.aggregators.size());
  }
}

void Inspection::send(const Party& party) {
  const auto aggregators = static_cast<std::int64_t>(plan_.aggregators.size());
  const bool list = party.structure_bytes > kRegularBytes * party.ranks;
  std::int64_t bytes = party.structure_bytes / (list ? aggregators : 1);
  if (plan_.merging == plan::Merging::kOn) bytes = static_cast<std::int64_t>(static_cast<double>(bytes) * party.merged);
  const std::int64_t pieces = list ? bytes / kEntryBytes : 0;
  for (const int aggregator : plan_.aggregators) {
    const bool own = plan_.in_memory && stage_.network.node_of(aggregator) == stage_.network.node_of(party.rank);
    if (own || aggregator == party.rank) {
      --left_;
    } else {
      stage_.network.send({party.rank, aggregator, bytes, pieces, 0});
    }
  }
}

}  // namespace weir::sim
