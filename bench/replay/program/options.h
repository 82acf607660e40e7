// What the user asks for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace bench {

struct ReplayOptions {
  std::string capture;
  std::string directory;
  int repeats = 5;
  int warmups = 1;
  double seconds = 20;  // begin no further repeat after this time, but have at least one
  bool verify = true;
  std::map<std::string, std::string> hints;  // in place of those that were captured, where they have the same names
  std::string json;                          // empty: print the result
};

std::string replay_usage();

// Refuses what is not understood.
weir::Result<ReplayOptions> parse_replay_options(std::vector<std::string> words);

}  // namespace bench
