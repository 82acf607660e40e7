// Threads that weir starts beside the program's own.
#pragma once

#include <functional>
#include <thread>

#include "base/status.h"

namespace weir::sys {

// Starts `body` on a thread that takes none of the program's signals. Fails where the system has no thread to give
// (address space, number of processes): callers must be able to do without.
Result<std::thread> start_helper_thread(std::function<void()> body);

// LOCAL: whether the calling thread was started so. Below MPI_THREAD_MULTIPLE such a thread may not call the host.
bool is_helper_thread();

}  // namespace weir::sys
