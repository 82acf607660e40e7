// The whole benchmark: partitions, methods and types in the order of the release.
#pragma once

#include "base/status.h"
#include "hints_file.h"
#include "options.h"
#include "result.h"
#include "scratch.h"

namespace beffio {

// COLLECTIVE over MPI_COMM_WORLD. REQUIRES settings that are equal on all ranks. The report is complete on rank 0; a
// failure is the same on all ranks.
weir::Result<Report> run(const Options& options, const Settings& settings, const HintsFile& hints,
                         const Scratch& scratch);

// The least bytes that the files take at any time, see Space.
std::int64_t least_bytes(const Options& options, const Settings& settings);

// The partitions of these options.
std::vector<Partition> partitions_of(const Options& options, int ranks);

}  // namespace beffio
