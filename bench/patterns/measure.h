// Measuring a pattern against Block I/O.

#ifndef WEIR_BENCH_PATTERNS_MEASURE_H_
#define WEIR_BENCH_PATTERNS_MEASURE_H_

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "pattern.h"

namespace bench {

enum class Direction { kWrite, kRead };

// Seconds from the first rank's begin to the last one's end, one entry per timed repeat.
struct Times {
  std::vector<double> calls;  // only the calls that move data
  std::vector<double> whole;  // from open to close
};

enum class Verdict { kNotChecked, kRight, kWrong };

struct Measurement {
  std::string pattern;
  Direction direction = Direction::kWrite;
  int ranks = 0;
  std::int64_t bytes = 0;
  Times times;
  Times block;  // the same number of bytes by Block I/O, measured in turn with the pattern
  Verdict verdict = Verdict::kNotChecked;
  std::string note;
};

struct MeasureOptions {
  std::string directory;
  int repeats = 5;
  double seconds = 20;  // begin no further repeat after this time, but have at least one
  bool verify = false;
  MPI_Info hints = MPI_INFO_NULL;
};

// COLLECTIVE. Every repeat opens an existing file, sets the views, calls and closes; the first is not timed. Files are
// made in options.directory and removed. Ends the job if a call fails. Equal on all ranks.
Measurement measure(const Pattern& pattern, const Shape& shape, Direction direction, const MeasureOptions& options);

}  // namespace bench

#endif  // WEIR_BENCH_PATTERNS_MEASURE_H_
