// Failures end the whole job: a rank that left alone would keep the others waiting.

#ifndef WEIR_BENCH_PATTERNS_MPI_CHECK_H_
#define WEIR_BENCH_PATTERNS_MPI_CHECK_H_

#include <cstdint>
#include <string_view>

namespace bench {

[[noreturn]] void end_job(std::string_view message);

// Ends the job unless `code` is MPI_SUCCESS. `what` names the call.
void check(int code, std::string_view what);

// Ends the job if `value` does not fit the int that MPI takes.
int to_int(std::int64_t value);

}  // namespace bench

#endif  // WEIR_BENCH_PATTERNS_MPI_CHECK_H_
