// Comm over the host MPI. MPICH has room for 2046 communicators only: files opened on communicators of the same ranks
// in the same order therefore share one of weir's own (a CommGroup) and keep their messages apart by tags.
#pragma once

#include <mpi.h>

#include <atomic>
#include <functional>
#include <memory>
#include <span>

#include "base/status.h"
#include "comm/comm.h"
#include "comm/keepsake.h"
#include "comm/line.h"
#include "comm/mpi/look_gauge.h"

namespace weir::comm {

class FinalizeFlag;

// weir's own communicator over the ranks of parent communicators, where they are, and the tags handed out.
// Its last owner frees the communicator, except when MPI is being or has been finalized.
class CommGroup {
 public:
  CommGroup(MPI_Comm own, Topology topology, int highest_tag, std::shared_ptr<const FinalizeFlag> finalize_flag,
            int number);
  ~CommGroup();
  CommGroup(const CommGroup&) = delete;
  CommGroup& operator=(const CommGroup&) = delete;

  MPI_Comm handle() const { return own_; }
  int rank() const { return rank_; }
  int size() const { return static_cast<int>(topology_.node_of.size()); }
  const Topology& topology() const { return topology_; }
  LookGauge& gauge() { return gauge_; }
  // How often a rank looks for a message before it sleeps.
  const sys::Patience& patience() const { return patience_; }
  // Of rank 0's groups, which is this; the same on all ranks.
  int number() const { return number_; }

  // No message carries it: whoever probes for it moves everything that is under way. A probe that finds a message moves
  // nothing, with either host, as long as nobody takes that message.
  static constexpr int kNoMessageTag = 0;

  // LOCAL; thread-safe: a tag that no channel of the group has, for rank 0 to tell the others. Tags come round again
  // after all of MPI_TAG_UB were used: 2^23 channels or more with either host.
  int next_tag();

  KeepsakePlace& keepsake() { return keepsake_; }

 private:
  MPI_Comm own_;
  int rank_ = 0;
  Topology topology_;
  sys::Patience patience_;
  int highest_tag_;
  std::atomic<int> next_tag_ = kNoMessageTag + 1;
  LookGauge gauge_;
  KeepsakePlace keepsake_;
  std::shared_ptr<const FinalizeFlag> finalize_flag_;
  int number_;
};

// COLLECTIVE over `parent` on first use, when it finds a group of the same ranks or makes one, and keeps it as an
// attribute of the parent; LOCAL after that. The parent may be freed while the group is in use.
// `company` may be null. REQUIRES an intracommunicator.
Result<std::shared_ptr<CommGroup>> group_of(MPI_Comm parent, sys::Company* company = nullptr);

// COLLECTIVE over `parent`, which is the program's: rank 0's `words` for all. Files that different threads open and
// close at the same time come in another order on every rank; what rank 0 says is the same for all. Returns after every
// rank has called it. `company` may be null.
Status tell_from_rank_0(MPI_Comm parent, std::span<int> words, sys::Company* company = nullptr);

// LOCAL: a Comm with messages of its own. REQUIRES the same tag on all ranks, of no other channel of the group. Two
// channels of a group may be driven by two threads at a time.
std::unique_ptr<Comm> channel(std::shared_ptr<CommGroup> group, int tag);

// LOCAL: what makes this rank's ends of a line. REQUIRES tags as for channel(), two different ones.
std::function<Line()> line(std::shared_ptr<CommGroup> group, int questions_tag, int answers_tag);

// A failed MPI call as a status, with the host's text: kOther, or kInternal for codes that only a bug in weir
// explains (wrong rank, tag, count, truncation). REQUIRES mpi_error != MPI_SUCCESS.
Status status_of_mpi(int mpi_error, const char* what);

}  // namespace weir::comm
