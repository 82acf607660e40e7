#include "plan/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "plan/aggregators.h"
#include "plan/thresholds.h"
#include "plan/two_phase.h"
#include "plan/windows.h"

namespace weir::plan {

namespace {

// What groups of ranks that share memory would send to aggregators, as far as extents tell.
struct Parcels {
  std::int64_t senders = 0;  // groups with bytes
  std::int64_t rounds = 0;
  std::int64_t messages = 0;  // in all rounds, of all groups: one for each window that a group's extent touches

  std::int64_t per_sender() const { return messages / (senders * rounds); }  // and round
};

Parcels count_parcels(const Facts& facts, std::span<const AccessSummary> summaries, const Plan& plan) {
  const std::vector<int>& group_of = facts.machine.sharing_of;
  std::vector<Extent> extents(static_cast<std::size_t>(*std::ranges::max_element(group_of)) + 1);
  for (std::size_t rank = 0; rank < summaries.size(); ++rank) {
    const Extent mine = summaries[rank].file_extent;
    if (summaries[rank].bytes == 0) continue;
    Extent& extent = extents[static_cast<std::size_t>(group_of[rank])];
    extent = extent.empty() ? mine : Extent{std::min(extent.begin, mine.begin), std::max(extent.end, mine.end)};
  }
  std::string reason;
  const int aggregators = default_aggregators(facts, plan, reason);
  const std::int64_t window_most = window_bytes(facts, totals_of(plan), {plan.domain_kind, aggregators});
  Parcels parcels;
  parcels.rounds = plan.region.bytes() / (aggregators * window_most) + 1;
  std::int64_t window = plan.region.bytes() / (aggregators * parcels.rounds) + 1;
  if (plan.domain_kind != DomainKind::kEven) window = std::max(window, facts.storage.lock_bytes);
  for (const Extent& extent : extents) {
    if (extent.empty()) continue;
    ++parcels.senders;
    parcels.messages += (extent.end - 1 - plan.region.begin) / window - (extent.begin - plan.region.begin) / window + 1;
  }
  return parcels;
}

// Pairwise exchange has its own number and place of aggregators, and no groups of servers.
bool wishes_allow_trades(const Facts& facts) {
  const auto restricts = [](int most) { return most != kAnyNumber; };
  return !facts.wishes.aggregators && facts.wishes.domains != DomainKind::kGroupCyclic &&
         std::ranges::none_of(facts.machine.most_per_node, restricts);
}

// Whether trades are to be preferred; says why.
bool prefers_trades(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  const auto groups = static_cast<unsigned>(group_count(facts.machine.sharing_of));
  if (groups < kManyMessages || !wishes_allow_trades(facts)) return false;
  const std::int64_t trades = std::bit_width(groups - 1);
  const Parcels parcels = count_parcels(facts, summaries, plan);
  const std::int64_t mean = plan.bytes / parcels.messages;
  if (parcels.per_sender() < std::max(kManyMessages, 2 * trades) || mean >= kTinyMessage) return false;
  plan.exchange_reason =
      fmt::format("a {} would send {} messages of {} bytes a round: {} trades instead",
                  facts.machine.shares_memory() ? "node" : "rank", parcels.per_sender(), mean, trades);
  return true;
}

void choose_way(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  const bool can_share = facts.machine.shares_memory();
  if (facts.wishes.exchange) {
    plan.exchange = *facts.wishes.exchange;
    plan.exchange_reason = "asked for by hint";
  } else if (prefers_trades(facts, summaries, plan)) {
    plan.exchange = Exchange::kPairwise;
  } else {
    plan.exchange = can_share ? Exchange::kShared : Exchange::kDirect;
    plan.exchange_reason = can_share ? "ranks of a node share memory" : "no ranks share memory";
  }
  if (plan.exchange == Exchange::kShared && !can_share && facts.machine.ranks() > 1) {  // only a hint can ask for that
    plan.exchange = Exchange::kDirect;
    plan.exchange_reason = "no ranks share memory";
    plan.replaced.push_back("shared exchange asked for, but no ranks share memory");
  }
}

// Pairwise exchange that is asked for is between ranks, unless local aggregators are asked for too; that of one node's
// ranks always.
bool meets_in_memory(const Facts& facts, const Plan& plan) {
  if (plan.exchange != Exchange::kPairwise) return plan.exchange == Exchange::kShared;
  const bool nodes_asked_for = !facts.wishes.exchange || facts.wishes.local_aggregators;
  return nodes_asked_for && facts.machine.shares_memory() && group_count(facts.machine.sharing_of) > 1;
}

// Who meets in memory.
void choose_groups(const Facts& facts, Plan& plan) {
  std::vector<int> sharing_of = facts.machine.sharing_of;
  plan.in_memory = meets_in_memory(facts, plan);
  if (!plan.in_memory) {
    std::iota(sharing_of.begin(), sharing_of.end(), 0);
    if (facts.wishes.local_aggregators) {
      plan.replaced.push_back(fmt::format("local aggregators asked for, but {} exchange has every rank send for itself",
                                          name(plan.exchange)));
    }
  }
  plan.sharing_of = std::move(sharing_of);
}

}  // namespace

void choose_exchange(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  choose_way(facts, summaries, plan);
  choose_groups(facts, plan);
}

std::vector<int> parties_of(const Plan& plan) {
  std::vector<int> parties;
  for (std::size_t rank = 0; rank < plan.local_aggregator_of.size(); ++rank) {
    const int number = static_cast<int>(rank);
    if (plan.local_aggregator_of[rank] == number) parties.push_back(number);
  }
  return parties;
}

}  // namespace weir::plan
