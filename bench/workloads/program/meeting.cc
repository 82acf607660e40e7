#include "workloads/program/meeting.h"

#include "workloads/program/job.h"

namespace bench {
namespace {

// COLLECTIVE. One rank of each node; null on all others.
MPI_Comm make_leaders(bool leader) {
  MPI_Comm leaders = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(MPI_COMM_WORLD, leader ? 0 : MPI_UNDEFINED, own_rank(), &leaders), "MPI_Comm_split");
  return leaders;
}

void make_barrier(pthread_barrier_t& barrier, int ranks) {
  pthread_barrierattr_t shared;
  pthread_barrierattr_init(&shared);
  pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  const int failed = pthread_barrier_init(&barrier, &shared, static_cast<unsigned>(ranks));
  pthread_barrierattr_destroy(&shared);
  if (failed != 0) throw JobFailure("cannot make a barrier in shared memory");
}

}  // namespace

Meeting::Meeting() : leaders_(make_leaders(barrier_.keeper())), one_node_(barrier_.ranks() == all_ranks()) {
  if (barrier_.keeper()) make_barrier(barrier_.get(), barrier_.ranks());
  MPI_Barrier(MPI_COMM_WORLD);
}

Meeting::~Meeting() {
  MPI_Barrier(MPI_COMM_WORLD);
  if (barrier_.keeper()) pthread_barrier_destroy(&barrier_.get());
  if (leaders_ != MPI_COMM_NULL) MPI_Comm_free(&leaders_);
}

void Meeting::wait() const {
  pthread_barrier_wait(&barrier_.get());
  if (one_node_) return;
  if (leaders_ != MPI_COMM_NULL) MPI_Barrier(leaders_);
  pthread_barrier_wait(&barrier_.get());
}

Stretch::Stretch(const Meeting& meeting) : meeting_(meeting) {
  meeting_.wait();
  begin_ = MPI_Wtime();
}

double Stretch::end() const {
  meeting_.wait();
  double seconds = MPI_Wtime() - begin_;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

}  // namespace bench
