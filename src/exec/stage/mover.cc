#include "exec/stage/mover.h"

#include <algorithm>

#include "layout/copy.h"
#include "layout/copy_slices.h"

namespace weir::exec {

Mover::Mover(const layout::RequestList& requests)
    : requests_(requests),
      slices_(requests.slices()),
      file_(requests.file_cursor()),
      memory_(requests.memory_cursor()) {}

Mover::Part Mover::part_of(Direction direction, const plan::Window& window, std::int64_t index,
                           std::int64_t data_end) const {
  Extent extent = window.extent(index);
  const std::int64_t origin = extent.begin - window.place(index);
  if (direction == Direction::kRead) extent.end = std::min(extent.end, data_end);
  if (extent.empty()) return {{}, origin};
  return {requests_.positions_within(extent), origin};
}

std::int64_t Mover::bytes_in(const plan::Window& window) const {
  std::int64_t bytes = 0;
  for (std::int64_t i = 0; i < window.count; ++i) {
    bytes += part_of(Direction::kWrite, window, i, 0).positions.bytes();
  }
  return bytes;
}

void Mover::copy(Direction direction, const Part& part, const WindowSlot& slot) {
  if (slices_.position() != part.positions.begin) slices_.seek(part.positions.begin);
  layout::copy_slices(direction, slices_, {slot.data, part.origin}, part.positions.bytes());
  if (direction == Direction::kRead || slot.header->marked == 0) return;
  file_.seek(requests_.data_offset() + part.positions.begin);
  layout::CoverageMap map(slot.marks);
  layout::mark_pieces(file_, map, part.origin, part.positions.bytes());
}

std::int64_t Mover::move(Direction direction, const plan::Window& window, const WindowSlot& slot,
                         std::int64_t data_end) {
  std::int64_t copied = 0;
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Part part = part_of(direction, window, i, data_end);
    if (part.positions.empty()) continue;
    copy(direction, part, slot);
    copied += part.positions.bytes();
  }
  return copied;
}

std::int64_t Mover::move_packed(Direction direction, const plan::Window& window, const WindowSlot& slot,
                                std::int64_t data_end, std::byte* packed) {
  std::int64_t copied = 0;
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Part part = part_of(direction, window, i, data_end);
    if (part.positions.empty()) continue;
    slices_.rebase(packed + copied - part.positions.begin);
    copy(direction, part, slot);
    copied += part.positions.bytes();
  }
  return copied;
}

std::int64_t Mover::pack(Direction direction, const plan::Window& window, std::byte* packed, std::int64_t data_end) {
  std::int64_t copied = 0;
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Part part = part_of(direction, window, i, data_end);
    if (part.positions.empty()) continue;
    memory_.seek(part.positions.begin);
    copied += layout::transfer(direction, requests_.memory().base, memory_,
                               {packed + copied, static_cast<std::size_t>(part.positions.bytes())});
  }
  return copied;
}

// Run by run: what is regular in both the request and the merged ones is copied by one kernel. `packed` stands for
// place 0 of the merged requests.
void Mover::copy_merged(Direction direction, Extent positions, const MergedPacking& merged) {
  if (slices_.position() != positions.begin) slices_.seek(positions.begin);
  for (std::int64_t left = positions.bytes(); left > 0;) {
    layout::SliceRun run = slices_.next_run(left);
    left -= run.total_bytes();
    while (run.count > 0) {
      const auto at = merged.places.of({run.file_offset - merged.begin, run.file_stride, run.bytes, run.count});
      const layout::StridedBytes parcel{merged.packed + at.place, at.stride};
      const layout::StridedBytes memory{run.memory, run.memory_stride};
      if (direction == Direction::kWrite) {
        layout::copy_pieces(parcel, {memory.address, memory.stride}, run.bytes, at.count);
      } else {
        layout::copy_pieces(memory, {parcel.address, parcel.stride}, run.bytes, at.count);
      }
      run.file_offset += at.count * run.file_stride;
      run.memory += at.count * run.memory_stride;
      run.count -= at.count;
    }
  }
}

std::int64_t Mover::pack_merged(Direction direction, const plan::Window& window, const MergedPacking& merged,
                                std::int64_t data_end) {
  std::int64_t copied = 0;
  std::byte* packed = merged.packed;
  for (std::int64_t i = 0; i < window.count; ++i) {
    const Extent extent = window.extent(i);
    if (extent.empty()) continue;
    const std::int64_t first = merged.places.below(extent.begin - merged.begin);
    const Part part = part_of(direction, window, i, data_end);
    if (!part.positions.empty()) {
      copy_merged(direction, part.positions, {merged.places, merged.begin, packed - first});
      copied += part.positions.bytes();
    }
    packed += merged.places.below(extent.end - merged.begin) - first;
  }
  return copied;
}

}  // namespace weir::exec
