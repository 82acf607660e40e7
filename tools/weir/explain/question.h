// Questions: a workload on a machine with hints, ready to be planned.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "explain/explain.h"
#include "hints/hint_set.h"
#include "layout/layout.h"
#include "plan/plan.h"
#include "words.h"

namespace weir::tool::explain {

// One collective call of all ranks. Its plan follows from it and from hints.
struct Question {
  std::string title;     // what is done, where
  plan::Facts facts;     // without what hints wish
  hints::HintSet hints;  // that the user gave
  int calls = 1;         // that the workload makes
  bool collective = true;
  std::vector<layout::Layout> requests;  // of each rank, in its first call
  std::vector<plan::AccessSummary> summaries;
};

// Where and how it is asked, without what ranks ask for: machine, direction, hints. Failure: as below.
Result<Question> prepared(const ExplainOptions& options);
// Puts key=value words into the hints.
void add_hints(hints::HintSet& hints, const Words& words);

// Failure: an unknown workload, machine or hint, ranks or a size that the workload cannot have; says what would do.
Result<Question> ask(const ExplainOptions& options);

// The plan with these hints, key=value each, besides the user's. REQUIRES: hints of the table, with good values.
plan::Plan answer(const Question& question, const Words& more_hints = {});

}  // namespace weir::tool::explain
