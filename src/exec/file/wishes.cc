#include "exec/file/wishes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "plan/aggregators.h"
#include "plan/wishes.h"

namespace weir::exec {

namespace {

// The aggregators that cb_config_list leaves each node; where it cannot be followed, any number, and `complaint` says
// why.
std::vector<int> most_per_node(const hints::HintSet& hints, const OpenFacts& facts, std::string& complaint) {
  std::vector<int> any(facts.host_of_node.size(), plan::kAnyNumber);
  if (!hints.has(hints::Id::kCbConfigList)) return any;
  Result<std::vector<int>> most = plan::read_config_list(hints.text(hints::Id::kCbConfigList), facts.host_of_node);
  if (most.ok()) return most.value();
  complaint = most.status().text();
  return any;
}

// The agents that each node may hold; as above.
std::vector<int> most_agents_per_node(const hints::HintSet& hints, const OpenFacts& facts, std::string& complaint) {
  if (!hints.has(hints::Id::kIoNodeList)) return most_per_node(hints, facts, complaint);
  Result<std::vector<int>> most = plan::read_node_list(hints.text(hints::Id::kIoNodeList), facts.host_of_node);
  if (most.ok()) return most.value();
  complaint = most.status().text();
  return std::vector<int>(facts.host_of_node.size(), plan::kAnyNumber);
}

// Ranks that are agents. Blocks are bound to them in turn, and collective calls on several nodes have them as
// aggregators, so both are placed in the same way.
agent::Binding agent_binding(const hints::HintSet& hints, const OpenFacts& facts, std::string& complaint) {
  const auto asked =
      static_cast<int>(std::min<std::int64_t>(hints.integer(hints::Id::kWeirAgents), facts.machine.ranks()));
  const int wanted = asked > 0 ? asked : facts.machine.ranks();
  return {plan::place_aggregators(wanted, facts.machine.node_of, most_agents_per_node(hints, facts, complaint))};
}

// On several nodes the agents are the aggregators, and their blocks the domains: no block has another owner. The wishes
// that this replaces are told as such.
void keep_to_agents(const hints::HintSet& hints, const OpenFacts& facts, const agent::AgentSettings& agents,
                    plan::Facts& all) {
  std::string complaint;
  const auto count = static_cast<int>(agents.binding.agents.size());
  if (all.wishes.aggregators && *all.wishes.aggregators != count) {
    all.wishes.unreadable.push_back(
        fmt::format("{} aggregators asked for, the {} I/O agents are they", *all.wishes.aggregators, count));
  }
  all.machine.most_per_node = most_agents_per_node(hints, facts, complaint);
  all.wishes.aggregators = count;
  all.wishes.domains = all.wishes.domains.value_or(plan::DomainKind::kStaticCyclic);
  all.storage.lock_bytes = agents.shape.block_bytes;
}

}  // namespace

std::array<plan::Facts, 2> plan_facts(const hints::HintSet& hints, const OpenFacts& facts,
                                      const agent::AgentSettings& agents) {
  std::string complaint;
  plan::Machine machine = facts.machine;
  machine.most_per_node = most_per_node(hints, facts, complaint);
  std::array<plan::Facts, 2> of_direction;
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    plan::Facts& all = of_direction[static_cast<std::size_t>(direction)];
    all = {direction, false, machine, facts.storage, plan::wishes_of(hints, direction), facts.model};
    if (!complaint.empty()) all.wishes.unreadable.push_back(complaint);
    if (agents.on && facts.machine.nodes() > 1) keep_to_agents(hints, facts, agents, all);
  }
  return of_direction;
}

bool may_use_agents(const hints::HintSet& hints) { return hints.switchable() || plan::wants_agents(hints); }

agent::AgentSettings agent_settings(const hints::HintSet& hints, const OpenFacts& facts, std::string& complaint) {
  const bool several_nodes = facts.host_of_node.size() > 1;
  const std::int64_t memory = hints.integer(hints::Id::kWeirAgentMemory) / (several_nodes ? 2 : 1);
  const std::int64_t ranks = plan::largest_group(facts.machine.node_of);
  const std::int64_t block = plan::agent_block(hints, facts.storage.lock_bytes, memory / ranks);
  agent::AgentSettings settings{plan::wants_agents(hints), agent::TableShape::of(block, memory)};
  if (several_nodes) settings.binding = agent_binding(hints, facts, complaint);
  return settings;
}

plan::AccessRules access_rules(const hints::HintSet& hints, const OpenFacts& facts, const AccessMode& mode, int ranks) {
  plan::AccessRules rules;
  rules.sieve_reads = hints.choice<Toggle>(hints::Id::kRomioDsRead);
  rules.sieve_writes = hints.choice<Toggle>(hints::Id::kRomioDsWrite);
  rules.sole_owner = mode.unique_open && mode.read_write && ranks == 1;
  rules.read_buffer_bytes = hints.integer(hints::Id::kIndRdBufferSize);
  rules.write_buffer_bytes = hints.integer(hints::Id::kIndWrBufferSize);
  rules.prefetch = {hints.integer(hints::Id::kWeirMaxAcc), facts.storage.lock_bytes};
  return rules;
}

}  // namespace weir::exec
