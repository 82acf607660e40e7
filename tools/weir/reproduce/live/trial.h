// Trials: one workload measured in a few ways.
#pragma once

#include <map>
#include <string>

#include "base/status.h"
#include "reproduce/claim.h"
#include "words.h"

namespace weir::tool::reproduce {

struct Trial {
  std::string workload;
  std::string direction = "write";
  std::string size;  // empty: as the workload's parameters say
  int ranks = 4;
  std::string comparison;  // of `weir bench --methods`; empty: weir as hints make it
  Words hints;
  bool repeated = true;  // after a call that warmed up; else the first call of each start
};

// The medians of one way.
struct Times {
  double seconds = 0;
  double inspect = 0;  // of this, finding out who has what
};

// By label of the way; "block" is Block I/O of the same bytes. Failure: why nothing could be measured.
Result<std::map<std::string, Times>> measure(const Setting& setting, const Trial& trial);

}  // namespace weir::tool::reproduce
