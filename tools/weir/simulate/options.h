// What `weir sim` was asked to do.
#pragma once

#include <string>

#include "words.h"

namespace weir::tool::simulate {

struct SimOptions {
  Words workloads;  // name:key=value each, or "all"
  Words methods;    // names of comparisons
  std::string machine;
  int nodes = 0;           // 0: as many as the ranks need
  int ranks_per_node = 0;  // 0: as the machine is commonly used
  std::string size;        // empty: each workload's own
  std::string direction = "write";
  Words hints;  // key=value each
  std::string results;
  int limit = 600;  // seconds for one simulation
  bool bars = false;
  bool plan = false;         // also print each plan
  std::string command_line;  // how this was called, to be kept with the results
};

// `weir sim`. The exit code: 0; 1 where a simulation failed; 2 where nothing was simulated.
int simulate(const SimOptions& options);

}  // namespace weir::tool::simulate
