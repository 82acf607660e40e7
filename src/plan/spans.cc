#include "plan/spans.h"

#include <algorithm>
#include <limits>

namespace weir::plan {

namespace {

constexpr std::int64_t kLastOffset = std::numeric_limits<std::int64_t>::max();

}  // namespace

Extent span_within(const layout::RequestList& requests, Extent part) {
  part = intersection(part, requests.file_extent());
  if (part.empty()) return {};
  const Extent positions = requests.positions_within(part);
  if (positions.empty()) return {};
  const std::int64_t first = requests.data_offset() + positions.begin;
  return {requests.view().file_offset(first), requests.view().file_offset(first + positions.bytes() - 1) + 1};
}

Extent span_within(const Window& window, Extent part) {
  part = intersection(part, window.clip);
  if (part.empty() || window.count == 0) return {};
  const auto block_at = [&](std::int64_t offset) {
    return std::clamp<std::int64_t>((offset - window.first_block) / window.stride_bytes, 0, window.count - 1);
  };
  const std::int64_t first = block_at(part.begin);
  Extent span = intersection(window.extent(first), part);
  if (span.empty() && first + 1 < window.count) span = intersection(window.extent(first + 1), part);
  if (span.empty()) return {};
  return {span.begin, intersection(window.extent(block_at(part.end - 1)), part).end};
}

Extent rest_of_block(std::int64_t offset, std::int64_t block_bytes) {
  const std::int64_t left = block_bytes - offset % block_bytes;
  return {offset, left > kLastOffset - offset ? kLastOffset : offset + left};
}

Extent block_span_from(const layout::RequestList& requests, std::int64_t from, std::int64_t block_bytes) {
  const Extent rest = span_within(requests, {from, kLastOffset});
  if (rest.empty()) return {};
  return span_within(requests, rest_of_block(rest.begin, block_bytes));
}

}  // namespace weir::plan
