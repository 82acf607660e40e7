#include "exec/call/fill_rounds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "exec/call/freight_parcels.h"
#include "exec/call/shares.h"

namespace weir::exec {

namespace {

class RoundFiller {
 public:
  RoundFiller(const RoundsInput& input, Schedule& schedule) : input_(input), plan_(input.plan), schedule_(schedule) {}

  void run();

 private:
  bool writing() const { return plan_.direction == Direction::kWrite; }
  bool far(std::size_t aggregator) const { return !input_.group.contains(plan_.aggregators[aggregator]); }
  bool several_groups() const { return input_.group.ranks().size() < plan_.sharing_of.size(); }
  bool pairwise() const { return plan_.exchange == plan::Exchange::kPairwise; }
  // Trades have no parcels of their own.
  bool sends_empty_parcels() const { return schedule_.dense && !pairwise(); }
  // Where a parcel begins behind one that ends there. What is traded has no gaps.
  std::int64_t behind(std::int64_t end) const { return pairwise() ? end : round_up<std::int64_t>(end, 64); }

  void plan_parcels(std::int64_t round);
  std::vector<Share> far_shares(std::size_t aggregator, std::int64_t round) const;
  void plan_window(std::size_t aggregator, std::int64_t round, std::span<const Share> far_shares);
  void plan_freight(std::span<const Share> far_shares);

  const RoundsInput& input_;
  const plan::Plan& plan_;
  Schedule& schedule_;
};

// The parcels of this rank's local aggregator in one round, and this rank's places in them.
void RoundFiller::plan_parcels(std::int64_t round) {
  const int local_aggregator = plan_.local_aggregator_of[static_cast<std::size_t>(input_.me)];
  std::vector<Parcel> parcels;
  std::vector<bool> takes_part(input_.group.ranks().size(), false);
  std::int64_t begin = 0;
  for (std::size_t a = 0; a < plan_.aggregators.size(); ++a) {
    if (!far(a)) continue;
    Parcel parcel{plan_.aggregators[a], begin, 0};
    for (std::size_t member = 0; member < input_.group.ranks().size(); ++member) {
      const int rank = input_.group.ranks()[member];
      if (plan_.local_aggregator_of[static_cast<std::size_t>(rank)] != local_aggregator) continue;
      const std::int64_t bytes = input_.tables.share(member, a, round).bytes;
      if (rank == input_.me && bytes > 0) {
        schedule_.visits.add({a, {begin, begin + Parcel::kHeaderBytes + (schedule_.merged ? 0 : parcel.bytes)}});
      }
      parcel.bytes += bytes;
      takes_part[member] = takes_part[member] || bytes > 0 || schedule_.dense;
    }
    if (parcel.bytes == 0 && !(sends_empty_parcels() && round < schedule_.rounds[a])) continue;
    if (schedule_.merged) parcel.bytes = input_.merge->bytes_in(a, round);
    parcels.push_back(parcel);
    begin = behind(begin + Parcel::kHeaderBytes + parcel.bytes);
    if (pairwise() && local_aggregator == input_.me) {
      schedule_.trades.own(round)[a] = Parcel::kHeaderBytes + parcel.bytes;
    }
  }
  schedule_.visits.end_round();
  if (local_aggregator != input_.me) return;
  schedule_.parcel_buffer_bytes = std::max(schedule_.parcel_buffer_bytes, begin);
  schedule_.parcels.push_back(std::move(parcels));
  schedule_.parcel_users.push_back(static_cast<int>(std::count(takes_part.begin(), takes_part.end(), true)));
}

// The window this rank keeps as aggregator: who comes, and whether all bytes together tile it.
void RoundFiller::plan_window(std::size_t aggregator, std::int64_t round, std::span<const Share> far_shares) {
  const plan::Window window = window_of(plan_, aggregator, round);
  int users = 0;
  Share all;
  for (std::size_t member = 0; member < input_.group.ranks().size(); ++member) {
    const Share& share = input_.tables.share(member, aggregator, round);
    users += meets(schedule_, plan_, input_.group.ranks()[member], aggregator, share.bytes) ? 1 : 0;
    all = {all.bytes + share.bytes, layout::Tiling::add(all.sum, share.sum)};
  }
  for (const Share& share : far_shares) all = {all.bytes + share.bytes, layout::Tiling::add(all.sum, share.sum)};
  schedule_.window_users.push_back(users);
  schedule_.window_bytes.push_back(all.bytes);
  const bool tiled = all.bytes == window.bytes() && all.sum == full_sum(window, input_.tiling);
  schedule_.window_marked.push_back(writing() && all.bytes > 0 && !tiled);
}

// What the far ranks have in a window.
std::vector<Share> RoundFiller::far_shares(std::size_t aggregator, std::int64_t round) const {
  const plan::Window window = window_of(plan_, aggregator, round).moved(-plan_.region.begin);
  std::vector<Share> shares;
  shares.reserve(schedule_.far_ranks.size());
  for (const FarRank& far_rank : schedule_.far_ranks) {
    const bool touches = !intersection(far_rank.extent, window.hull()).empty();
    shares.push_back(touches ? share_of(far_rank.requests, window, writing() ? &input_.tiling : nullptr) : Share());
  }
  return shares;
}

// The parcels that come from or go to other groups: one for each local aggregator whose ranks have bytes; in dense
// mode, for all.
void RoundFiller::plan_freight(std::span<const Share> far_shares) {
  std::vector<Parcel> freight = parcels_with_bytes(schedule_.far_ranks, far_shares);
  if (sends_empty_parcels()) freight = parcels_of_all(input_.far_parties, freight);
  std::int64_t begin = 0;
  for (Parcel& parcel : freight) {
    parcel.begin = begin;
    begin = behind(begin + Parcel::kHeaderBytes + parcel.bytes);
  }
  schedule_.freight_buffer_bytes = std::max(schedule_.freight_buffer_bytes, begin);
  schedule_.freight.push_back(std::move(freight));
}

void RoundFiller::run() {
  if (several_groups()) {
    for (std::int64_t round = 0; round < plan_.rounds; ++round) plan_parcels(round);
  }
  const std::optional<std::size_t> mine = schedule_.aggregator;
  if (!mine) return;
  for (std::int64_t round = 0; round < schedule_.rounds[*mine]; ++round) {
    const std::vector<Share> shares = far_shares(*mine, round);
    plan_window(*mine, round, shares);
    plan_freight(shares);
  }
}

}  // namespace

void fill_rounds(const RoundsInput& input, Schedule& schedule) { RoundFiller(input, schedule).run(); }

}  // namespace weir::exec
