#include "plan/cost.h"

#include <algorithm>
#include <cmath>

#include "model/built_in.h"
#include "plan/thresholds.h"

namespace weir::plan {

namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

// Writers of one file take turns in a local file system; readers do not, nor clients of servers.
double parallel_calls(const Facts& facts, int callers) {
  if (facts.storage.network) return std::max(callers, 1);
  if (facts.direction == Direction::kWrite) return 1;
  return std::clamp(callers, 1, facts.machine.cores_per_node);
}

// What a call waits for: the system, and behind a network a server.
double call_cost(const model::Storage& storage) {
  return storage.call_us + (storage.behind_network ? storage.latency_us + storage.request_us : 0);
}

// Bytes a microsecond between all callers and the file.
double file_rate(const Facts& facts, const model::Storage& storage, int callers) {
  if (!storage.behind_network) return storage.cache_mb_s * parallel_calls(facts, callers);
  const int clients = std::clamp(callers, 1, facts.machine.nodes());
  return std::min({storage.cache_mb_s * std::max(callers, 1), storage.client_mb_s * clients,
                   storage.server_mb_s * storage.servers});
}

double holes_of(const Totals& totals) { return std::max(number(totals.region.bytes() - totals.bytes), 0.0); }

double blocks_of(const Facts& facts, const Totals& totals) {
  return std::ceil(number(totals.region.bytes()) / number(facts.storage.lock_bytes));
}

bool is_cyclic(DomainKind kind) { return kind == DomainKind::kStaticCyclic || kind == DomainKind::kGroupCyclic; }

double inspection(const Facts& facts, const model::MachineModel& machine) {
  const int nodes = facts.machine.nodes();
  const double digits = std::ceil(std::log2(number(nodes)));
  const double between =
      2 * digits * (machine.network.latency_us + machine.network.send_us + machine.network.receive_us);
  return 2 * machine.memory.sleep_us + between;
}

// A core that writes a local file, one call at a time, leaves the others of its node to copy meanwhile; not where holes
// have to be found first.
bool copies_beside_file(const Facts& facts, const Totals& totals) {
  const bool writes_alone = !facts.storage.network && facts.direction == Direction::kWrite && holes_of(totals) == 0;
  return writes_alone && facts.machine.nodes() == 1 && facts.machine.cores_per_node > 1;
}

// Several rounds are under way at once where the file is behind a network, or one core is left to it: all but one of
// them overlap. Readers of a local file need all cores for both.
double overlap_of(const Facts& facts, const Totals& totals, double rounds) {
  const bool beside = facts.storage.network || copies_beside_file(facts, totals);
  return beside && facts.wishes.depth.value_or(2) > 1 ? 1 - 1 / rounds : 0;
}

double copying(const Facts& facts, const model::Memory& memory, const Totals& totals, double rounds) {
  const double nodes = facts.machine.nodes();
  const double at_file = copies_beside_file(facts, totals) ? 1 : 0;
  const double cores = std::clamp<double>(totals.active_ranks, 1, facts.machine.cores_per_node * nodes - at_file);
  const double cores_of_node = std::max(cores / nodes, 1.0);
  const double rate = std::min(memory.copy_mb_s * cores, memory.node_copy_mb_s * nodes);
  const double wakes = rounds * facts.machine.ranks() / nodes / cores_of_node;
  return number(totals.bytes) / rate + number(totals.pieces) * memory.piece_us / cores + wakes * memory.sleep_us;
}

// Messages go from local aggregators to aggregators in every round; those that come while others wait cost more.
double exchanging(const Facts& facts, const model::Network& network, const Totals& totals, const TwoPhaseShape& shape,
                  double rounds) {
  const double nodes = facts.machine.nodes();
  if (nodes < 2) return 0;
  const double senders =
      facts.machine.shares_memory() ? nodes * shape.local_aggregators : number(facts.machine.ranks());
  const double receivers = std::min<double>(shape.aggregators, nodes);
  const double cores = std::ceil(shape.aggregators / receivers);
  const double shipped = number(totals.bytes) * (nodes - 1) / nodes;
  const double rate = receivers * std::min(network.link_mb_s, network.core_mb_s * cores);
  const double receive = senders * (network.receive_us + network.waiting_us * senders / 2);
  return shipped / rate + rounds * (network.latency_us + receive);
}

// Each server locks its own stripes. Of contiguous domains every aggregator comes to every server, each takes part of
// the lock that the one before was given; where they are many, the server goes from one to the other. Of cyclic ones
// each keeps to its servers; where several share a server, stripes that lie in turn are taken away again and again.
double server_locks(const Facts& facts, const model::MachineModel& machine, const Totals& totals,
                    const TwoPhaseShape& shape) {
  const double servers = facts.storage.servers;
  const double stripes = blocks_of(facts, totals) / servers;  // of a server
  const double sharing = shape.aggregators / servers;         // aggregators of a server, where they are cyclic
  const model::Locks& locks = machine.locks;
  if (is_cyclic(shape.domains) && sharing <= 1) return locks.grant_us;
  if (shape.domains == DomainKind::kStaticCyclic) return locks.grant_us + stripes * locks.revoke_us;
  const bool grouped = shape.domains == DomainKind::kGroupCyclic;
  const double clients = std::max(grouped ? sharing : std::min<double>(shape.aggregators, stripes), 1.0);
  const double seeks = clients > kStreamsOfServer ? stripes * (1 - 1 / clients) : 0;
  return clients * locks.grant_us + (clients - 1) * locks.revoke_us + seeks * machine.storage.seek_us;
}

// One manager splits the file between those who ask; holders split their parts in turn. Blocks that lie in turn have to
// be asked for one by one.
double tokens(const Facts& facts, const model::MachineModel& machine, const Totals& totals,
              const TwoPhaseShape& shape) {
  const double blocks = blocks_of(facts, totals);
  const double parts = std::min<double>(shape.aggregators, blocks);
  const double in_turn = is_cyclic(shape.domains) ? blocks : 0;
  return (parts + in_turn) * machine.locks.grant_us +
         (std::log2(parts) + in_turn / shape.aggregators) * machine.locks.revoke_us;
}

// Even domains end inside blocks: two aggregators write each of these. Under tokens the second reads the block first,
// behind all that is on its way to the servers.
double shared_blocks(const Facts& facts, const model::MachineModel& machine, const Totals& totals, int aggregators) {
  const model::Storage& storage = machine.storage;
  const double turns = std::ceil(2.0 * (aggregators - 1) / storage.servers);
  const double block = number(facts.storage.lock_bytes) / storage.server_mb_s;
  const double each = turns * (call_cost(storage) + machine.locks.revoke_us + block);
  if (facts.storage.protocol != LockProtocol::kToken || aggregators < 2) return each;
  const double kept_back = number(storage.dirty_bytes) * storage.servers * facts.machine.nodes();
  return each + std::min(number(totals.bytes), kept_back) / (storage.server_mb_s * storage.servers);
}

// Ranks that write large pieces of their own, side by side in the file. Servers' locks are held from the first stripe
// of a call to its end, by one call at a time where calls come to the same servers, and given up with what was written.
// Tokens are split between the ranks, as between aggregators whose domains end where pieces do.
double locks_of_ranks(const Facts& facts, const model::MachineModel& machine, const Totals& totals) {
  const bool none = facts.direction == Direction::kRead || !facts.storage.network || totals.interleaved;
  if (none || facts.machine.nodes() < 2) return 0;
  const double piece = number(totals.bytes) / std::max(number(totals.pieces), 1.0);
  if (facts.storage.protocol == LockProtocol::kServer) {
    const double servers = facts.storage.servers;
    const double of_call = std::clamp(std::ceil(piece / number(facts.storage.lock_bytes)), 1.0, servers);
    const double beside = std::min<double>(std::floor(servers / of_call), facts.machine.nodes());
    return number(totals.pieces) / beside * (machine.locks.revoke_us + piece / machine.storage.client_mb_s);
  }
  if (facts.storage.protocol != LockProtocol::kToken) return 0;
  const bool whole_blocks = totals.bytes % (totals.pieces * facts.storage.lock_bytes) == 0;
  const double boundaries = whole_blocks ? 0 : shared_blocks(facts, machine, totals, totals.active_ranks);
  return boundaries + tokens(facts, machine, totals, {DomainKind::kAligned, totals.active_ranks});
}

// Reading ahead brings blocks of others where domains are cyclic, and none of one's own.
double lost_read_ahead(const Facts& facts, const model::MachineModel& machine, const Totals& totals,
                       const TwoPhaseShape& shape) {
  const double ahead = std::min(number(machine.storage.read_ahead_bytes), number(facts.storage.lock_bytes));
  const double rounds = number(totals.region.bytes()) / number(shape.window_bytes) / shape.aggregators + 1;
  return rounds * (machine.storage.latency_us + ahead / machine.storage.server_mb_s);
}

}  // namespace

