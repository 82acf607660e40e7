// What hints say about a file's storage, and what came of them.
#pragma once

#include "comm/comm.h"
#include "driver/file_driver.h"
#include "exec/file/open_file.h"
#include "hints/apply.h"

namespace weir::exec {

// The driver and the striping that the arguments ask for.
void wish_storage(const OpenArguments& arguments, const comm::Comm& comm, driver::OpenMode& mode);

// Gives the hints about striping the values that are the file's, and those of them that are not known none.
void settle_striping(hints::HintSet& hints, const driver::Striping& striping);

// The wishes for the storage that it does not fulfil, and why; for the user. `storage` has to be that of a file which
// was opened with them.
hints::Changes unfulfilled_wishes(const OpenArguments& arguments, const driver::StorageLayout& storage);

}  // namespace weir::exec
