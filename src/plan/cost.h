// The cost model: what a call would take on the machine, step by step. Closed formulas, microseconds to evaluate: they
// have to tell choices apart that differ much, and every term can be read off the inputs.
#pragma once

#include <cstdint>
#include <string>

#include "model/machine.h"
#include "plan/domains.h"
#include "plan/facts.h"
#include "plan/steps.h"
#include "plan/summary.h"

namespace weir::plan {

// The model that was given, else the one built in for such files; with what is known of the file and the job in place
// of what the model says of them.
model::MachineModel model_of(const Facts& facts);

// Every rank reaches the file for itself, a call per piece.
Steps independent_cost(const Facts& facts, const Totals& totals);

// How a call goes through aggregators, as far as its cost depends on it.
struct TwoPhaseShape {
  DomainKind domains = DomainKind::kEven;
  int aggregators = 1;
  std::int64_t window_bytes = 1;
  int local_aggregators = 1;  // of a node
};

Steps two_phase_cost(const Facts& facts, const Totals& totals, const TwoPhaseShape& shape);

// What the locks of the file system, read-ahead that is defeated, and blocks with two owners add to access by that
// shape, in microseconds.
double consistency_cost(const Facts& facts, const Totals& totals, const TwoPhaseShape& shape);

}  // namespace weir::plan
