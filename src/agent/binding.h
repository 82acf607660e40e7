// Binding: which agent a file block belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::agent {

// Blocks are bound to agents in turn. Equal on all ranks.
struct Binding {
  std::vector<int> agents;  // ranks; none: the ranks of the only node, together

  int agent_of(std::int64_t block) const { return agents[static_cast<std::size_t>(block) % agents.size()]; }
  bool operator==(const Binding&) const = default;
};

}  // namespace weir::agent
