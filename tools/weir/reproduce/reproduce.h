// weir reproduce: the papers' claims, shown one after the other.
#pragma once

#include <string>

#include "reproduce/claim.h"
#include "words.h"

namespace weir::tool::reproduce {

struct ReproduceOptions {
  Words claims;  // numbers, names or papers; empty: all
  Setting setting;
  bool list = false;      // only say which claims there are
  std::string page;       // to write; empty: none
  bool markdown = false;  // the table as it stands in docs/reproduction.md
};

// Shows each claim as soon as it is settled, and at last how many agree. The exit code: 0; 1 where a claim disagrees
// that docs/reproduction.md does not explain; 2 for a claim that does not exist or a page that
// cannot be written, with nothing run.
int reproduce(const ReproduceOptions& options);

}  // namespace weir::tool::reproduce
