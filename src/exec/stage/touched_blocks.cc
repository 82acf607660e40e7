#include "exec/stage/touched_blocks.h"

#include <algorithm>
#include <limits>

#include "plan/spans.h"

namespace weir::exec {

namespace {

constexpr std::int64_t kLastOffset = std::numeric_limits<std::int64_t>::max();
constexpr Extent kNotLookedFor = {-1, -1};

}  // namespace

TouchedBlocks::TouchedBlocks(const plan::Plan& plan, const Schedule& schedule, std::span<Extent> room)
    : plan_(plan),
      schedule_(schedule),
      domain_(plan.domains[*schedule.aggregator]),
      ranges_(room.first(ranks_of(schedule))) {
  std::ranges::fill(ranges_, kNotLookedFor);
}

Extent TouchedBlocks::next(std::int64_t from) {
  std::int64_t first = kLastOffset;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    if (ranges_[i].begin < from) ranges_[i] = first_range(i, from);
    first = std::min(first, ranges_[i].begin);
  }
  if (first == kLastOffset) return {};
  const Extent block = plan::rest_of_block(first, plan_.prefetch.block_bytes);
  Extent range;
  for (const Extent& each : ranges_) {
    if (block.contains(each.begin)) range = hull(range, each);
  }
  return range;
}

const layout::RequestList& TouchedBlocks::request(std::size_t i) const {
  const std::size_t near = schedule_.near_requests.size();
  return i < near ? schedule_.near_requests[i] : schedule_.far_ranks[i - near].requests;
}

Extent TouchedBlocks::first_range(std::size_t i, std::int64_t from) const {
  from = std::max(from, domain_.extent.begin);
  while (true) {
    const Extent rest = within(i, {from, domain_.extent.end});
    if (rest.empty()) return {kLastOffset, kLastOffset};
    from = first_in_domain(rest.begin);
    if (from != rest.begin) continue;
    const Extent block = plan::rest_of_block(from, plan_.prefetch.block_bytes);
    return within(i, intersection(block, domain_.extent));
  }
}

// The requests' offsets count from the begin of the region.
Extent TouchedBlocks::within(std::size_t i, Extent part) const {
  const std::int64_t begin = plan_.region.begin;
  const Extent found = plan::span_within(request(i), {part.begin - begin, part.end - begin});
  return found.empty() ? Extent{} : Extent{found.begin + begin, found.end + begin};
}

std::int64_t TouchedBlocks::first_in_domain(std::int64_t offset) const {
  if (domain_.block_bytes == 0) return offset;
  if (offset < domain_.first_block) return domain_.first_block;
  const std::int64_t behind = (offset - domain_.first_block) % domain_.stride_bytes;
  return behind < domain_.block_bytes ? offset : offset - behind + domain_.stride_bytes;
}

}  // namespace weir::exec
