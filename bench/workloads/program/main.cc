// workloads: measures one workload against Block I/O. A plain MPI program, which knows nothing of what stands behind
// MPI_File_*. See usage().

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "workloads/program/ending.h"
#include "workloads/program/job.h"
#include "workloads/program/measure.h"
#include "workloads/program/meeting.h"
#include "workloads/program/options.h"
#include "workloads/program/result.h"

namespace bench {
namespace {

// COLLECTIVE. The exit code.
int run(const Options& options, const Settled& settled) {
  Ending ending({subject_path(options), block_path(options)});
  const Meeting meeting;  // outlives what fails: its end is COLLECTIVE
  try {
    const Surroundings surroundings = look_around(options.directory);
    const Measurement measurement = measure(settled, options, meeting);
    if (own_rank() == 0) show(json_line(settled, options, measurement, surroundings), options.json);
    return measurement.verdict == Verdict::kWrong ? kExitWrongData : 0;
  } catch (const std::exception& failure) {
    ending.end_job(failure.what());
  }
}

// What is to be run.
struct Task {
  Options options;
  Settled settled;
};

// LOCAL: a decomposition file may be missing on some nodes only.
weir::Result<Task> task_of(const std::vector<std::string>& words) {
  const weir::Result<Options> options = parse_options(words);
  if (!options.ok()) return options.status();
  const WorkloadSpec& spec = options.value().spec;
  const std::int64_t wished = options.value().bytes;
  const int ranks = all_ranks();
  const weir::Result<Settled> settled =
      settle(spec, {.ranks = ranks, .bytes = wished == 0 ? default_bytes(spec, ranks) : wished});
  if (!settled.ok()) return settled.status();
  return Task{options.value(), settled.value()};
}

// COLLECTIVE. The exit code.
int run_words(const std::vector<std::string>& words) {
  if (std::ranges::find(words, "--help") != words.end()) {
    if (own_rank() == 0) std::fputs(usage().c_str(), stdout);
    return 0;
  }
  const weir::Result<Task> task = task_of(words);
  const int refused_by = first_refused(!task.ok());
  if (refused_by == all_ranks()) return run(task.value().options, task.value().settled);
  if (refused_by == own_rank()) std::fprintf(stderr, "workloads: %s\n", task.status().text().c_str());
  return kExitBadInput;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = bench::run_words({argv + 1, argv + argc});
  MPI_Finalize();
  return code;
}
