// The command line that starts a program under one peer.
#pragma once

#include <string>
#include <vector>

#include "apply.h"
#include "command.h"
#include "compare/cell.h"

namespace weir::tool::compare {

// How programs are started, whatever the cell.
struct StartOptions {
  Words launcher_words;        // more words for the launcher
  bool keep_spinning = false;  // leave MPICH's waits as they are
  int cores = 1;               // of this node
};

// A program of weir's own, in the directory of the host's library, with as many ranks as the cell has. Failure: the
// launcher's further words cannot be understood.
Result<Command> own_command(const Cell& cell, const std::string& program, const Words& arguments,
                            const StartOptions& options);

// `command` under the cell's peer, with `more` variables. Ranks of MPICH that outnumber the cores get a shim that lets
// waiting ranks sleep: its own waits spin, which would measure the spinning of one rank on another's core. Open MPI
// does this by itself.
Invocation under_peer(const Command& command, const Cell& cell, const std::vector<Variable>& more,
                      const StartOptions& options);

}  // namespace weir::tool::compare
