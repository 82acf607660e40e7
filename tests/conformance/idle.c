/* Preloaded under both MPIs, on both sides of a comparison. Waiting ranks spin (MPICH) or yield (Open MPI), which takes
   the cores from the ranks they wait for when there are more ranks than cores, or other work. Here, whoever has found
   nothing to do for a while sleeps a little. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { YIELDS_BEFORE_NAPS = 20, NAPS_BEFORE_YIELDS = 200, NAP_NANOSECONDS = 50 * 1000 };

static __thread unsigned idle_polls;

static void relax(void) {
  if (++idle_polls <= YIELDS_BEFORE_NAPS) {
    syscall(SYS_sched_yield);
  } else {
    struct timespec nap = {0, NAP_NANOSECONDS};
    nanosleep(&nap, 0);
  }
}

/* MPICH (ch4:ucx): every poll of the network. */
unsigned ucp_worker_progress(void* worker) {
  static unsigned (*host_progress)(void*);
  if (!host_progress) {
    *(void**)&host_progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  }
  unsigned events = host_progress(worker);
  if (events) {
    idle_polls = 0;
  } else {
    relax();
  }
  return events;
}

/* Open MPI (started with --oversubscribe): every poll that found nothing. One that found something is not seen here, so
   now and then a new wait is assumed. */
int sched_yield(void) {
  relax();
  if (idle_polls > YIELDS_BEFORE_NAPS + NAPS_BEFORE_YIELDS) idle_polls = 0;
  return 0;
}
