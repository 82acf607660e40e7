// The facts that plans are made of, as the ranks of an open file see them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "comm/comm.h"
#include "driver/file_driver.h"
#include "model/machine.h"
#include "plan/facts.h"

namespace weir::exec {

// What ranks find out when they open a file; equal on all of them.
struct OpenFacts {
  plan::Machine machine;
  plan::Storage storage;
  bool keeps_writes = false;  // as StorageLayout says
  driver::Striping striping;  // of the file, as far as rank 0 knows it
  std::vector<std::string> host_of_node;
  std::optional<model::MachineModel> model;  // that rank 0 was given
};

// What a rank knows for itself.
struct OwnFacts {
  driver::StorageLayout storage;
  bool shares_memory = false;                     // equal on all ranks
  std::optional<model::MachineModel> model = {};  // rank 0's counts
};

// COLLECTIVE: rank 0's storage and model of the machine, the fewest cores of any node, the names of the nodes.
Result<OpenFacts> gather_facts(comm::Comm& comm, const OwnFacts& mine);

}  // namespace weir::exec
