// Collectives of ranks that lie several to a node, by messages alone: the ranks of a node among themselves, and the
// first ranks of the nodes with each other. Between nodes each step costs as many messages as there are nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "comm/comm.h"
#include "comm/reduction.h"

namespace weir::comm {

// Whether there are several nodes, and one with several ranks.
bool goes_by_node(const Topology& topology);

// COLLECTIVE. As reduce_all() and broadcast() of collectives.h. REQUIRE goes_by_node().
Status reduce_by_node(Comm& comm, Reduction reduction, std::span<std::int64_t> values);
Status broadcast_by_node(Comm& comm, int root, std::span<std::byte> data);

}  // namespace weir::comm
