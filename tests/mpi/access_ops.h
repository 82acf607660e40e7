// Every function of the standard that reads or writes, as one table with one signature: tests that hold for all of
// them are written once.
#pragma once

#include <mpi.h>

#include <ostream>
#include <string>
#include <vector>

namespace mpi_test {

enum class Direction { kRead, kWrite };
enum class Pointer { kExplicit, kIndividual, kShared, kOrdered };

// One function (or begin/end pair, or nonblocking call and its wait).
struct AccessOp {
  const char* name;
  Direction direction;
  Pointer pointer;
  bool collective;
  bool nonblocking;
  // Does the access and waits for it. `offset` is used by explicit-offset functions only. The first error wins.
  int (*run)(MPI_File file, MPI_Offset offset, void* data, MPI_Count count, MPI_Datatype type, MPI_Status* status);

  bool writes() const { return direction == Direction::kWrite; }
  bool shared() const { return pointer == Pointer::kShared || pointer == Pointer::kOrdered; }
};

// The table, with the large-count functions where the MPI has them.
const std::vector<AccessOp>& all_ops();

// Those for which `keep` holds.
template <typename Predicate>
std::vector<AccessOp> ops_where(Predicate keep) {
  std::vector<AccessOp> kept;
  for (const AccessOp& op : all_ops()) {
    if (keep(op)) kept.push_back(op);
  }
  return kept;
}

// For INSTANTIATE_TEST_SUITE_P: a test is named after its function.
template <typename TestInfo>
std::string op_name(const TestInfo& info) {
  return info.param.name;
}

inline std::ostream& operator<<(std::ostream& out, const AccessOp& op) { return out << op.name; }

}  // namespace mpi_test
