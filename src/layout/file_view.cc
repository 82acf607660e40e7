#include "layout/file_view.h"

#include <algorithm>
#include <limits>

#include "layout/query.h"

namespace weir::layout {

namespace {

// Made once, since every access begins with one; and never destroyed, since files may be closed while a program exits.
const FileView& whole_file() {
  static const auto* view = new FileView(0, 1, Layout::contiguous(1), 1);
  return *view;
}

}  // namespace

FileView::FileView() : FileView(whole_file()) {}

FileView::FileView(std::int64_t displacement, std::int64_t etype_bytes, const Layout& filetype,
                   std::int64_t filetype_extent)
    : displacement_(displacement),
      etype_bytes_(etype_bytes),
      filetype_extent_(filetype_extent),
      filetype_(filetype),
      layout_(tiled(filetype, filetype_extent, kUnlimitedTiles, displacement)) {}

std::int64_t FileView::file_offset(std::int64_t data_offset) const {
  if (layout_.empty()) return displacement_;
  if (data_offset >= data_bytes()) return std::numeric_limits<std::int64_t>::max();
  return offset_of(layout_, data_offset);
}

std::int64_t FileView::data_bytes_below(std::int64_t file_offset) const {
  return layout::data_bytes_below(layout_, file_offset);
}

Extent FileView::extent_of(std::int64_t data_offset, std::int64_t bytes) const {
  const std::int64_t begin = std::min(data_offset, data_bytes());
  return layout::extent_of(layout_, {begin, begin + std::min(bytes, data_bytes() - begin)});
}

Cursor FileView::cursor(std::int64_t data_offset) const {
  Cursor result(layout_);
  result.seek(data_offset);
  return result;
}

bool FileView::operator==(const FileView& other) const {
  return displacement_ == other.displacement_ && etype_bytes_ == other.etype_bytes_ &&
         filetype_extent_ == other.filetype_extent_ && filetype_ == other.filetype_;
}

std::uint64_t FileView::fingerprint() const {
  std::uint64_t state = filetype_.fingerprint();
  for (const std::int64_t value : {displacement_, etype_bytes_, filetype_extent_}) {
    state = (state ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15U;
    state ^= state >> 29U;
  }
  return state;
}

}  // namespace weir::layout
