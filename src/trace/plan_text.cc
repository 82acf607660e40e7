#include "trace/plan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/bytes.h"
#include "plan/steps.h"
#include "trace/words.h"

namespace weir::trace {

namespace {

constexpr std::size_t kMostRanksShown = 8;

std::string ranks_text(std::span<const int> ranks) {
  const std::size_t shown = std::min(ranks.size(), kMostRanksShown);
  return fmt::format("{} {}{}", ranks.size() == 1 ? "rank" : "ranks", fmt::join(ranks.first(shown), ", "),
                     shown < ranks.size() ? ", ..." : "");
}

std::string nodes_text(std::span<const int> ranks, std::span<const int> node_of) {
  if (node_of.empty()) return {};
  std::set<int> nodes;
  for (const int rank : ranks) nodes.insert(node_of[static_cast<std::size_t>(rank)]);
  return fmt::format(" on {}", counted(static_cast<std::int64_t>(nodes.size()), "node"));
}

const char* method_words(plan::Method method) {
  switch (method) {
    case plan::Method::kNothing: return "nothing to do";
    case plan::Method::kIndependent: return "each rank for itself";
    case plan::Method::kTwoPhase: return "through aggregators";
  }
  return "";
}

}  // namespace

std::vector<std::string> lines_of(const plan::Plan& plan, std::span<const int> node_of) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}: {}", method_words(plan.method), plan.reason));
  if (plan.bytes > 0) {
    lines.push_back(fmt::format("asked for: {} in {} of {}, bytes {} to {} of the file", bytes_text(plan.bytes),
                                counted(plan.pieces, "piece"), counted(plan.active_ranks, "rank"), plan.region.begin,
                                plan.region.end));
  }
  if (const plan::Steps& steps = plan.predicted; steps.total_us() > 0) {
    lines.push_back(fmt::format("predicted: {}: inspecting {}, copying {}, between nodes {}, file system {}",
                                plan::time_text(steps.total_us()), plan::time_text(steps.inspect_us),
                                plan::time_text(steps.copy_us), plan::time_text(steps.exchange_us),
                                plan::time_text(steps.file_us)));
  }
  if (plan.method == plan::Method::kTwoPhase) {
    lines.push_back(fmt::format("aggregators: {}{}, {} ({})", plan.aggregators.size(),
                                nodes_text(plan.aggregators, node_of), ranks_text(plan.aggregators),
                                plan.aggregators_reason));
    lines.push_back(fmt::format("domains: {} ({})", name(plan.domain_kind), plan.domains_reason));
    if (plan.traffic.in_rank_order > 0) {
      lines.push_back(fmt::format("between nodes: about {}; {} with aggregators in rank order",
                                  bytes_text(plan.traffic.between_nodes), bytes_text(plan.traffic.in_rank_order)));
    }
    lines.push_back(fmt::format("rounds: {}, {} in flight, windows of {} ({})", plan.rounds, plan.depth,
                                bytes_text(plan.round_size.window_bytes), plan.window_reason));
    lines.push_back(fmt::format("exchange: {} ({}), {} a node", name(plan.exchange), plan.exchange_reason,
                                counted(plan.local_aggregators, "local aggregator")));
    if (!plan.local_aggregators_reason.empty()) {
      lines.push_back(fmt::format("{} a node: {}", counted(plan.local_aggregators, "local aggregator"),
                                  plan.local_aggregators_reason));
    }
    if (!plan.merging_reason.empty()) {
      lines.push_back(fmt::format("requests of a node: {} ({})",
                                  plan.merging == plan::Merging::kOn ? "merged" : "not merged", plan.merging_reason));
    }
    if (plan.sparse) {
      lines.push_back(fmt::format("{}: {} of {} have bytes, in {} of {} rounds of theirs",
                                  *plan.sparse ? "sparse" : "dense", plan.pairs.with_bytes,
                                  counted(plan.pairs.possible, "pair"), plan.pairs.turns_with_bytes,
                                  plan.pairs.possible_turns));
    }
  }
  for (const std::string& wish : plan.replaced) lines.push_back("not as wished: " + wish);
  return lines;
}

}  // namespace weir::trace