model::MachineModel model_of(const Facts& facts) {
  const model::MachineModel usual = model::built_in(facts.storage.network, facts.storage.protocol);
  model::MachineModel machine = facts.model.value_or(usual);
  if (machine.storage.behind_network != facts.storage.network) machine.storage = usual.storage;
  if (machine.locks.protocol != facts.storage.protocol) machine.locks = usual.locks;
  if (!facts.model) machine.memory.node_copy_mb_s = machine.memory.copy_mb_s * facts.machine.cores_per_node;
  machine.nodes.count = facts.machine.nodes();
  machine.nodes.cores_per_node = facts.machine.cores_per_node;
  machine.storage.block_bytes = facts.storage.lock_bytes;
  // Who stripes files by itself does not say over how many servers.
  if (facts.storage.servers > 1 || facts.storage.protocol == LockProtocol::kServer) {
    machine.storage.servers = facts.storage.servers;
  }
  return machine;
}

Steps independent_cost(const Facts& facts, const Totals& totals) {
  const model::MachineModel machine = model_of(facts);
  const double lanes = parallel_calls(facts, totals.active_ranks);
  // Ranks that interleave take locks, or what clients keep of the file, from each other with every call.
  const bool disturbed = facts.storage.network && totals.interleaved;
  const double call = call_cost(machine.storage);
  const double each = disturbed ? std::max(2 * call, call + machine.locks.revoke_us) : call;
  Steps steps;
  steps.inspect_us = inspection(facts, machine);
  const double moving = number(totals.bytes) / file_rate(facts, machine.storage, totals.active_ranks);
  steps.file_us = std::max((number(totals.pieces) / lanes + 1) * each,
                           number(totals.pieces) * machine.storage.request_us / machine.storage.servers) +
                  moving;
  // Under servers' locks the bytes move while the locks are held.
  const double locks = locks_of_ranks(facts, machine, totals);
  steps.file_us =
      facts.storage.protocol == LockProtocol::kServer ? std::max(steps.file_us, locks) : steps.file_us + locks;
  return steps;
}

