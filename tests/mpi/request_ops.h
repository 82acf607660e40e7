// The functions that start an access, and the functions that complete requests, as tables.
#pragma once

#include <mpi.h>

#include <ostream>
#include <tuple>
#include <vector>

namespace mpi_test {

struct StartOp {
  const char* name;
  bool writes;
  bool collective;
  bool has_offset;
  bool shared;
  int (*start)(MPI_File file, MPI_Offset offset, void* data, MPI_Count count, MPI_Datatype type, MPI_Request* request);
};

// A way to complete all of some requests. On return, `statuses` holds the status of each, and each request is
// MPI_REQUEST_NULL (persistent ones: inactive). The first error code that is not MPI_SUCCESS is returned;
// MPI_ERR_IN_STATUS means that the statuses tell more. Gives up after a while and returns MPI_ERR_PENDING.
struct Completion {
  const char* name;
  int (*complete)(std::vector<MPI_Request>& requests, std::vector<MPI_Status>& statuses);
};

const std::vector<StartOp>& start_ops();
const std::vector<Completion>& completions();

// What to test: every function with every completion, the large-count ones (whose way is the same) with one.
std::vector<std::tuple<StartOp, Completion>> ways_to_complete();

inline std::ostream& operator<<(std::ostream& out, const StartOp& op) { return out << op.name; }
inline std::ostream& operator<<(std::ostream& out, const Completion& way) { return out << way.name; }

}  // namespace mpi_test
