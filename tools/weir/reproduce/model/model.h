// Claims about machines that are not at hand, by simulation on their models.
#pragma once

#include "reproduce/claim.h"

namespace weir::tool::reproduce {

// The GPFS paper, on its SP.
Finding data_shipping_times(const Setting& setting);
Finding access_range_times(const Setting& setting);
Finding sparse_times(const Setting& setting);
Finding double_buffering_times(const Setting& setting);
Finding tasks_per_node(const Setting& setting);

// The paper on file domains, on Jaguar (Lustre) and Mercury (GPFS).
Finding coll_perf_on_lustre(const Setting& setting);
Finding coll_perf_on_gpfs(const Setting& setting);
Finding file_shares(const Setting& setting);
Finding reads_by_domains(const Setting& setting);
Finding btio_on_lustre(const Setting& setting);
Finding btio_redistribution(const Setting& setting);
Finding btio_on_gpfs(const Setting& setting);
Finding flash_and_s3d(const Setting& setting);

// The paper on two-layer aggregation, on Theta.
Finding two_layer_scaling(const Setting& setting);
Finding local_aggregators(const Setting& setting);

// The paper on inspectors and executors.
Finding slow_network(const Setting& setting);

}  // namespace weir::tool::reproduce
