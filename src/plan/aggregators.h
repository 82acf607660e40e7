// Aggregators: how many ranks touch the file for others, and which; and the local aggregators of each node.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace weir::plan {

// How many aggregators each node may hold.
inline constexpr int kAnyNumber = -1;

// Reads cb_config_list, e.g. "*:1", "host1:2,host2", "host3:*": for each node the most aggregators it may hold. The
// first entry that names the node's host (or *) counts; a node that no entry names holds none; an entry without a
// number means one. Fails with kInfo when an entry cannot be read, or when no node is left.
Result<std::vector<int>> read_config_list(std::string_view list, std::span<const std::string> host_of_node);
// The same for io_node_list, e.g. "host1,host2": a node that is named may hold any number.
Result<std::vector<int>> read_node_list(std::string_view list, std::span<const std::string> host_of_node);

// Picks `wanted` ranks, fewer when there are not so many: nodes take turns, and on a node the chosen ranks lie at equal
// distance. Ascending. `most_per_node` has a number or kAnyNumber for each node.
std::vector<int> place_aggregators(int wanted, std::span<const int> node_of_rank, std::span<const int> most_per_node);

// The number of aggregators for cyclic domains: the greatest one up to `most` that divides the number of servers or is
// a multiple of it. REQUIRES most >= 1, servers >= 1.
int fit_to_servers(int most, int servers);

// With `ranks` ranks and `wanted` local aggregators on a node: the node ranks of the local aggregators, ascending. Each
// serves itself and the node ranks up to the next one. `wanted` is cut to [1, ranks].
std::vector<int> local_aggregators(int ranks, int wanted);

// How many groups (nodes) there are.
int group_count(std::span<const int> group_of_rank);

// How many ranks the largest group (a node) has.
int largest_group(std::span<const int> group_of_rank);

// For every rank the rank that is its local aggregator, with `wanted` of them on each group of ranks (a node).
std::vector<int> local_aggregator_of(std::span<const int> group_of_rank, int wanted);

}  // namespace weir::plan
