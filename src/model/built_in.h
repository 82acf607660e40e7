// What weir takes a machine to be where nobody has given it a model.
#pragma once

#include "base/lock_protocol.h"
#include "model/machine.h"

namespace weir::model {

// By kind of file system: local ones as the shipped model `local` has them, those behind a network with servers and,
// where there are any, locks of today's. Links of 10 Gbit/s between nodes.
MachineModel built_in(bool behind_network, LockProtocol protocol);

}  // namespace weir::model
