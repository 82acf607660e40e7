// RequestList: everything one call asks for, with its structure kept. SliceCursor: the same as slices.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/extent.h"
#include "base/status.h"
#include "layout/cursor.h"
#include "layout/file_view.h"
#include "layout/layout.h"

namespace weir::layout {

// A user's buffer: the bytes of `layout`, whose offsets are relative to `base`.
struct Memory {
  std::byte* base = nullptr;
  Layout layout;

  // `tile_count` instances of a memory type, as a call's (buffer, count, datatype) says.
  static Memory of(std::byte* base, const Layout& tile, std::int64_t tile_extent, std::int64_t tile_count);
  // One contiguous buffer.
  static Memory of(std::byte* base, std::int64_t bytes) { return {base, Layout::contiguous(bytes)}; }
};

// A piece that is contiguous both in memory and in the file; no bytes at the end.
struct Slice {
  std::int64_t file_offset = 0;
  std::byte* memory = nullptr;
  std::int64_t bytes = 0;
};

// `count` slices of `bytes` bytes each: the i-th is moved by i * file_stride in the file and i * memory_stride in
// memory. No bytes at the end.
struct SliceRun {
  std::int64_t file_offset = 0;
  std::int64_t file_stride = 0;
  std::byte* memory = nullptr;
  std::int64_t memory_stride = 0;
  std::int64_t bytes = 0;
  std::int64_t count = 0;
  std::int64_t total_bytes() const { return bytes * count; }
};

// Walks file and memory side by side. Positions count the bytes of the request. Allocates when constructed only.
class SliceCursor {
 public:
  // Slices of request bytes [0, bytes). REQUIRES: as many bytes in the memory, and in the view from data_offset on.
  SliceCursor(const FileView& view, std::int64_t data_offset, const Memory& memory, std::int64_t bytes);

  // REQUIRES: 0 <= position.
  void seek(std::int64_t position);
  std::int64_t position() const { return memory_.data_position(); }
  // From now on, memory offsets are relative to `base`.
  void rebase(std::byte* base) { base_ = base; }
  std::int64_t remaining_bytes() const { return bytes_ - position(); }
  bool at_end() const { return remaining_bytes() <= 0; }

  // The longest slice at the cursor, at most max_bytes; goes behind it.
  Slice next(std::int64_t max_bytes = Cursor::kNoLimit);
  // A run of slices at the cursor, at most max_bytes; goes behind it. Does not join pieces that touch.
  SliceRun next_run(std::int64_t max_bytes = Cursor::kNoLimit);

  // Both sides at the cursor's byte, for loops that walk them themselves; they have to go forward by as many bytes.
  // Memory offsets are relative to `base`.
  struct Sides {
    Cursor& file;
    Cursor& memory;
    std::byte* base;
  };
  Sides sides();

 private:
  Cursor file_;
  Cursor memory_;
  std::byte* base_;
  std::int64_t data_offset_;
  std::int64_t bytes_;
  Piece file_piece_;  // taken from file_, and not yet returned
};

// A part of a view, and the memory it goes to or comes from.
class RequestList {
 public:
  RequestList() = default;  // asks for nothing

  // The request for all bytes of `memory`, from data_offset (in bytes) of the view on. Fails with kArgument when
  // data_offset is negative or the view holds fewer bytes (none are anywhere), and with kCount when the memory's size
  // overflowed.
  static Result<RequestList> make(FileView view, std::int64_t data_offset, Memory memory);

  // The request for bytes at given offsets of the file, once. REQUIRES: as many bytes in both, no offset negative.
  static RequestList in_file(const Layout& wanted, Memory memory);

  const FileView& view() const { return view_; }
  std::int64_t data_offset() const { return data_offset_; }
  const Memory& memory() const { return memory_; }
  std::int64_t bytes() const { return memory_.layout.data_bytes(); }

  // The smallest extent of the file that holds the request.
  Extent file_extent() const { return view_.extent_of(data_offset_, bytes()); }
  // Request bytes (positions of a SliceCursor) that lie within the extent of the file.
  // REQUIRES: view().is_ascending().
  Extent positions_within(Extent file) const;
  // The file side, at position 0; its data_position() is that of the view.
  Cursor file_cursor() const { return view_.cursor(data_offset_); }
  Cursor memory_cursor() const { return Cursor(memory_.layout); }
  SliceCursor slices() const { return {view_, data_offset_, memory_, bytes()}; }

 private:
  RequestList(FileView view, std::int64_t data_offset, Memory memory);

  FileView view_;
  std::int64_t data_offset_ = 0;
  Memory memory_;
};

}  // namespace weir::layout
