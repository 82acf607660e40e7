// Random programs: everything follows from the seed and the knobs, and every program is legal MPI.
#pragma once

#include <cstdint>

#include "programs/program.h"

namespace weir::programs {

struct Knobs {
  int ranks = 0;          // 0: 1 to 8
  int most_actions = 20;  // an action is one step or a few that belong together
  int most_files = 3;
  int size_percent = 100;  // of the usual size of files
  Level level = Level::kMultiple;
  bool faults = false;      // drivers fail
  bool short_reads = true;  // at the end of the file
  bool empty_views = true;  // views without bytes
  bool late_starts = true;  // nonblocking collective calls start on some ranks before others
  bool nonblocking_collectives = true;
  bool tests = true;  // requests are completed by tests, not only by waiting
  bool shared_pointers = true;
  bool atomic = true;
  bool hints = true;
};

Program generate(std::uint64_t seed, const Knobs& knobs);

}  // namespace weir::programs
