// FileView: which bytes of a file a rank sees, and in which order.
#pragma once

#include <cstdint>

#include "base/extent.h"
#include "layout/cursor.h"
#include "layout/layout.h"

namespace weir::layout {

// The file type, tiled from a displacement on. Data offsets count the bytes of the view: data byte 0 is the first one
// the view shows. The view ends where 64-bit file offsets end; data_bytes() says how many data bytes that leaves.
class FileView {
 public:
  // All bytes of the file.
  FileView();
  // REQUIRES: displacement >= 0; check_view() accepts the types.
  FileView(std::int64_t displacement, std::int64_t etype_bytes, const Layout& filetype, std::int64_t filetype_extent);

  std::int64_t displacement() const { return displacement_; }
  std::int64_t etype_bytes() const { return etype_bytes_; }
  const Layout& filetype() const { return filetype_; }
  std::int64_t filetype_extent() const { return filetype_extent_; }
  std::int64_t tile_data_bytes() const { return filetype_.data_bytes(); }
  // The whole view as one layout of absolute file offsets.
  const Layout& layout() const { return layout_; }

  std::int64_t data_bytes() const { return layout_.data_bytes(); }
  bool is_contiguous() const { return layout_.is_contiguous(); }
  // Data bytes come in the order of file offsets and none twice.
  bool is_ascending() const { return layout_.is_ascending(); }

  // The byte of the file that holds the data byte. Behind the end of the view: the greatest 64-bit offset; in a view
  // without bytes: the displacement. REQUIRES: data_offset >= 0.
  std::int64_t file_offset(std::int64_t data_offset) const;

  // How many data bytes lie before the file offset. Logarithmic when is_ascending().
  std::int64_t data_bytes_below(std::int64_t file_offset) const;

  // The data offsets of an ascending view that lie within the extent of the file.
  Extent data_within(Extent file) const { return {data_bytes_below(file.begin), data_bytes_below(file.end)}; }

  // The smallest extent of the file that holds the data bytes [data_offset, data_offset + bytes), cut at the end of
  // the view. Empty (at 0) when there are none. REQUIRES: data_offset >= 0.
  Extent extent_of(std::int64_t data_offset, std::int64_t bytes) const;

  // A cursor over absolute file offsets, at the data byte.
  Cursor cursor(std::int64_t data_offset) const;

  // Same bytes in the same structure. Equal views have equal fingerprints, on every rank.
  bool operator==(const FileView& other) const;
  std::uint64_t fingerprint() const;

 private:
  std::int64_t displacement_;
  std::int64_t etype_bytes_;
  std::int64_t filetype_extent_;
  Layout filetype_;
  Layout layout_;
};

}  // namespace weir::layout
