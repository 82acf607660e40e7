// How the ranks of a file come by it.
#pragma once

#include <memory>

#include "base/status.h"
#include "comm/comm.h"
#include "driver/file_driver.h"
#include "exec/file/open_file.h"

namespace weir::exec {

struct Made {
  bool now = false;   // by one of the ranks
  bool here = false;  // by this one
};

// COLLECTIVE: rank 0 opens first: it alone may create, so that MPI_MODE_EXCL means what it says. Then the first rank of
// each node, and all others: at once, or when they touch the file themselves, as rank 0 says. A failure is this rank's
// own, to be agreed on by the caller; rank 0's is everybody's. `made`: whether there was no file before.
Result<std::unique_ptr<driver::File>> open_by_all(comm::Comm& comm, driver::FileDriver& driver,
                                                  const OpenArguments& arguments, Made& made);

}  // namespace weir::exec
