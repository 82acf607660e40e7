// weir explain: what a hint means; what weir would do with a workload, why, and what else it could do.
#pragma once

#include <cstdint>
#include <string>

#include "words.h"

namespace weir::tool::explain {

struct ExplainOptions {
  std::string what;     // a hint, a workload (name:key=value...), or a file of results of `weir bench`
  std::string machine;  // by name or as a file; empty: what the library would take here, else a local one
  int ranks = 0;        // 0: as many as the machine has on so many nodes
  int nodes = 0;        // 0: as few as hold the ranks
  std::string size;     // empty: the workload's own
  std::string direction = "write";
  Words hints;  // key=value each
};

// Prints the answer. The exit code: 0; 2 for what is not known, with the nearest name, or cannot be had.
int explain(const ExplainOptions& options);

}  // namespace weir::tool::explain
