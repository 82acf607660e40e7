// Places: the machine that a workload is explained on.
#pragma once

#include <string>

#include "base/status.h"
#include "explain/explain.h"
#include "model/machine.h"
#include "plan/facts.h"

namespace weir::tool::explain {

struct Place {
  std::string name;  // for people
  plan::Machine machine;
  plan::Storage storage;
  model::MachineModel model;
};

// Failure: no such machine; ranks that are not spread evenly over the nodes; more nodes than the machine has.
Result<Place> find_place(const ExplainOptions& options);

}  // namespace weir::tool::explain
