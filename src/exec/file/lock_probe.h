// Whether locks of a file reach other nodes.
#pragma once

#include <string>

#include "base/status.h"
#include "comm/comm.h"
#include "driver/file_driver.h"

namespace weir::exec {

// COLLECTIVE: a file system may take locks and keep them to the node. Rank 0 holds one; every other node must see it.
// `writes`: the file is open for writing; where it is not, only taking the lock is tried.
Status probe_locks(comm::Comm& comm, driver::File& file, bool writes, const std::string& path);

}  // namespace weir::exec
