// Which thread level the host is asked for.
#pragma once

#include <cstdint>
#include <functional>

#include "comm/mpi/progress_hook.h"
#include "trace/report.h"

namespace weir::mpi {

// The value of an environment variable, or a null pointer.
using Environment = std::function<const char*(const char* name)>;

// Whether the launcher says that all ranks of the job are on this node. False when it does not say.
bool job_on_one_node(const Environment& environment);

// Why the host is asked for a level.
enum class LevelReason : std::uint8_t {
  kUnknown,   // MPI was not started through weir
  kAsked,     // the program asked for it
  kKeep,      // the same, and WEIR_THREADS=keep
  kMultiple,  // WEIR_THREADS=multiple
  kAgents,    // several nodes, and WEIR_HINTS asks for I/O agents
  kNoHook,    // several nodes, and a host without progress hook
};

struct LevelChoice {
  int asked = 0;  // by the program
  int level = 0;  // what the host is asked for
  LevelReason reason = LevelReason::kUnknown;
};

// What to ask the host for when the program asks for `asked`: that, wherever nonblocking calls can move without more.
// They cannot on several nodes of a host without progress hook: that takes MPI_THREAD_MULTIPLE, so that weir's threads
// send for themselves. So do I/O agents of several nodes, which answer while their ranks compute. WEIR_THREADS=keep and
// =multiple overrule this.
LevelChoice choose_level(int asked, comm::ProgressHook hook, const Environment& environment);

// In words, for the report; `provided` is what the host has given.
trace::ThreadLevel describe(const LevelChoice& choice, int provided, comm::ProgressHook hook);

}  // namespace weir::mpi
