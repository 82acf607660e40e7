// The functions behind the table of workloads; see their texts there. For each kind: how it is settled, the unit its
// sizes are multiples of (where there is one), and the share of a rank.
#pragma once

#include "workloads/workload.h"

namespace bench {

weir::Status settle_coll_perf(Settled& settled);
Share coll_perf_share(const Settled& settled, int rank);

weir::Status settle_memgaps(Settled& settled);
Share memgaps_share(const Settled& settled, int rank);

weir::Status settle_s3d(Settled& settled);
Share s3d_share(const Settled& settled, int rank);

weir::Status settle_btio(Settled& settled);
Share btio_share(const Settled& settled, int rank);

weir::Status settle_flash(Settled& settled);
Share flash_share(const Settled& settled, int rank);

weir::Status settle_e3sm_f(Settled& settled);
Share e3sm_f_share(const Settled& settled, int rank);
weir::Status settle_e3sm_g(Settled& settled);
Share e3sm_g_share(const Settled& settled, int rank);

weir::Status settle_discontiguous(Settled& settled);
Share discontiguous_share(const Settled& settled, int rank);

weir::Status settle_data_shipping(Settled& settled);
Share data_shipping_share(const Settled& settled, int rank);

weir::Status settle_access_range(Settled& settled);
std::int64_t access_range_unit(const Settled& settled);
Share access_range_share(const Settled& settled, int rank);

weir::Status settle_sparse(Settled& settled);
Share sparse_share(const Settled& settled, int rank);

weir::Status settle_cyclic(Settled& settled);
Share cyclic_share(const Settled& settled, int rank);

weir::Status settle_interleaved(Settled& settled);
Share interleaved_share(const Settled& settled, int rank);

weir::Status settle_irregular(Settled& settled);
Share irregular_share(const Settled& settled, int rank);

weir::Status settle_contiguous(Settled& settled);
Share contiguous_share(const Settled& settled, int rank);
Share independent_share(const Settled& settled, int rank);

// One block for every rank, of the parameter "block".
std::int64_t block_per_rank(const Settled& settled);

// One 4-byte word.
std::int64_t word_unit(const Settled& settled);

}  // namespace bench
