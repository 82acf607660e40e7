// Where all ranks of the job meet, and the time between two meetings.
#pragma once

#include <mpi.h>
#include <pthread.h>

#include "workloads/program/node_memory.h"

namespace bench {

// A barrier whose ranks sleep: a rank that waits takes no core from one that works, whatever the MPI does in its own.
// The ranks of a node meet in shared memory, then one of each node meets the others by MPI.
class Meeting {
 public:
  // COLLECTIVE.
  Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  // COLLECTIVE.
  ~Meeting();

  // COLLECTIVE. Returns when all ranks have come.
  void wait() const;

 private:
  NodeMemory<pthread_barrier_t> barrier_;
  MPI_Comm leaders_ = MPI_COMM_NULL;  // one rank of each node; null on the others
  bool one_node_ = true;
};

// Seconds from when the first rank begins until the last one has finished. Each rank's own duration would not do: with
// more ranks than cores they take turns, and a rank that has not begun yet does not count the others' time. So every
// rank waits for the last one before it looks at its clock, which needs no clock common to all.
class Stretch {
 public:
  // COLLECTIVE. Begins.
  explicit Stretch(const Meeting& meeting);
  // COLLECTIVE. Equal on all ranks.
  double end() const;

 private:
  const Meeting& meeting_;
  double begin_ = 0;
};

}  // namespace bench
