// Hints that all ranks agree on: rank 0's are used, differences are found and told.
#pragma once

#include <string>
#include <vector>

#include "comm/comm.h"
#include "hints/apply.h"
#include "hints/hint_set.h"

namespace weir::exec {

// Where hints come from, weakest first. What stands outside the program counts on rank 0 only.
struct HintSources {
  hints::Pairs file;                    // ROMIO_HINTS
  hints::Pairs info;                    // the MPI_Info given to the call
  hints::Pairs command_line;            // WEIR_HINTS
  std::vector<std::string> complaints;  // about reading them
  std::string report;                   // WEIR_REPORT
  Status refused = {};                  // why this rank cannot go on; then no rank does

  // Whether they may change hints of a file that is open: what stands outside the program was in force from the open
  // on.
  bool may_change() const { return !info.empty() || !refused.ok(); }
};

struct SettledHints {
  hints::HintSet hints;
  std::string report;  // rank 0's
  // Rank 0's pairs that did not come into force as they were given, as far as the user should know; equal on all ranks.
  hints::Changes not_followed;
  // What this rank should tell the user; empty on all ranks but one for each matter.
  std::vector<std::string> notices;
};

// COLLECTIVE: applies rank 0's pairs to `before` (equal on all ranks) and returns the same hints everywhere, or the
// same failure.
Result<SettledHints> settle_hints(comm::Comm& comm, const hints::HintSet& before, const HintSources& mine,
                                  hints::When when);

}  // namespace weir::exec
