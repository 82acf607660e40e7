#include "layout/request_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weir::layout {

Memory Memory::of(std::byte* base, const Layout& tile, std::int64_t tile_extent, std::int64_t tile_count) {
  return {base, Layout::repeat(tile_count, tile_extent, tile)};
}

SliceCursor::SliceCursor(const FileView& view, std::int64_t data_offset, const Memory& memory, std::int64_t bytes)
    : file_(view.cursor(data_offset)),
      memory_(memory.layout),
      base_(memory.base),
      data_offset_(data_offset),
      bytes_(bytes) {}

void SliceCursor::seek(std::int64_t position) {
  file_.seek(data_offset_ + position);
  memory_.seek(position);
  file_piece_ = {};
}

Slice SliceCursor::next(std::int64_t max_bytes) {
  const std::int64_t limit = std::min(max_bytes, remaining_bytes());
  if (limit <= 0) return {};
  if (file_piece_.length == 0) file_piece_ = file_.next_piece(remaining_bytes());
  const Piece memory_piece = memory_.next_piece(std::min(limit, file_piece_.length));
  const Slice slice{file_piece_.offset, base_ + memory_piece.offset, memory_piece.length};
  file_piece_.offset += slice.bytes;
  file_piece_.length -= slice.bytes;
  return slice;
}

SliceCursor::Sides SliceCursor::sides() {
  if (file_piece_.length > 0) seek(position());
  return {file_, memory_, base_};
}

SliceRun SliceCursor::next_run(std::int64_t max_bytes) {
  const std::int64_t limit = std::min(max_bytes, remaining_bytes());
  if (limit <= 0) return {};
  if (file_piece_.length > 0) {
    const Slice slice = next(limit);
    return {slice.file_offset, 0, slice.memory, 0, slice.bytes, 1};
  }
  const Run in_file = file_.peek_run(limit);
  const Run in_memory = memory_.peek_run(limit);
  const std::int64_t bytes = std::min(in_file.length, in_memory.length);
  // The side with the longer piece moves on inside that piece.
  const auto stride = [&](const Run& run) { return run.length == bytes ? run.stride : bytes; };
  const auto count = [&](const Run& run) {
    if (run.length == bytes) return run.count;
    return run.length - bytes < bytes ? 1 : run.length / bytes;
  };
  const std::int64_t slices = std::min(count(in_file), count(in_memory));
  file_.skip(slices * bytes);
  memory_.skip(slices * bytes);
  return {in_file.offset, stride(in_file), base_ + in_memory.offset, stride(in_memory), bytes, slices};
}

RequestList::RequestList(FileView view, std::int64_t data_offset, Memory memory)
    : view_(std::move(view)), data_offset_(data_offset), memory_(std::move(memory)) {}

Result<RequestList> RequestList::make(FileView view, std::int64_t data_offset, Memory memory) {
  if (memory.layout.overflowed()) {
    return Status(ErrorClass::kCount, "the buffer's count and datatype describe more than 2^63 bytes of memory");
  }
  if (data_offset < 0) {
    return Status(ErrorClass::kArgument, fmt::format("the offset in the view is negative ({} bytes)", data_offset));
  }
  const std::int64_t bytes = memory.layout.data_bytes();
  if (bytes > 0 && (bytes > view.data_bytes() || data_offset > view.data_bytes() - bytes)) {
    return Status(ErrorClass::kArgument,
                  fmt::format("{} bytes at data offset {} reach behind the end of the view, which shows {} bytes",
                              bytes, data_offset, view.data_bytes()));
  }
  return RequestList(std::move(view), data_offset, std::move(memory));
}

RequestList RequestList::in_file(const Layout& wanted, Memory memory) {
  const std::int64_t tile_extent = std::max<std::int64_t>(wanted.span().end, 1);  // no tile overlaps the first
  return {FileView(0, 1, wanted, tile_extent), 0, std::move(memory)};
}

Extent RequestList::positions_within(Extent file) const {
  const Extent data = intersection(view_.data_within(file), {data_offset_, data_offset_ + bytes()});
  return {data.begin - data_offset_, data.end - data_offset_};
}

}  // namespace weir::layout
