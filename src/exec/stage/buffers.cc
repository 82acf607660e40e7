#include "exec/stage/buffers.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/bytes.h"
#include "comm/agree.h"

namespace weir::exec {

namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kPage = 4096;
static_assert(sizeof(WindowSlot::Header) <= kLine);

std::size_t position_in(const std::vector<int>& ranks, int rank) {
  return static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

std::vector<int> members(const ShareGroup& group, std::span<const int> ranks) {
  std::set<int> inside;
  for (const int rank : ranks) {
    if (group.contains(rank)) inside.insert(rank);
  }
  return {inside.begin(), inside.end()};
}

// The most ranks out of `ranks` that one group has.
std::size_t most_in_a_group(const plan::Plan& plan, std::span<const int> ranks) {
  std::map<int, std::set<int>> of_group;
  std::size_t most = 0;
  for (const int rank : ranks) {
    std::set<int>& inside = of_group[plan.sharing_of[static_cast<std::size_t>(rank)]];
    inside.insert(rank);
    most = std::max(most, inside.size());
  }
  return most;
}

}  // namespace

Berths Berths::of(const ShareGroup& group, const plan::Plan& plan) {
  return {members(group, plan.aggregators), members(group, plan.local_aggregator_of.all()),
          most_in_a_group(plan, plan.aggregators), most_in_a_group(plan, plan.local_aggregator_of.all())};
}

Result<Buffers> Buffers::make(comm::Comm& comm, ShareGroup& group, const plan::Plan& plan, const Berths& berths,
                              std::int64_t parcel_buffer_bytes) {
  Buffers buffers;
  buffers.berths_ = &berths;
  buffers.depth_ = static_cast<std::size_t>(plan.depth);
  buffers.window_bytes_ = round_up(static_cast<std::size_t>(plan.round_size.window_bytes), kLine);
  buffers.slot_bytes_ = kLine + buffers.window_bytes_;
  if (plan.direction == Direction::kWrite) {
    buffers.slot_bytes_ += layout::CoverageMap::words_for(plan.round_size.window_bytes) * sizeof(std::uint64_t);
  }
  buffers.slot_bytes_ = round_up(buffers.slot_bytes_, kPage);
  buffers.parcel_bytes_ = round_up(static_cast<std::size_t>(parcel_buffer_bytes), kPage);
  const std::size_t total = buffers.depth_ * (berths.most_aggregators * buffers.slot_bytes_ +
                                              berths.most_local_aggregators * buffers.parcel_bytes_);
  Status status = group.buffers().ensure(comm, group.shared(), total);
  if (!group.shared() && plan.sharing_of.size() > 1) status = comm::agree(comm, status);
  if (!status.ok()) return status;
  buffers.base_ = group.buffers().bytes().data();
  return buffers;
}

WindowSlot Buffers::window(int aggregator_rank, std::size_t slot) const {
  std::byte* begin = base_ + (position_in(berths_->aggregators, aggregator_rank) * depth_ + slot) * slot_bytes_;
  std::byte* data = begin + kLine;
  auto* words = reinterpret_cast<std::uint64_t*>(data + window_bytes_);
  return {reinterpret_cast<WindowSlot::Header*>(begin),
          data,
          {words, (slot_bytes_ - kLine - window_bytes_) / sizeof(std::uint64_t)}};
}

std::byte* Buffers::parcels(int local_aggregator_rank, std::size_t slot) const {
  const std::size_t windows = berths_->aggregators.size() * depth_ * slot_bytes_;
  return base_ + windows +
         (position_in(berths_->local_aggregators, local_aggregator_rank) * depth_ + slot) * parcel_bytes_;
}

}  // namespace weir::exec