double consistency_cost(const Facts& facts, const Totals& totals, const TwoPhaseShape& shape) {
  if (!facts.storage.network) return 0;
  const model::MachineModel machine = model_of(facts);
  if (facts.direction == Direction::kRead) {
    return is_cyclic(shape.domains) ? lost_read_ahead(facts, machine, totals, shape) : 0;
  }
  double locks = 0;
  if (facts.storage.protocol == LockProtocol::kServer) locks = server_locks(facts, machine, totals, shape);
  if (facts.storage.protocol == LockProtocol::kToken) locks = tokens(facts, machine, totals, shape);
  if (shape.domains == DomainKind::kEven) locks += shared_blocks(facts, machine, totals, shape.aggregators);
  return locks;
}

Steps two_phase_cost(const Facts& facts, const Totals& totals, const TwoPhaseShape& shape) {
  const model::MachineModel machine = model_of(facts);
  const double region = number(totals.region.bytes());
  const double rounds = std::floor(region / (number(shape.window_bytes) * shape.aggregators)) + 1;
  // Writing, only what was asked for is written: a call for each run of pieces that touch. The greater the part of the
  // region that nobody asked for, the more pieces stand alone.
  const bool writing = facts.direction == Direction::kWrite;
  const double file_bytes = writing ? number(totals.bytes) : region;
  const double calls_for_holes = writing ? number(totals.pieces) * holes_of(totals) / region : 0;
  const double calls = (rounds * shape.aggregators + calls_for_holes) / parallel_calls(facts, shape.aggregators);
  Steps steps;
  steps.inspect_us = inspection(facts, machine);
  steps.copy_us = copying(facts, machine.memory, totals, rounds);
  steps.exchange_us = exchanging(facts, machine.network, totals, shape, rounds);
  steps.file_us = (calls + 1) * call_cost(machine.storage) +
                  file_bytes / file_rate(facts, machine.storage, shape.aggregators) +
                  consistency_cost(facts, totals, shape);
  steps.overlap = overlap_of(facts, totals, rounds);
  return steps;
}

}  // namespace weir::plan
