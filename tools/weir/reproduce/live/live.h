// Claims that are measured on this machine, by short runs of the programs of `weir bench` under the first MPI found.
#pragma once

#include "reproduce/claim.h"

namespace weir::tool::reproduce {

// The GPFS paper.
Finding double_buffering(const Setting& setting);

// The paper on b_eff_io: its sets of hints, in short runs.
Finding beffio_shipping(const Setting& setting);
Finding beffio_chunks(const Setting& setting);

// The paper on inspectors and executors (IEC).
Finding inspector_time(const Setting& setting);
Finding executor_time(const Setting& setting);
Finding methods_by_block_size(const Setting& setting);

}  // namespace weir::tool::reproduce
