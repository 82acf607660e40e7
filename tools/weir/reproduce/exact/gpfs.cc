#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "layout/file_view.h"
#include "plan/spans.h"
#include "reproduce/exact/exact.h"
#include "reproduce/exact/workload_plan.h"

namespace weir::tool::reproduce {

namespace {

constexpr std::int64_t kBlock = 16 << 10;
constexpr std::int64_t kBlocksOfRank = 8;

struct Messages {
  std::int64_t sparse = 0;  // between pairs with bytes for each other
  std::int64_t dense = 0;   // between all pairs, in every round
};

// Every rank an aggregator, one stripe to a window, as in the paper.
Messages messages_of(int ranks, int sparsity) {
  const std::int64_t stripe = ranks * kBlock;
  const auto workload = settled(fmt::format("sparse:sparsity={}", sparsity), ranks, kBlocksOfRank * stripe);
  const auto requests = first_requests(workload);
  plan::Facts facts;
  facts.direction = Direction::kWrite;
  facts.machine = plan::Machine::evenly(ranks, 1);
  facts.storage = {stripe, ranks, LockProtocol::kToken, true};
  facts.wishes.method = plan::Method::kTwoPhase;
  facts.wishes.domains = plan::DomainKind::kStaticCyclic;
  facts.wishes.exchange = plan::Exchange::kDirect;
  facts.wishes.aggregators = ranks;
  facts.wishes.most_window_bytes = stripe;
  const plan::Plan plan = plan_of(facts, requests);
  Messages messages;
  for (std::size_t number = 0; number < plan.domains.size(); ++number) {
    const std::int64_t rounds = plan::round_count(plan.domains[number], plan.round_size);
    messages.dense += rounds * (ranks - 1);
    for (std::int64_t round = 0; round < rounds; ++round) {
      const Extent window = plan::window_of(plan.domains[number], plan.round_size, round).hull();
      for (int rank = 0; rank < ranks; ++rank) {
        if (rank == plan.aggregators[number]) continue;
        const auto request = layout::RequestList::in_file(
            requests[static_cast<std::size_t>(rank)],
            layout::Memory::of(nullptr, requests[static_cast<std::size_t>(rank)].data_bytes()));
        messages.sparse += plan::span_within(request, window).empty() ? 0 : 1;
      }
    }
  }
  return messages;
}

}  // namespace

Finding sparse_messages(const Setting&) {
  bool holds = true;
  std::vector<std::string> words;
  for (const int ranks : {4, 16, 32}) {
    for (const int sparsity : {100, 50, 25, 10, 1}) {
      const Messages messages = messages_of(ranks, sparsity);
      // Where every pair has bytes in every round, there is nothing to save.
      holds = holds && (sparsity == 100 ? messages.sparse == messages.dense : messages.sparse < messages.dense);
      if (ranks == 32) words.push_back(fmt::format("{} of {} at {} %", messages.sparse, messages.dense, sparsity));
    }
  }
  return found(holds, fmt::format("32 tasks: {} messages", fmt::join(words, ", ")));
}

}  // namespace weir::tool::reproduce
