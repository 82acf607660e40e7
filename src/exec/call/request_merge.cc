#include "exec/call/request_merge.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/collectives.h"
#include "exec/stage/schedule.h"
#include "layout/encode.h"
#include "layout/merge.h"
#include "layout/query.h"
#include "plan/served_ranks.h"

namespace weir::exec {

namespace {

// How many bytes of the layout lie in the window.
std::int64_t bytes_within(const layout::Layout& merged, const plan::Window& window) {
  std::int64_t bytes = 0;
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Extent extent = window.extent(i);
    if (extent.empty()) continue;
    bytes += layout::data_bytes_below(merged, extent.end) - layout::data_bytes_below(merged, extent.begin);
  }
  return bytes;
}

}  // namespace

RequestMerge::RequestMerge(Input input)
    : input_(std::move(input)),
      local_aggregator_(input_.plan.local_aggregator_of[static_cast<std::size_t>(input_.comm.rank())]) {}

Result<plan::MergeCounts> RequestMerge::count() {
  Status status = is_local_aggregator() ? guarded([this] { return merge(); }) : Status();
  std::int64_t sums[] = {found_.pieces.apart, found_.pieces.together, found_.too_long, found_.cannot,
                         status.ok() ? 0 : 1};
  Status summed = comm::reduce_all(input_.comm, comm::Reduction::kSum, sums);
  if (!summed.ok()) return summed;
  if (sums[4] > 0) return comm::agree(input_.comm, status);
  return plan::MergeCounts{{sums[0], sums[1]}, sums[2], sums[3]};
}

Status RequestMerge::merge() {
  std::vector<layout::Layout> requests;
  for (const int rank : plan::served_with(input_.plan, local_aggregator_)) {
    std::span<const std::byte> encoded = input_.request_of(rank);
    Result<layout::Layout> request = layout::decode(encoded);
    if (!request.ok()) return request.status();
    found_.pieces.apart += layout::joined_pieces(request.value());
    requests.push_back(std::move(request).value());
  }
  merged_ = layout::merged(requests);
  found_.cannot = merged_.overflowed() || merged_.depth() > layout::kDeepestEncoded ? 1 : 0;
  if (found_.cannot > 0) return {};
  found_.pieces.together = merged_.piece_count();
  const std::int64_t most = plan::most_merged_memory(merged_.data_bytes(), std::ssize(requests));
  found_.too_long = static_cast<std::int64_t>(merged_.memory_bytes()) > most ? 1 : 0;
  layout::encode(merged_, encoded_);
  return {};
}

std::int64_t RequestMerge::table_bytes() const {
  return static_cast<std::int64_t>(input_.plan.aggregators.size()) * input_.plan.rounds *
         static_cast<std::int64_t>(sizeof(std::int64_t));
}

std::byte* RequestMerge::block_of(int local_aggregator) const {
  const std::vector<int>& all = input_.berths.local_aggregators;
  return input_.group.merges().bytes().data() +
         (std::ranges::lower_bound(all, local_aggregator) - all.begin()) * block_bytes_;
}

std::int64_t RequestMerge::bytes_in(std::size_t aggregator, std::int64_t round) const {
  const auto* table = reinterpret_cast<const std::int64_t*>(block_of(local_aggregator_));
  return table[static_cast<std::int64_t>(aggregator) * input_.plan.rounds + round];
}

Status RequestMerge::share() {
  const std::int64_t mine = table_bytes() + std::ssize(encoded_);
  Result<std::int64_t> most = comm::all_max(input_.comm, mine);
  if (!most.ok()) return most.status();
  block_bytes_ = round_up<std::int64_t>(most.value(), 64);
  const std::size_t bytes = input_.berths.most_local_aggregators * static_cast<std::size_t>(block_bytes_);
  Status status = input_.group.merges().ensure(input_.comm, input_.group.shared(), bytes);
  if (!input_.group.shared()) status = comm::agree(input_.comm, status);
  if (!status.ok()) return status;
  if (is_local_aggregator()) tell();
  input_.group.tell_tables();
  input_.group.await_tables(&input_.comm);
  return comm::agree(input_.comm, is_local_aggregator() ? Status() : guarded([this] { return read(); }));
}

// The bytes in each window of aggregators elsewhere, then the merged requests.
void RequestMerge::tell() {
  const plan::Plan& plan = input_.plan;
  std::byte* block = block_of(local_aggregator_);
  auto* table = reinterpret_cast<std::int64_t*>(block);
  for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
    if (input_.group.contains(plan.aggregators[a])) continue;
    const std::int64_t rounds = plan::round_count(plan.domains[a], plan.round_size);
    for (std::int64_t round = 0; round < plan.rounds; ++round) {
      table[static_cast<std::int64_t>(a) * plan.rounds + round] =
          round < rounds ? bytes_within(merged_, window_of(plan, a, round).moved(-plan.region.begin)) : 0;
    }
  }
  std::ranges::copy(encoded_, block + table_bytes());
}

Status RequestMerge::read() {
  const std::byte* block = block_of(local_aggregator_);
  std::span<const std::byte> encoded(block + table_bytes(), static_cast<std::size_t>(block_bytes_ - table_bytes()));
  Result<layout::Layout> request = layout::decode(encoded);
  if (!request.ok()) return request.status();
  merged_ = std::move(request).value();
  return {};
}

}  // namespace weir::exec
