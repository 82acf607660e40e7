#include "exec/call/shares.h"

namespace weir::exec {

Share share_of(const layout::RequestList& requests, const plan::Window& window, const layout::Tiling* tiling) {
  Share share;
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Extent extent = window.extent(i);
    if (extent.empty()) continue;
    const Extent positions = requests.positions_within(extent);
    if (positions.empty()) continue;
    share.bytes += positions.bytes();
    if (tiling == nullptr) continue;
    const Extent data = {requests.data_offset() + positions.begin, requests.data_offset() + positions.end};
    const std::int64_t origin = extent.begin - window.place(i);
    share.sum = layout::Tiling::add(share.sum, tiling->of(requests.view().layout(), data, origin));
  }
  return share;
}

std::uint64_t full_sum(const plan::Window& window, const layout::Tiling& tiling) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Extent extent = window.extent(i);
    if (!extent.empty()) sum = layout::Tiling::add(sum, tiling.of(extent, extent.begin - window.place(i)));
  }
  return sum;
}

std::vector<std::int64_t> rounds_of(const plan::Plan& plan) {
  std::vector<std::int64_t> rounds;
  for (const plan::Domain& domain : plan.domains) rounds.push_back(plan::round_count(domain, plan.round_size));
  return rounds;
}

RoundTable<Share> shares_of(const layout::RequestList& requests, const plan::Plan& plan, const layout::Tiling* tiling) {
  RoundTable<Share> shares(plan.domains.size(), plan.rounds);
  if (requests.bytes() == 0) return shares;
  const Extent all = requests.file_extent();
  for (std::size_t a = 0; a < plan.domains.size(); ++a) {
    if (intersection(all, plan.domains[a].extent).empty()) continue;
    const std::int64_t rounds = plan::round_count(plan.domains[a], plan.round_size);
    for (std::int64_t round = 0; round < rounds; ++round) {
      shares.at(a, round) = share_of(requests, window_of(plan, a, round), tiling);
    }
  }
  return shares;
}

}  // namespace weir::exec
