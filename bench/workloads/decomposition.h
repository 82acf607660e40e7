// Decompositions as PIO writes them: which elements of an array each task of some earlier run owned. A text file:
//   version 2001 npes TASKS ndims D
//   the D lengths of the array
//   for each task: "TASK COUNT" and then COUNT positions in the array, counted from 1; 0 stands for none
// Anything may follow; PIO leaves a stack trace there.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "base/status.h"
#include "workloads/runs.h"

namespace bench {

struct Decomposition {
  std::int64_t elements = 0;            // of the whole array
  std::vector<std::vector<Run>> owned;  // by each task, ascending
  bool complete = false;                // every element has an owner
};

// Refuses text that is something else, ends too early, or gives an element outside of the array or with two owners.
weir::Result<Decomposition> parse_decomposition(std::istream& text);

// The same for a file; its path is in the failure's text.
weir::Result<Decomposition> read_decomposition(const std::string& path);

// What `rank` of `ranks` owns, ascending: the tasks are dealt in blocks of equal size, as far as they divide. With more
// ranks than tasks some own nothing.
std::vector<Run> runs_of(const Decomposition& decomposition, int ranks, int rank);

}  // namespace bench
