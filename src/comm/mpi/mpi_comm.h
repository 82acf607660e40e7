// Comm over the host MPI. MPICH has room for 2046 communicators only: files opened on one communicator therefore
// share one of weir's own (a CommGroup) and keep their messages apart by tags.
#pragma once

#include <mpi.h>

#include <memory>

#include "base/status.h"
#include "comm/comm.h"

namespace weir::comm {

class FinalizeFlag;

// weir's own communicator over the ranks of a parent communicator, where they are, and the tags handed out.
// Its last owner frees the communicator, except when MPI is being or has been finalized.
class CommGroup {
 public:
  CommGroup(MPI_Comm own, Topology topology, int highest_tag, std::shared_ptr<const FinalizeFlag> finalize_flag);
  ~CommGroup();
  CommGroup(const CommGroup&) = delete;
  CommGroup& operator=(const CommGroup&) = delete;

  MPI_Comm handle() const { return own_; }
  int rank() const { return rank_; }
  int size() const { return static_cast<int>(topology_.node_of.size()); }
  const Topology& topology() const { return topology_; }

  // COLLECTIVE in order, without communication: the n-th call on each rank returns the same tag. Tags come round
  // again after all of MPI_TAG_UB were used: 2^23 channels or more with either host.
  int next_tag();

  // Something that belongs to the ranks of this group and lives as long as it.
  std::shared_ptr<void> companion;

 private:
  MPI_Comm own_;
  int rank_ = 0;
  Topology topology_;
  int highest_tag_;
  int next_tag_ = 0;
  std::shared_ptr<const FinalizeFlag> finalize_flag_;
};

// COLLECTIVE over `parent` on first use, when it makes the group and keeps it as an attribute of the parent; LOCAL
// after that. The parent may be freed while the group is in use. REQUIRES an intracommunicator.
Result<std::shared_ptr<CommGroup>> group_of(MPI_Comm parent);

// COLLECTIVE in order, without communication: a Comm with messages of its own. Two channels of a group may be
// driven by two threads at a time under MPI_THREAD_MULTIPLE.
std::unique_ptr<Comm> channel(std::shared_ptr<CommGroup> group);

// A failed MPI call as a status, with the host's text: kOther, or kInternal for codes that only a bug in weir
// explains (wrong rank, tag, count, truncation). REQUIRES mpi_error != MPI_SUCCESS.
Status status_of_mpi(int mpi_error, const char* what);

}  // namespace weir::comm
