#include "comm/mpi/find_topology.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "comm/mpi/mpi_comm.h"
#include "comm/node_mark.h"

namespace weir::comm {

namespace {

// Every rank's `mine`, in the order of ranks. COLLECTIVE.
template <typename T>
Result<std::vector<T>> from_all(MPI_Comm own, const T& mine) {
  int size = 0;
  PMPI_Comm_size(own, &size);
  std::vector<T> all(static_cast<std::size_t>(size));
  const int error = PMPI_Allgather(&mine, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, own);
  if (error != MPI_SUCCESS) return status_of_mpi(error, "MPI_Allgather");
  return all;
}

// COLLECTIVE: each rank's label is the lowest rank of its node, as the host tells.
Result<std::vector<int>> labels_of_host(MPI_Comm own, int rank) {
  MPI_Comm node = MPI_COMM_NULL;
  int error = PMPI_Comm_split_type(own, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  if (error != MPI_SUCCESS) return status_of_mpi(error, "MPI_Comm_split_type");
  int label = rank;
  error = PMPI_Bcast(&label, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
  if (error != MPI_SUCCESS) return status_of_mpi(error, "MPI_Bcast");
  return from_all(own, label);
}

bool every_rank_alone(const std::vector<int>& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != static_cast<int>(i)) return false;
  }
  return labels.size() > 1;
}

// COLLECTIVE: the same, as the ranks find out by themselves. Marks live until all have looked.
Result<std::vector<int>> labels_by_marks(MPI_Comm own, int rank) {
  const auto keys = from_all(own, node_key());
  if (!keys.ok()) return keys.status();
  const std::vector<int> lowest = lowest_with_same_key(keys.value());
  if (every_rank_alone(lowest)) return lowest;
  const int first = lowest[static_cast<std::size_t>(rank)];
  std::optional<NodeMark> mark;
  if (first == rank) mark.emplace();
  const auto invitations = from_all(own, mark ? mark->invitation() : NodeMark::Invitation{});
  if (!invitations.ok()) return invitations.status();
  const bool beside = first != rank && NodeMark::found(invitations.value()[static_cast<std::size_t>(first)]);
  return from_all(own, beside ? first : rank);
}

}  // namespace

Result<Topology> find_topology(MPI_Comm own) {
  int rank = 0;
  PMPI_Comm_rank(own, &rank);
  Result<std::vector<int>> labels = labels_of_host(own, rank);
  if (labels.ok() && every_rank_alone(labels.value())) labels = labels_by_marks(own, rank);
  if (!labels.ok()) return labels.status();
  return topology_of_labels(labels.value());
}

}  // namespace weir::comm
