// Claims that are formulas or counts, checked exactly, by the code that plans and runs collective calls.
#pragma once

#include "reproduce/claim.h"

namespace weir::tool::reproduce {

// The GPFS paper.
Finding sparse_messages(const Setting& setting);

// The paper on file domains.
Finding even_domains(const Setting& setting);
Finding group_cyclic_domains(const Setting& setting);
Finding fitted_aggregators(const Setting& setting);
Finding btio_bytes_of_a_rank(const Setting& setting);
Finding flash_and_s3d_sizes(const Setting& setting);

// The paper on b_eff_io.
Finding beffio_patterns(const Setting& setting);
Finding beffio_values(const Setting& setting);
Finding beffio_stop_test(const Setting& setting);

// The paper on two-layer aggregation (TAM).
Finding receives_of_a_round(const Setting& setting);
Finding btio_requests(const Setting& setting);
Finding other_requests(const Setting& setting);

// The paper on inspectors and executors (IEC).
Finding pairwise_phases(const Setting& setting);

}  // namespace weir::tool::reproduce
