// A value that the ranks of a node share.
#pragma once

#include <mpi.h>

#include "workloads/program/job.h"

namespace bench {

// REQUIRES: a T of zero bytes is a value, or the keeper makes one before the others look.
template <typename T>
class NodeMemory {
 public:
  // COLLECTIVE. All bytes are zero.
  NodeMemory() : node_(ranks_of_node()) {
    MPI_Comm_rank(node_, &rank_);
    MPI_Comm_size(node_, &ranks_);
    T* own = nullptr;
    check_mpi(MPI_Win_allocate_shared(keeper() ? sizeof(T) : 0, 1, MPI_INFO_NULL, node_, &own, &window_),
              "MPI_Win_allocate_shared");
    MPI_Aint bytes = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 0, &bytes, &unit, &value_);
    if (keeper()) *value_ = T{};
    MPI_Barrier(node_);
  }
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  // COLLECTIVE.
  ~NodeMemory() {
    MPI_Win_free(&window_);
    MPI_Comm_free(&node_);
  }

  T& get() const { return *value_; }
  // Whether this rank is the one of its node that looks after the value.
  bool keeper() const { return rank_ == 0; }
  // How many ranks share it.
  int ranks() const { return ranks_; }

 private:
  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  T* value_ = nullptr;
  int rank_ = 0;
  int ranks_ = 1;
};

}  // namespace bench
