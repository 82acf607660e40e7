// The ranks of this job, and how calls of theirs fail.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bench {

inline constexpr int kExitWrongData = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitFailed = 3;

int own_rank();
int all_ranks();

// COLLECTIVE. The ranks that share memory with this one; the caller frees it.
MPI_Comm ranks_of_node();

// COLLECTIVE. On how many nodes the ranks run.
int node_count();

// COLLECTIVE. True if `right` is true on all ranks.
bool on_all_ranks(bool right);

// COLLECTIVE. What rank 0 thinks.
bool agreed(bool opinion);

// COLLECTIVE. Of all ranks.
std::int64_t sum_of(std::int64_t value);

// COLLECTIVE. The first rank that is refused; the number of ranks if none is.
int first_refused(bool refused);

// Why the job cannot go on. Thrown on one rank or on many.
class JobFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws unless `code` is MPI_SUCCESS. `what` names the call, `path` the file if there is one.
void check_mpi(int code, std::string_view what, std::string_view path = {});

// The int that MPI takes. Throws if `value` is none.
int to_int(std::int64_t value);

}  // namespace bench
