#include "exec/file/facts.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "comm/board.h"
#include "comm/collectives.h"
#include "sys/waiting.h"

namespace weir::exec {

namespace {

// What a node tells the others, summed up from its ranks.
struct NodeFacts {
  std::int64_t usable_cores = 1;
  std::int64_t online_cores = 1;
  std::int64_t lock_bytes = 4096;
  std::int64_t servers = 1;
  std::int64_t protocol = 0;
  std::int64_t network = 0;
  std::int64_t keeps_writes = 0;
  std::int64_t stripe_bytes = 0;
  std::int64_t first_server = -1;
  std::int64_t has_model = 0;
  std::array<char, HOST_NAME_MAX + 1> host = {};
};
static_assert(sizeof(NodeFacts) <= comm::Board::kGatheredBytes, "nodes tell each other what they are, not ranks");

// Cores this process may run on: a launcher that binds ranks leaves each of them few of the node's.
std::int64_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return std::max(CPU_COUNT(&set), 1);
}

NodeFacts node_facts_of(const OwnFacts& mine) {
  const driver::StorageLayout& storage = mine.storage;
  NodeFacts facts;
  facts.usable_cores = usable_cores();
  facts.online_cores = sys::online_cores();
  facts.lock_bytes = std::max<std::int64_t>(storage.stripe_bytes > 0 ? storage.stripe_bytes : storage.lock_bytes, 1);
  facts.servers = std::max(storage.stripe_count, 1);
  facts.protocol = static_cast<std::int64_t>(storage.lock_protocol);
  facts.network = storage.network ? 1 : 0;
  facts.keeps_writes = storage.keeps_writes ? 1 : 0;
  facts.stripe_bytes = storage.stripe_bytes;
  facts.first_server = storage.first_server;
  facts.has_model = mine.model ? 1 : 0;
  if (gethostname(facts.host.data(), facts.host.size() - 1) != 0) facts.host = {};
  return facts;
}

// The ranks of a node use its cores together.
void add_cores(std::span<std::byte> into, std::span<const std::byte> from) {
  reinterpret_cast<NodeFacts*>(into.data())->usable_cores +=
      reinterpret_cast<const NodeFacts*>(from.data())->usable_cores;
}

}  // namespace

Result<OpenFacts> gather_facts(comm::Comm& comm, const OwnFacts& mine) {
  const comm::Topology& topology = comm.topology();
  const auto nodes = static_cast<std::size_t>(topology.node_count());
  const NodeFacts own = node_facts_of(mine);
  std::vector<NodeFacts> all(nodes);
  Status gathered =
      comm::gather_by_node(comm, std::as_bytes(std::span(&own, 1)), add_cores, std::as_writable_bytes(std::span(all)));
  if (!gathered.ok()) return gathered;
  OpenFacts facts;
  facts.storage = {all[0].lock_bytes, static_cast<int>(all[0].servers), static_cast<LockProtocol>(all[0].protocol),
                   all[0].network != 0};
  facts.keeps_writes = all[0].keeps_writes != 0;
  if (all[0].stripe_bytes > 0) {
    facts.striping = {all[0].stripe_bytes, facts.storage.servers, static_cast<int>(all[0].first_server)};
  }
  std::int64_t fewest_cores = std::numeric_limits<std::int64_t>::max();
  for (const NodeFacts& node : all) {
    facts.host_of_node.emplace_back(node.host.data());
    fewest_cores = std::min({fewest_cores, node.usable_cores, node.online_cores});
  }
  facts.machine.node_of = topology.node_of;
  facts.machine.sharing_of = topology.node_of;
  if (!mine.shares_memory) std::iota(facts.machine.sharing_of.begin(), facts.machine.sharing_of.end(), 0);
  facts.machine.most_per_node.assign(nodes, plan::kAnyNumber);
  facts.machine.cores_per_node = static_cast<int>(fewest_cores);
  if (all[0].has_model != 0) {
    facts.model = mine.model.value_or(model::MachineModel());
    Status shared = comm::broadcast_value(comm, 0, *facts.model);
    if (!shared.ok()) return shared;
  }
  return facts;
}

}  // namespace weir::exec
