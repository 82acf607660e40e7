#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "plan/cost.h"
#include "plan/fit.h"

namespace weir::plan {

namespace {

constexpr std::int64_t kKiB = 1024;
// A piece this large is worth a call of its own on a local file system.
constexpr std::int64_t kLargePiece = 64 * kKiB;
// Fewer bytes than this do not pay for one more aggregator.
constexpr std::int64_t kLeastShare = 64 * kKiB;
// Ranks of one node meet in windows that stay in its caches; the more ranks have to be woken, the larger.
constexpr std::int64_t kLeastNodeWindow = 1024 * kKiB;
constexpr std::int64_t kNodeWindowPerRank = 128 * kKiB;
constexpr std::int64_t kMostNodeWindow = 4096 * kKiB;

// Messages below this size cost their latency only.
constexpr std::int64_t kTinyMessage = 512;
constexpr std::int64_t kManyAggregators = 8;
// The most windows of a call: every rank keeps 16 bytes for each.
constexpr std::int64_t kMostWindows = 1 << 22;
// Windows grow to keep below that number, up to this size unless the user wished for more.
constexpr std::int64_t kMostWindow = 64 * 1024 * kKiB;

bool is_cyclic(DomainKind kind) { return kind == DomainKind::kStaticCyclic || kind == DomainKind::kGroupCyclic; }

void choose_domains(const Facts& facts, Plan& plan) {
  const bool writing = facts.direction == Direction::kWrite;
  if (facts.wishes.domains) {
    plan.domain_kind = *facts.wishes.domains;
    plan.domains_reason = "asked for by hint";
  } else if (facts.storage.protocol == LockProtocol::kServer && writing) {
    plan.domain_kind = DomainKind::kGroupCyclic;
    plan.domains_reason = "each aggregator keeps to one lock server";
  } else if (!facts.storage.network && (!writing || facts.machine.nodes() == 1)) {
    plan.domain_kind = DomainKind::kEven;
    plan.domains_reason = "no locks to keep to";
  } else {
    plan.domain_kind = DomainKind::kAligned;
    plan.domains_reason = fmt::format("no two aggregators share {} bytes", facts.storage.lock_bytes);
  }
}

int default_aggregators(const Facts& facts, const Plan& plan, std::string& reason) {
  const Machine& machine = facts.machine;
  const int most = static_cast<int>(std::min<std::int64_t>(machine.ranks(), plan.region.bytes() / kLeastShare + 1));
  if (facts.storage.network || machine.nodes() > 1) {
    const int wanted = std::min(most, std::max(machine.nodes(), facts.storage.servers));
    reason = fmt::format("{} nodes, {} servers", machine.nodes(), facts.storage.servers);
    return wanted;
  }
  if (facts.direction == Direction::kWrite) {
    reason = "a local file system takes one write to a file at a time";
    return 1;
  }
  reason = fmt::format("{} cores", machine.cores_per_node);
  return std::min(most, machine.cores_per_node);
}

// A number that the kind of domains can use.
int usable_aggregators(const Facts& facts, DomainKind kind, int wanted) {
  const int servers = facts.storage.servers;
  if (kind == DomainKind::kGroupCyclic && wanted > servers) return wanted / servers * servers;
  if (is_cyclic(kind) && !facts.wishes.aggregators) return fit_to_servers(wanted, servers);
  return wanted;
}

void choose_aggregators(const Facts& facts, Plan& plan) {
  int wanted = facts.wishes.aggregators.value_or(0);
  plan.aggregators_reason = "asked for by hint";
  if (wanted == 0) wanted = default_aggregators(facts, plan, plan.aggregators_reason);
  plan.aggregators = place_aggregators(usable_aggregators(facts, plan.domain_kind, wanted), facts.machine.node_of,
                                       facts.machine.most_per_node);
  const auto placed = static_cast<int>(plan.aggregators.size());
  const int usable = usable_aggregators(facts, plan.domain_kind, placed);
  plan.aggregators.resize(static_cast<std::size_t>(usable));
  if (facts.wishes.aggregators && usable != *facts.wishes.aggregators) {
    plan.replaced.push_back(fmt::format(
        "{} aggregators asked for, {} can be had with {} ranks, {} domains and {} servers", *facts.wishes.aggregators,
        usable, facts.machine.ranks(), name(plan.domain_kind), facts.storage.servers));
  }
}

// Trades need as many aggregators as the greatest power of two of ranks, each with the chunk at its bit-reversed
// position.
void set_pairwise_aggregators(const Facts& facts, Plan& plan) {
  const auto count = std::bit_floor(static_cast<unsigned>(facts.machine.ranks()));
  const int bits = std::countr_zero(count);
  plan.aggregators.clear();
  for (unsigned chunk = 0; chunk < count; ++chunk) {
    unsigned rank = 0;
    for (int bit = 0; bit < bits; ++bit) rank |= (chunk >> bit & 1U) << (bits - 1 - bit);
    plan.aggregators.push_back(static_cast<int>(rank));
  }
  if (facts.wishes.aggregators && *facts.wishes.aggregators != static_cast<int>(count)) {
    plan.replaced.push_back(
        fmt::format("{} aggregators asked for, pairwise exchange has {}", *facts.wishes.aggregators, count));
  }
  if (plan.domain_kind == DomainKind::kGroupCyclic) {
    plan.domain_kind = DomainKind::kStaticCyclic;
    plan.replaced.push_back("group_cyclic domains asked for, pairwise exchange has static_cyclic ones");
  }
  plan.aggregators_reason = "pairwise exchange ends on every rank of the greatest power of two";
}

// Whether messages from every rank to every aggregator would be many and tiny.
bool tiny_messages(const Facts& facts, const Plan& plan) {
  std::string reason;
  const std::int64_t aggregators = default_aggregators(facts, plan, reason);
  const std::int64_t rounds = plan.region.bytes() / (aggregators * facts.wishes.most_window_bytes) + 1;
  const std::int64_t messages = aggregators * plan.active_ranks * rounds;
  return aggregators >= kManyAggregators && plan.bytes / messages < kTinyMessage;
}

void choose_exchange(const Facts& facts, Plan& plan) {
  const bool can_share = facts.machine.shares_memory();
  if (facts.wishes.exchange) {
    plan.exchange = *facts.wishes.exchange;
    plan.exchange_reason = "asked for by hint";
  } else if (can_share) {
    plan.exchange = Exchange::kShared;
    plan.exchange_reason = "ranks of a node share memory";
  } else if (tiny_messages(facts, plan)) {
    plan.exchange = Exchange::kPairwise;
    plan.exchange_reason = "direct messages would be many and tiny";
  } else {
    plan.exchange = Exchange::kDirect;
    plan.exchange_reason = "no ranks share memory";
  }
  if (plan.exchange == Exchange::kShared && !can_share && facts.machine.ranks() > 1) {  // only a hint can ask for that
    plan.exchange = Exchange::kDirect;
    plan.exchange_reason = "no ranks share memory";
    plan.replaced.push_back("shared exchange asked for, but no ranks share memory");
  }
}

// As many as wished for, or as the largest node has ranks.
int choose_local_aggregators(const Facts& facts, Plan& plan) {
  const int wanted = facts.wishes.local_aggregators.value_or(1);
  const int used = std::min(wanted, largest_group(plan.sharing_of));
  if (used < wanted) {
    plan.replaced.push_back(
        fmt::format("{} local aggregators a node asked for, {} used: no node has more ranks", wanted, used));
  }
  return used;
}

// Who meets in memory, and who speaks for whom to the other nodes.
void choose_groups(const Facts& facts, Plan& plan) {
  plan.sharing_of = facts.machine.sharing_of;
  if (plan.exchange != Exchange::kShared) {
    std::iota(plan.sharing_of.begin(), plan.sharing_of.end(), 0);
    if (facts.wishes.local_aggregators) {
      plan.replaced.push_back(fmt::format("local aggregators asked for, but {} exchange has every rank send for itself",
                                          name(plan.exchange)));
    }
  }
  plan.local_aggregators = plan.exchange == Exchange::kShared ? choose_local_aggregators(facts, plan) : 1;
  plan.local_aggregator_of = local_aggregator_of(plan.sharing_of, plan.local_aggregators);
}

void choose_rounds(const Facts& facts, Plan& plan) {
  std::int64_t window_bytes = facts.wishes.most_window_bytes;
  if (!facts.storage.network && facts.machine.nodes() == 1) {
    const std::int64_t wanted = kNodeWindowPerRank * facts.machine.ranks();
    window_bytes = std::min(window_bytes, std::clamp(wanted, kLeastNodeWindow, kMostNodeWindow));
  }
  plan.round_size = {std::max<std::int64_t>(window_bytes, 1),
                     plan.domain_kind == DomainKind::kEven ? 1 : facts.storage.lock_bytes};
  plan.depth = facts.wishes.depth;
  fit_windows(facts.machine, plan);
  const auto aggregators = static_cast<std::int64_t>(plan.aggregators.size());
  const std::int64_t least_window = plan.region.bytes() / (kMostWindows / aggregators + 1) + 1;
  if (plan.round_size.window_bytes < least_window) {
    plan.replaced.push_back(fmt::format("cb_buffer_size {} asked for, {} used: there would be too many rounds",
                                        plan.round_size.window_bytes, least_window));
    plan.round_size.window_bytes = least_window;
  }
  plan.rounds = 0;
  for (const Domain& domain : plan.domains) plan.rounds = std::max(plan.rounds, round_count(domain, plan.round_size));
}

void choose_sparse(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  if (facts.wishes.sparse) {
    plan.sparse = *facts.wishes.sparse;
    return;
  }
  plan.sparse = std::any_of(summaries.begin(), summaries.end(), [&](const AccessSummary& summary) {
    return !std::all_of(plan.domains.begin(), plan.domains.end(),
                        [&](const Domain& domain) { return meets(summary, domain); });
  });
}

void plan_two_phase(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan) {
  choose_exchange(facts, plan);
  choose_domains(facts, plan);
  if (plan.exchange == Exchange::kPairwise) {
    set_pairwise_aggregators(facts, plan);
  } else {
    choose_aggregators(facts, plan);
  }
  plan.domains = make_domains({plan.domain_kind, plan.region, static_cast<int>(plan.aggregators.size()),
                               facts.storage.lock_bytes, facts.storage.servers});
  choose_groups(facts, plan);
  choose_rounds(facts, plan);
  choose_sparse(facts, summaries, plan);
  if (facts.direction == Direction::kRead) plan.prefetch = {facts.wishes.max_acc, facts.storage.lock_bytes};
  plan.replaced.insert(plan.replaced.end(), facts.wishes.unreadable.begin(), facts.wishes.unreadable.end());
}

// Whether the pieces are so large that every rank is best off alone.
bool large_pieces(const Facts& facts, const Totals& totals) {
  const std::int64_t mean = totals.bytes / std::max<std::int64_t>(totals.pieces, 1);
  if (facts.storage.network) return !totals.interleaved && mean >= facts.storage.lock_bytes;
  return mean >= kLargePiece;
}

void choose_method(const Facts& facts, const Totals& totals, Plan& plan) {
  const auto choose = [&](Method method, std::string reason) {
    plan.method = method;
    plan.reason = std::move(reason);
  };
  const bool wants_two_phase = facts.wishes.method == Method::kTwoPhase;
  if (facts.atomic || !totals.ascending) {
    if (wants_two_phase) plan.replaced.push_back("two_phase asked for, replaced by independent access");
    return choose(Method::kIndependent, facts.atomic ? "atomic mode locks every rank's bytes"
                                                     : "the pieces of some rank do not ascend in the file");
  }
  if (facts.wishes.method) return choose(*facts.wishes.method, "asked for by hint");
  if (totals.active_ranks == 1) return choose(Method::kIndependent, "only one rank has bytes to move");
  if (large_pieces(facts, totals)) return choose(Method::kIndependent, "the pieces are large");
  std::string aggregators_reason;
  const int aggregators = default_aggregators(facts, plan, aggregators_reason);
  const std::int64_t alone = independent_cost(facts, totals);
  const std::int64_t together = two_phase_cost(facts, totals, aggregators, facts.wishes.most_window_bytes);
  choose(alone <= together ? Method::kIndependent : Method::kTwoPhase,
         fmt::format("{} us estimated for independent access, {} us for two-phase", alone / 1000, together / 1000));
}

std::string print_two_phase(const Plan& plan) {
  return fmt::format(
      "; {} aggregators [{}] ({}); {} domains ({}); {} rounds of {} bytes, {} in flight; {} exchange ({}), {} local "
      "aggregators a node, {}",
      plan.aggregators.size(), fmt::join(plan.aggregators, " "), plan.aggregators_reason, name(plan.domain_kind),
      plan.domains_reason, plan.rounds, plan.round_size.window_bytes, plan.depth, name(plan.exchange),
      plan.exchange_reason, plan.local_aggregators, plan.sparse ? "sparse" : "dense");
}

}  // namespace

Plan make_plan(const Facts& facts, std::span<const AccessSummary> summaries) {
  const Totals totals = total_of(summaries);
  Plan plan;
  plan.direction = facts.direction;
  if (totals.refused) {
    plan.reason = "a rank's arguments were refused";
    return plan;
  }
  plan.region = totals.region;
  plan.bytes = totals.bytes;
  plan.pieces = totals.pieces;
  plan.active_ranks = totals.active_ranks;
  if (totals.bytes == 0) {
    plan.reason = "no rank has bytes to move";
    return plan;
  }
  choose_method(facts, totals, plan);
  if (plan.method != Method::kTwoPhase) return plan;
  Plan together = plan;
  plan_two_phase(facts, summaries, together);
  const bool windows_too_large =
      together.round_size.window_bytes > std::max(facts.wishes.most_window_bytes, kMostWindow);
  if (fits(facts.machine, together) && !windows_too_large) return together;
  if (facts.wishes.method) plan.replaced.push_back("two_phase asked for, replaced by independent access");
  plan.method = Method::kIndependent;
  plan.reason =
      windows_too_large
          ? "the region is too large for windows"
          : "two-phase access needs more memory than is set aside, and threads may not send messages to get more";
  return plan;
}

std::optional<std::size_t> aggregator_number(const Plan& plan, int rank) {
  const auto found = std::find(plan.aggregators.begin(), plan.aggregators.end(), rank);
  if (found == plan.aggregators.end()) return std::nullopt;
  return static_cast<std::size_t>(found - plan.aggregators.begin());
}

bool meets(const AccessSummary& summary, const Domain& domain) {
  return summary.bytes > 0 && !intersection(summary.file_extent, domain.extent).empty();
}

bool same_but_moved(const Plan& earlier, const Plan& later, std::int64_t distance) {
  if (earlier.domains.size() != later.domains.size()) return false;
  Plan moved = earlier;
  const auto move = [&](Extent& extent) { extent = {extent.begin + distance, extent.end + distance}; };
  move(moved.region);
  for (Domain& domain : moved.domains) {
    move(domain.extent);
    if (domain.block_bytes > 0) domain.first_block += distance;
  }
  // Windows begin at multiples of the unit: they move along only by whole units.
  const bool in_step = distance % moved.round_size.unit == 0 || moved.round_size.window_bytes % moved.round_size.unit;
  return in_step && moved == later;
}

std::string print(const Plan& plan) {
  std::string text = fmt::format("{} {}: {} bytes in {} pieces of {} ranks in [{}, {}); {}", name(plan.method),
                                 plan.direction == Direction::kRead ? "read" : "write", plan.bytes, plan.pieces,
                                 plan.active_ranks, plan.region.begin, plan.region.end, plan.reason);
  if (plan.method == Method::kTwoPhase) text += print_two_phase(plan);
  if (plan.prefetch.max_acc > 0) {
    text +=
        fmt::format("; prefetching {} blocks of {} bytes at once", plan.prefetch.max_acc, plan.prefetch.block_bytes);
  }
  for (const std::string& what : plan.replaced) text += "; " + what;
  return text;
}

std::size_t hash(const Plan& plan) { return std::hash<std::string>{}(print(plan)); }

}  // namespace weir::plan
