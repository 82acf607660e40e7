#include "sim/traffic.h"

#include <algorithm>
#include <map>

#include "layout/merge.h"
#include "layout/query.h"
#include "plan/aggregators.h"
#include "plan/exchange.h"
#include "plan/merging.h"

namespace weir::sim {

namespace {

// Parties whose requests are merged to see what is left of them, and the pieces that this may take.
constexpr std::size_t kMergedParties = 4;
constexpr std::int64_t kMostMergedPieces = 4'000'000;

class TrafficCounter {
 public:
  TrafficCounter(const plan::Plan& plan, std::int64_t rounds) : plan_(plan), blocks_(blocks_of(plan, rounds)) {
    sum_.resize(static_cast<std::size_t>(rounds) * plan.aggregators.size());
    traffic_.of_round.resize(static_cast<std::size_t>(rounds));
    traffic_.rounds = plan.rounds;
  }

  void begin_party(int rank) {
    Party party;
    party.rank = rank;
    party.ranks = 0;
    traffic_.parties.push_back(party);
    touched_.clear();
  }

  void add_rank(const layout::Layout& request) {
    Party& party = traffic_.parties.back();
    ++party.ranks;
    if (request.empty()) return;
    party.bytes += request.data_bytes();
    party.pieces += request.piece_count();
    party.structure_bytes += static_cast<std::int64_t>(request.memory_bytes());
    add_blocks(request);
  }

  void end_party() {
    const Party& party = traffic_.parties.back();
    const double piece_share =
        static_cast<double>(party.pieces) / static_cast<double>(std::max<std::int64_t>(party.bytes, 1));
    std::ranges::sort(touched_);
    for (const std::size_t window : touched_) {
      const std::size_t round = window / plan_.aggregators.size();
      const std::size_t aggregator = window % plan_.aggregators.size();
      const auto pieces = static_cast<std::int64_t>(static_cast<double>(sum_[window]) * piece_share);
      traffic_.of_round[round].push_back({.party = party.rank,
                                          .aggregator = static_cast<int>(aggregator),
                                          .bytes = sum_[window],
                                          .pieces = std::max<std::int64_t>(pieces, 1),
                                          .in_memory = in_memory(party.rank, aggregator)});
      sum_[window] = 0;
    }
  }

  Traffic traffic() { return std::move(traffic_); }

 private:
  bool in_memory(int rank, std::size_t aggregator) const {
    const auto of = [&](int one) { return plan_.sharing_of[static_cast<std::size_t>(one)]; };
    return plan_.in_memory && of(rank) == of(plan_.aggregators[aggregator]);
  }

  void add_blocks(const layout::Layout& request) {
    const std::int64_t all = request.data_bytes();
    auto block = blocks_.begin();
    for (std::int64_t data = 0; data < all;) {
      const std::int64_t offset = layout::offset_of(request, data);
      block = std::partition_point(block, blocks_.end(), [&](const Block& one) { return one.extent.end <= offset; });
      if (block == blocks_.end()) return;
      if (offset < block->extent.begin) {
        data = layout::data_bytes_below(request, block->extent.begin);
        continue;
      }
      const std::int64_t behind = layout::data_bytes_below(request, block->extent.end);
      const std::size_t window = static_cast<std::size_t>(block->round) * plan_.aggregators.size() +
                                 static_cast<std::size_t>(block->aggregator);
      if (sum_[window] == 0) touched_.push_back(window);
      sum_[window] += behind - data;
      data = behind;
    }
  }

