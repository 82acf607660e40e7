// The command line of the program b_eff_io.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "pattern.h"
#include "schedule.h"

namespace beffio {

struct Options {
  Release release = Release::kTwo;
  double seconds = 0;  // T; 0: the least that is comparable
  std::string directory = ".";
  std::vector<int> partitions;  // empty: those of the release
  std::vector<Type> types{kAllTypes.begin(), kAllTypes.end()};
  std::vector<Method> methods{kAllMethods.begin(), kAllMethods.end()};
  std::string hints_path;
  bool sync = false;
  bool rewrite_all = false;
  bool verify = true;
  std::int64_t mpart_bytes = 0;  // 0: from the memory of a node
  std::int64_t space_bytes = 0;  // 0: from what is free
  std::string json_path;
  bool quiet = false;
  bool progress = false;  // also where stderr is no terminal
  bool help = false;
};

// The words after the program's name. A failure says which word is wrong and why, on one line. `ranks` bounds the
// partitions.
weir::Result<Options> parse_options(std::vector<std::string> words, int ranks);

std::string usage();

}  // namespace beffio
