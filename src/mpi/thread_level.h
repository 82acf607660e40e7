// Which thread level the host is asked for.
#pragma once

#include <functional>
#include <string>

#include "comm/mpi/progress_hook.h"

namespace weir::mpi {

// The value of an environment variable, or a null pointer.
using Environment = std::function<const char*(const char* name)>;

// Whether the launcher says that all ranks of the job are on this node. False when it does not say.
bool job_on_one_node(const Environment& environment);

// What to ask the host for when the program asks for `asked`: that, wherever nonblocking calls can move without more.
// They cannot on several nodes of a host without progress hook: that takes MPI_THREAD_MULTIPLE, so that weir's threads
// send for themselves. WEIR_THREADS=keep and =multiple overrule this.
int level_to_ask_for(int asked, comm::ProgressHook hook, const Environment& environment);

}  // namespace weir::mpi
