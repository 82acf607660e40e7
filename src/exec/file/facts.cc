#include "exec/file/facts.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "comm/collectives.h"

namespace weir::exec {

namespace {

// What a rank tells the others; fits a board's block.
struct Words {
  std::int64_t usable_cores = 1;
  std::int64_t online_cores = 1;
  std::int64_t lock_bytes = 4096;
  std::int64_t servers = 1;
  std::int64_t protocol = 0;
  std::int64_t network = 0;
  std::array<char, 128> host = {};
};

// Cores this process may run on: a launcher that binds ranks leaves each of them few of the node's.
std::int64_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return std::max(CPU_COUNT(&set), 1);
}

std::int64_t online_cores() { return std::max<std::int64_t>(sysconf(_SC_NPROCESSORS_ONLN), 1); }

Words words_of(const OwnFacts& mine) {
  const driver::StorageLayout& storage = mine.storage;
  Words words;
  words.usable_cores = usable_cores();
  words.online_cores = online_cores();
  words.lock_bytes = std::max<std::int64_t>(storage.stripe_bytes > 0 ? storage.stripe_bytes : storage.lock_bytes, 1);
  words.servers = std::max(storage.stripe_count, 1);
  words.protocol = static_cast<std::int64_t>(storage.lock_protocol);
  words.network = storage.network ? 1 : 0;
  if (gethostname(words.host.data(), words.host.size() - 1) != 0) words.host = {};
  return words;
}

}  // namespace

Result<OpenFacts> gather_facts(comm::Comm& comm, const OwnFacts& mine) {
  Result<std::vector<Words>> gathered = comm::all_gather_values(comm, words_of(mine));
  if (!gathered.ok()) return gathered.status();
  const std::vector<Words>& all = gathered.value();
  const comm::Topology& topology = comm.topology();
  OpenFacts facts;
  facts.storage = {all[0].lock_bytes, static_cast<int>(all[0].servers), static_cast<LockProtocol>(all[0].protocol),
                   all[0].network != 0};
  const auto nodes = static_cast<std::size_t>(topology.node_count());
  facts.host_of_node.resize(nodes);
  std::vector<std::int64_t> cores_of_node(nodes, 0);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto node = static_cast<std::size_t>(topology.node_of[rank]);
    facts.host_of_node[node] = all[rank].host.data();
    cores_of_node[node] = std::min(cores_of_node[node] + all[rank].usable_cores, all[rank].online_cores);
  }
  facts.machine.node_of = topology.node_of;
  facts.machine.sharing_of = topology.node_of;
  if (!mine.shares_memory) std::iota(facts.machine.sharing_of.begin(), facts.machine.sharing_of.end(), 0);
  facts.machine.most_per_node.assign(nodes, plan::kAnyNumber);
  facts.machine.cores_per_node = static_cast<int>(*std::min_element(cores_of_node.begin(), cores_of_node.end()));
  return facts;
}

}  // namespace weir::exec
