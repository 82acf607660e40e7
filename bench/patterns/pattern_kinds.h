// The functions behind the table of patterns; see their texts there.

#ifndef WEIR_BENCH_PATTERNS_PATTERN_KINDS_H_
#define WEIR_BENCH_PATTERNS_PATTERN_KINDS_H_

#include "pattern.h"

namespace bench {

Workload block_3d(const Shape& shape, int rank);
Workload s3d(const Shape& shape, int rank);
Workload memory_gaps(const Shape& shape, int rank);
Workload btio(const Shape& shape, int rank);

Workload cyclic_64(const Shape& shape, int rank);
Workload cyclic_4(const Shape& shape, int rank);
Workload random_1k(const Shape& shape, int rank);
Workload irregular(const Shape& shape, int rank);
Workload flash(const Shape& shape, int rank);
Workload contiguous(const Shape& shape, int rank);

}  // namespace bench

#endif  // WEIR_BENCH_PATTERNS_PATTERN_KINDS_H_
