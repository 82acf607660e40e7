// The way into the host's own progress: while a thread of the program is inside the host, errands of weir's threads are
// run (courier.h), so that nonblocking calls move whatever the program waits for.
#pragma once

#include <string_view>

namespace weir::comm {

// How errands are reached. Open MPI: opal_progress_register. MPICH over UCX: whenever it looks for messages it calls
// ucp_worker_progress, through a word that weir points to a function of its own. Before the first file is opened
// nothing is registered or replaced: programs without files do not pay.
enum class ProgressHook { kNone, kRegistered, kReplaced };

// LOCAL: what this host offers. May be called before MPI_Init.
ProgressHook find_progress_hook();
// LOCAL: from now on the hook is in use. Costs one load whenever the host looks for messages and no errand is given.
// REQUIRES that MPI is initialized.
void use_progress_hook();

// While it lives, the host does not give the core away when a look finds nothing: weir sleeps instead. Open MPI with
// more ranks than cores yields, which costs a time slice beside processes that compute.
class NoYield {
 public:
  NoYield();
  ~NoYield();
  NoYield(const NoYield&) = delete;
  NoYield& operator=(const NoYield&) = delete;

 private:
  bool before_ = false;
};

}  // namespace weir::comm
