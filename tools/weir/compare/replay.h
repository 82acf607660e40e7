// `weir bench replay:FILE`: a captured program as a workload.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "compare/cell.h"
#include "compare/options.h"

namespace weir::tool::compare {

// Takes "replay:FILE" words out of the workloads.
Words take_replays(BenchOptions& options);

// The file that such a word names.
std::string captured_file(const std::string& spec);

// For each host its peers, with as many ranks as were captured. What is left out, and why, is told in `left_out`.
// Failure: a file that cannot be read or is no good capture, and another number of ranks wished for.
Result<std::vector<Group>> replay_groups(const Words& replays, const BenchOptions& options,
                                         const std::vector<Host>& hosts, Words& left_out);

}  // namespace weir::tool::compare
