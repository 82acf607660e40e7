// The report: what was done to a file and why, for people.
#pragma once

#include <string>

#include "trace/counters.h"

namespace weir::trace {

struct FileReport {
  std::string path;
  std::string file_system;
  int ranks = 1;
  int nodes = 1;
  CounterValues totals{};   // summed over ranks
  std::string last_plan;    // of the last collective call, with its reason
  std::string last_access;  // of rank 0's last access to the file, with its reason
};

// Several lines, each beginning with "weir: ", ending with a newline.
std::string print(const FileReport& report);

}  // namespace weir::trace
