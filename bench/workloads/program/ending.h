// How the job ends when something fails: as a whole, since a rank that left alone would keep the others waiting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/program/node_memory.h"

namespace bench {

// How a job that failed is ended: one rank of every node removes the files and says why.
class Ending {
 public:
  // COLLECTIVE, as is the end of its life.
  explicit Ending(std::vector<std::string> files);

  // LOCAL: the other ranks may be anywhere, and are ended too. The job exits with kExitFailed.
  [[noreturn]] void end_job(std::string_view message);

 private:
  std::vector<std::string> files_;
  NodeMemory<int> claimed_;  // not 0 once a rank of the node speaks for all
};

}  // namespace bench
