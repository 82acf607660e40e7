// What the user asks for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "workloads/workload.h"

namespace bench {

enum class Direction { kWrite, kRead };

const char* name_of(Direction direction);

struct Options {
  WorkloadSpec spec;
  Direction direction = Direction::kWrite;
  std::int64_t bytes = 0;  // 0: the workload's default
  int repeats = 5;
  int warmups = 1;
  double seconds = 20;  // begin no further repeat after this time, but have at least one
  std::string directory;
  bool verify = true;
  bool block = true;  // measure Block I/O too
  std::map<std::string, std::string> hints;
  std::string json;  // empty: print the result
};

// For --help.
std::string usage();

// Refuses what is not understood.
weir::Result<Options> parse_options(std::vector<std::string> words);

}  // namespace bench