  const plan::Plan& plan_;
  std::vector<Block> blocks_;
  std::vector<std::int64_t> sum_;  // of the party, by window
  std::vector<std::size_t> touched_;
  Traffic traffic_;
};

std::vector<std::vector<int>> ranks_of_parties(const plan::Plan& plan) {
  std::map<int, std::vector<int>> served;
  for (std::size_t rank = 0; rank < plan.local_aggregator_of.size(); ++rank)
    served[plan.local_aggregator_of[rank]].push_back(static_cast<int>(rank));
  std::vector<std::vector<int>> ranks;
  for (auto& [party, all] : served) ranks.push_back(std::move(all));
  return ranks;
}

// Merges the requests of a few parties; what is left of their pieces holds for all.
void settle_merged(plan::Plan& plan, const Requests& requests, const std::vector<std::vector<int>>& parties,
                   Traffic& traffic) {
  if (plan.merging == plan::Merging::kOff) return;
  plan::MergeCounts counts;
  const std::size_t step = std::max<std::size_t>(parties.size() / kMergedParties, 1);
  for (std::size_t i = 0; i < parties.size() && counts.pieces.apart < kMostMergedPieces; i += step) {
    std::vector<layout::Layout> layouts;
    for (const int rank : parties[i]) layouts.push_back(requests(rank));
    const layout::PieceCounts found = layout::count_pieces(layouts);
    counts.pieces.apart += found.apart;
    counts.pieces.together += found.together;
  }
  plan::settle_merging(plan, counts);
  if (plan.merging != plan::Merging::kOn || counts.pieces.apart == 0) return;
  const double left = static_cast<double>(counts.pieces.together) / static_cast<double>(counts.pieces.apart);
  for (Party& party : traffic.parties) party.merged = left;
  for (std::vector<Parcel>& round : traffic.of_round) {
    for (Parcel& parcel : round) {
      if (parcel.in_memory) continue;
      parcel.pieces = std::max<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(parcel.pieces) * left), 1);
    }
  }
}

// Where all pairs meet in every round, those without bytes, too.
void add_empty_parcels(const plan::Plan& plan, Traffic& traffic) {
  for (std::vector<Parcel>& round : traffic.of_round) {
    std::vector<Parcel> all;
    std::size_t next = 0;
    for (const Party& party : traffic.parties) {
      std::vector<bool> has(plan.aggregators.size());
      for (; next < round.size() && round[next].party == party.rank; ++next) {
        has[static_cast<std::size_t>(round[next].aggregator)] = true;
        all.push_back(round[next]);
      }
      for (std::size_t i = 0; i < has.size(); ++i) {
        if (!has[i]) {
          Parcel empty;
          empty.party = party.rank;
          empty.aggregator = static_cast<int>(i);
          all.push_back(empty);
        }
      }
    }
    round = std::move(all);
  }
}

}  // namespace

std::vector<Block> blocks_of(const plan::Plan& plan, std::int64_t rounds) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < plan.domains.size(); ++i) {
    const std::int64_t own = std::min(rounds, plan::round_count(plan.domains[i], plan.round_size));
    for (std::int64_t round = 0; round < own; ++round) {
      const plan::Window window = plan::window_of(plan.domains[i], plan.round_size, round);
      for (std::int64_t number = 0; number < window.count; ++number) {
        const Extent extent = window.extent(number);
        if (!extent.empty()) blocks.push_back({extent, static_cast<int>(i), round});
      }
    }
  }
  std::ranges::sort(blocks, {}, [](const Block& block) { return block.extent.begin; });
  return blocks;
}

Traffic traffic_of(plan::Plan& plan, const Requests& requests, std::int64_t most_rounds) {
  const std::vector<std::vector<int>> parties = ranks_of_parties(plan);
  TrafficCounter counter(plan, std::min(plan.rounds, most_rounds));
  for (const std::vector<int>& ranks : parties) {
    counter.begin_party(plan.local_aggregator_of[static_cast<std::size_t>(ranks.front())]);
    for (const int rank : ranks) counter.add_rank(requests(rank));
    counter.end_party();
  }
  Traffic traffic = counter.traffic();
  settle_merged(plan, requests, parties, traffic);
  if (plan.sparse == false) add_empty_parcels(plan, traffic);
  return traffic;
}

}  // namespace weir::sim
