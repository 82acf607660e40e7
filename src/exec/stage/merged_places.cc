#include "exec/stage/merged_places.h"

#include <algorithm>

#include "layout/query.h"

namespace weir::exec {

namespace {

// Runs that are looked at one after the other before a search.
constexpr int kNextRuns = 4;

}  // namespace

MergedPlaces::MergedPlaces(const layout::Layout& merged) : merged_(merged), cursor_(merged), run_(cursor_.peek_run()) {}

std::int64_t MergedPlaces::below(std::int64_t offset) const { return layout::data_bytes_below(merged_, offset); }

// The run that has the offset: mostly this one or one of the next.
void MergedPlaces::find(std::int64_t offset) {
  for (int i = 0; i < kNextRuns && run_.length > 0 && offset >= run_.offset; ++i) {
    if (offset < run_end()) return;
    cursor_.skip(run_.bytes());
    run_ = cursor_.peek_run();
  }
  if (run_.length > 0 && offset >= run_.offset && offset < run_end()) return;
  const std::int64_t place = below(offset);
  cursor_.seek(place);
  cursor_.seek(place - cursor_.leaf_position().inner);
  run_ = cursor_.peek_run();
}

MergedPlaces::Places MergedPlaces::of(const Pieces& pieces) {
  find(pieces.offset);
  const std::int64_t index = run_.count == 1 ? 0 : (pieces.offset - run_.offset) / run_.stride;
  const std::int64_t inner = pieces.offset - run_.offset - index * run_.stride;
  const std::int64_t place = cursor_.data_position() + index * run_.length + inner;
  if (pieces.count == 1) return {place, 0, 1};
  // Several in one merged piece, or one each in merged pieces of the run.
  const std::int64_t inside = (run_.length - inner - pieces.bytes) / pieces.stride + 1;
  if (inside > 1) return {place, pieces.stride, std::min(pieces.count, inside)};
  if (run_.count == 1 || pieces.stride % run_.stride != 0) return {place, 0, 1};
  const std::int64_t step = pieces.stride / run_.stride;
  const std::int64_t apart = (run_.count - 1 - index) / step + 1;
  return {place, step * run_.length, std::min(pieces.count, apart)};
}

}  // namespace weir::exec
