// What `weir bench` was asked to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "words.h"

namespace weir::tool::compare {

struct BenchOptions {
  Words workloads;  // name:key=value each; or "all"; or "b_eff_io"; or "replay:" and the name of a capture
  Words against;    // names of peers; empty: host, weir and Block I/O, or only weir where methods are compared
  Words methods;    // names of comparisons
  Words mpis;       // empty: all that are here
  std::vector<int> ranks = {4};
  bool ranks_given = false;  // by the user
  int ranks_per_node = 0;    // 0: all of them may be on one
  std::string size;          // empty: each workload's own; else as parse_bytes() takes it
  std::string direction = "both";
  int repeats = 5;
  int rounds = 0;  // starts that the repeats are spread over; 0: at most 3
  int warmups = 1;
  int timeout = 60;  // seconds for one start
  std::string directory = ".";
  Words hints;                 // key=value each
  std::string results;         // file for the results; empty: none
  std::string launcher_words;  // more words for the launcher, divided by blanks
  bool verify = true;
  bool block = true;  // also measure Block I/O; follows from `against`
  bool quick = false;
  bool keep_spinning = false;  // leave MPICH's waits as they are
  bool bars = false;           // also draw the times
  bool list = false;
  bool program = false;
  Words command;              // the user's program, with --program
  double time = 60;           // b_eff_io: T in seconds
  std::string release = "2";  // b_eff_io
  std::string beffio_words;   // b_eff_io: more words for the program, divided by blanks
  std::string hints_file;     // b_eff_io
  std::string command_line;   // how this was called, to be kept with the results
};

// `weir bench`. The exit code: 0; 1 where weir, or the user's program, failed or data were wrong; 2 where nothing was
// measured; 130 after a signal to stop.
int bench(const BenchOptions& options);

}  // namespace weir::tool::compare
