// Mover: copies the bytes of a request that lie in a window.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/extent.h"
#include "exec/stage/buffers.h"
#include "exec/stage/merged_places.h"
#include "layout/request_list.h"
#include "plan/domains.h"

namespace weir::exec {

// Walks a request window by window, best in ascending order. Allocates when constructed only. All functions return the
// bytes they copied, unless said otherwise. Reading stops at `data_end`, an offset in the file.
class Mover {
 public:
  explicit Mover(const layout::RequestList& requests);

  // How many bytes of the request lie in the window.
  std::int64_t bytes_in(const plan::Window& window) const;

  // Between the request's memory and a window's buffer; writing, marks what it copied where the slot says so.
  std::int64_t move(Direction direction, const plan::Window& window, const WindowSlot& slot, std::int64_t data_end);

  // Between `packed`, which holds the bytes of the window that the request has, in order, and a window's buffer.
  std::int64_t move_packed(Direction direction, const plan::Window& window, const WindowSlot& slot,
                           std::int64_t data_end, std::byte* packed);

  // Between the request's memory and such packed bytes.
  std::int64_t pack(Direction direction, const plan::Window& window, std::byte* packed, std::int64_t data_end);

  // Between the request's memory and `packed`, which holds the bytes of the window that merged requests have, in file
  // order. Their offsets count from `begin` of the file.
  struct MergedPacking {
    MergedPlaces& places;
    std::int64_t begin;
    std::byte* packed;
  };
  std::int64_t pack_merged(Direction direction, const plan::Window& window, const MergedPacking& merged,
                           std::int64_t data_end);

 private:
  struct Part {
    Extent positions;     // of the request
    std::int64_t origin;  // the file offset that the begin of the buffer stands for
  };
  Part part_of(Direction direction, const plan::Window& window, std::int64_t index, std::int64_t data_end) const;
  void copy(Direction direction, const Part& part, const WindowSlot& slot);
  void copy_merged(Direction direction, Extent positions, const MergedPacking& merged);

  const layout::RequestList& requests_;
  layout::SliceCursor slices_;
  layout::Cursor file_;
  layout::Cursor memory_;
};

}  // namespace weir::exec
