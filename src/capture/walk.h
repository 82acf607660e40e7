// A captured program, call by call, with what each call means.
#pragma once

#include <cstdint>
#include <functional>

#include "capture/capture.h"
#include "layout/file_view.h"
#include "layout/layout.h"

namespace weir::capture {

// One call. References live as long as the capture, and the visit.
struct Seen {
  const Op& op;                  // the entry that it is of
  std::int64_t number;           // in that entry, from 0
  std::int64_t place;            // of this call, as OpKind says
  const Open& open;              // of its file
  const layout::FileView& view;  // of its file, as it is now: after a set_view, the new one
  const layout::Layout& memory;  // of an access; its offsets count from its lowest byte

  std::int64_t bytes() const { return memory.data_bytes(); }
  // The bytes of the file that an access is for, in file offsets, in the order of the data.
  layout::Layout wanted() const;
};

// Calls visit() for each call of a rank, in order. REQUIRES a capture that decode() gave, and a rank of it.
void walk(const Capture& capture, int rank, const std::function<void(const Seen&)>& visit);

}  // namespace weir::capture
