// What accesses touch of the file, as weir's own layouts: for those who plan a workload without running it.
#pragma once

#include "layout/file_view.h"
#include "layout/layout.h"
#include "workloads/share.h"

namespace bench {

// The view as the workloads' program says it to MPI_File_set_view. Calls with offsets of their own see all of the file
// from the displacement on.
weir::layout::FileView view_of(const Access& access);

// The bytes of the file that a call touches. REQUIRES: 0 <= call < access.calls.
weir::layout::Layout request_of(const Access& access, int call);

}  // namespace bench
