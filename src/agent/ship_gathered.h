// What a node has gathered for the agents of other nodes goes to them, when all ranks meet.
#pragma once

#include <cstdint>

#include "agent/binding.h"
#include "agent/block_table.h"
#include "agent/far_blocks.h"
#include "base/status.h"
#include "comm/comm.h"

namespace weir::agent {

// One rank's part.
struct Shipping {
  const Binding& binding;
  std::int64_t block_bytes = 0;
  BlockTable& away;  // where its node gathered
  BlockTable& home;  // of its node's agents
  ShipCounters& counters;
};

// COLLECTIVE, and no access runs on any rank meanwhile: what was written to the blocks of agents of other nodes is held
// by these afterwards, and not in `away`. What an agent could not take stays where it was, and its rank returns why. A
// message or more go from each node to each agent of another.
Status ship_gathered(comm::Comm& comm, const Shipping& shipping);

}  // namespace weir::agent
