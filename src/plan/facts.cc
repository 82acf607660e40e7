#include "plan/facts.h"

#include <iterator>

#include "plan/aggregators.h"

namespace weir::plan {

bool Machine::shares_memory() const { return group_count(sharing_of) < std::ssize(sharing_of); }

Machine Machine::one_node(int ranks) {
  const std::vector<int> all(static_cast<std::size_t>(ranks), 0);
  return {all, all, {kAnyNumber}, 1};
}

Machine Machine::evenly(int ranks, int ranks_per_node) {
  Machine machine;
  for (int rank = 0; rank < ranks; ++rank) machine.node_of.push_back(rank / ranks_per_node);
  machine.sharing_of = machine.node_of;
  machine.most_per_node.assign(static_cast<std::size_t>((ranks + ranks_per_node - 1) / ranks_per_node), kAnyNumber);
  return machine;
}

const char* name(Method method) {
  switch (method) {
    case Method::kNothing: return "nothing";
    case Method::kIndependent: return "independent";
    case Method::kTwoPhase: return "two_phase";
  }
  return "unknown";
}

const char* name(Exchange exchange) {
  switch (exchange) {
    case Exchange::kShared: return "shared";
    case Exchange::kDirect: return "direct";
    case Exchange::kPairwise: return "pairwise";
  }
  return "unknown";
}

const char* name(Merging merging) {
  switch (merging) {
    case Merging::kOff: return "off";
    case Merging::kTry: return "try";
    case Merging::kOn: return "on";
  }
  return "unknown";
}

}  // namespace weir::plan
