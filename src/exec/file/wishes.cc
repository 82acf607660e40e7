#include "exec/file/wishes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "plan/aggregators.h"

namespace weir::exec {

namespace {

// Several hints speak of the method; the most specific one wins.
std::optional<plan::Method> method_of(const hints::HintSet& hints, Direction direction) {
  switch (hints.choice<hints::Method>(hints::Id::kWeirMethod)) {
    case hints::Method::kIndependent: return plan::Method::kIndependent;
    case hints::Method::kTwoPhase: return plan::Method::kTwoPhase;
    case hints::Method::kAuto: break;
  }
  const bool reading = direction == Direction::kRead;
  switch (hints.choice<Toggle>(reading ? hints::Id::kRomioCbRead : hints::Id::kRomioCbWrite)) {
    case Toggle::kEnable: return plan::Method::kTwoPhase;
    case Toggle::kDisable: return plan::Method::kIndependent;
    case Toggle::kAutomatic: break;
  }
  if (hints.choice<hints::LargeBlock>(hints::Id::kIbmLargeblockIo) == hints::LargeBlock::kTrue) {
    return plan::Method::kIndependent;
  }
  const bool says = hints.has(hints::Id::kCollectiveBuffering);
  if (says && !hints.boolean(hints::Id::kCollectiveBuffering)) return plan::Method::kIndependent;
  return std::nullopt;
}

std::optional<int> count_of(const hints::HintSet& hints, hints::Id id) {
  if (!hints.has(id)) return std::nullopt;
  return static_cast<int>(hints.integer(id));
}

std::optional<plan::DomainKind> domains_of(hints::Domains domains) {
  switch (domains) {
    case hints::Domains::kEven: return plan::DomainKind::kEven;
    case hints::Domains::kAligned: return plan::DomainKind::kAligned;
    case hints::Domains::kStaticCyclic: return plan::DomainKind::kStaticCyclic;
    case hints::Domains::kGroupCyclic: return plan::DomainKind::kGroupCyclic;
    case hints::Domains::kAuto: break;
  }
  return std::nullopt;
}

std::optional<plan::Exchange> exchange_of(hints::Exchange exchange) {
  switch (exchange) {
    case hints::Exchange::kShared: return plan::Exchange::kShared;
    case hints::Exchange::kDirect: return plan::Exchange::kDirect;
    case hints::Exchange::kPairwise: return plan::Exchange::kPairwise;
    case hints::Exchange::kAuto: break;
  }
  return std::nullopt;
}

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

bool wants_agents(const hints::HintSet& hints) {
  switch (hints.choice<hints::LargeBlock>(hints::Id::kIbmLargeblockIo)) {
    case hints::LargeBlock::kFalse: return true;
    case hints::LargeBlock::kTrue: return false;
    case hints::LargeBlock::kAuto:
    case hints::LargeBlock::kSwitchable: break;
  }
  return hints.integer(hints::Id::kWeirAgents) > 0;
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

plan::Wishes wishes_of(const hints::HintSet& hints, Direction direction) {
  plan::Wishes wishes;
  wishes.method = method_of(hints, direction);
  wishes.domains = domains_of(hints.choice<hints::Domains>(hints::Id::kWeirDomains));
  wishes.exchange = exchange_of(hints.choice<hints::Exchange>(hints::Id::kWeirExchange));
  const auto sparse = hints.choice<hints::Sparse>(hints::Id::kWeirSparse);
  if (sparse != hints::Sparse::kAuto) wishes.sparse = sparse == hints::Sparse::kTrue;
  wishes.aggregators = count_of(hints, hints::Id::kCbNodes);
  const auto merging = hints.choice<hints::Merge>(hints::Id::kWeirMerge);
  if (merging != hints::Merge::kAuto) wishes.merging = merging == hints::Merge::kTrue;
  wishes.local_aggregators = count_of(hints, hints::Id::kWeirLocalAggregators);
  wishes.most_window_bytes = hints.integer(hints::Id::kCbBufferSize);
  wishes.window_asked = hints.text(hints::Id::kCbBufferSize) != hints::row(hints::Id::kCbBufferSize).default_text;
  wishes.depth = count_of(hints, hints::Id::kWeirPipelineDepth);
  wishes.max_acc = hints.integer(hints::Id::kWeirMaxAcc);
  return wishes;
}

std::array<plan::Facts, 2> plan_facts(const hints::HintSet& hints, const OpenFacts& facts,
                                      const agent::AgentSettings& agents) {
  std::string complaint;
  plan::Machine machine = facts.machine;
  machine.most_per_node = most_per_node(hints, facts, complaint);
  std::array<plan::Facts, 2> of_direction;
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    plan::Facts& all = of_direction[static_cast<std::size_t>(direction)];
    all = {direction, false, machine, facts.storage, wishes_of(hints, direction)};
    if (!complaint.empty()) all.wishes.unreadable.push_back(complaint);
    if (agents.on && facts.machine.nodes() > 1) keep_to_agents(hints, facts, agents, all);
  }
  return of_direction;
}

bool may_use_agents(const hints::HintSet& hints) { return hints.switchable() || wants_agents(hints); }

// Blocks as large as the paper has them, but no larger than lets every agent hold a few.
agent::AgentSettings agent_settings(const hints::HintSet& hints, const OpenFacts& facts, std::string& complaint) {
  constexpr std::int64_t kLeastBlock = 64;
  constexpr std::int64_t kFileSystemBlocks = 16;
  constexpr std::int64_t kBlocksOfAnAgent = 8;
  const bool several_nodes = facts.host_of_node.size() > 1;
  const std::int64_t memory = hints.integer(hints::Id::kWeirAgentMemory) / (several_nodes ? 2 : 1);
  const std::int64_t ranks = plan::largest_group(facts.machine.node_of);
  std::int64_t block = hints.integer(hints::Id::kIbmIoBufferSize);
  if (!hints.has(hints::Id::kIbmIoBufferSize)) {
    block = std::min(kFileSystemBlocks * facts.storage.lock_bytes, memory / ranks / kBlocksOfAnAgent);
  }
  block = round_up(std::max(block, kLeastBlock), kLeastBlock);
  agent::AgentSettings settings{wants_agents(hints), agent::TableShape::of(block, memory)};
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
