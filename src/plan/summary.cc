#include "plan/summary.h"

#include <algorithm>
#include <vector>

#include "layout/encode.h"

namespace weir::plan {

namespace {

// Extents that are longer than the region together overlap; others have to be sorted.
bool some_overlap(std::span<const AccessSummary> summaries, const Extent& region) {
  std::int64_t room = region.bytes();
  for (const AccessSummary& summary : summaries) {
    if (summary.bytes == 0) continue;
    if (summary.file_extent.bytes() > room) return true;
    room -= summary.file_extent.bytes();
  }
  std::vector<Extent> extents;
  for (const AccessSummary& summary : summaries) {
    if (summary.bytes > 0) extents.push_back(summary.file_extent);
  }
  std::ranges::stable_sort(extents, {}, &Extent::begin);
  for (std::size_t i = 1; i < extents.size(); ++i) {
    if (extents[i].begin < extents[i - 1].end) return true;
  }
  return false;
}

}  // namespace

AccessSummary summary_of(const layout::Layout& wanted) {
  AccessSummary summary;
  summary.bytes = wanted.data_bytes();
  summary.file_pieces = wanted.piece_count();
  if (summary.bytes == 0) return summary;
  summary.file_extent = wanted.span();
  summary.structure = wanted.shifted(-wanted.first()).fingerprint();
  summary.first_piece = wanted.first();
  summary.ascending = wanted.is_ascending() && wanted.depth() <= layout::kDeepestEncoded ? 1 : 0;
  return summary;
}

Totals total_of(std::span<const AccessSummary> summaries) {
  Totals totals;
  for (const AccessSummary& summary : summaries) {
    totals.refused = totals.refused || summary.failed != 0;
    totals.ascending = totals.ascending && summary.ascending != 0;
    totals.region = hull(totals.region, summary.file_extent);
    totals.bytes += summary.bytes;
    totals.pieces += summary.file_pieces;
    totals.active_ranks += summary.bytes > 0 ? 1 : 0;
    totals.moved_ranks += summary.moved;
  }
  totals.interleaved = some_overlap(summaries, totals.region);
  return totals;
}

void drop_moved(std::span<AccessSummary> summaries) {
  for (AccessSummary& summary : summaries) {
    if (summary.moved != 0) summary = {};
  }
}

bool same_but_moved(AccessSummary earlier, const AccessSummary& later, std::int64_t distance) {
  if (earlier.bytes > 0) {
    earlier.file_extent = {earlier.file_extent.begin + distance, earlier.file_extent.end + distance};
    earlier.first_piece += distance;
  }
  return earlier == later;
}

}  // namespace weir::plan
