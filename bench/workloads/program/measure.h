// Measuring a workload against Block I/O.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "workloads/program/meeting.h"
#include "workloads/program/options.h"
#include "workloads/workload.h"

namespace bench {

// Seconds from the first rank's begin to the last one's end, one entry per timed repeat.
struct Times {
  std::vector<double> calls;  // only the calls that move data
  std::vector<double> whole;  // from open to close
};

enum class Verdict { kNotChecked, kRight, kWrong };

struct Measurement {
  std::int64_t bytes = 0;  // that one repeat moves, by all ranks
  std::int64_t file_bytes = 0;
  std::int64_t calls = 0;  // that move data, of one rank in one repeat
  Times times;
  Times block;  // the same number of bytes by Block I/O, measured in turn with the workload
  Verdict verdict = Verdict::kNotChecked;
  std::map<std::string, std::string> hints;  // in force, by MPI_File_get_info
};

// The files that measure() makes, and removes.
std::string subject_path(const Options& options);
std::string block_path(const Options& options);

// COLLECTIVE. Every repeat opens the file, sets the views, calls and closes. Throws JobFailure if a call fails. Equal
// on all ranks.
Measurement measure(const Settled& settled, const Options& options, const Meeting& meeting);

}  // namespace bench
