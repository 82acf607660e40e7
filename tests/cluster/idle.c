/* Preloaded on emulated nodes, where many ranks share few cores: waits of both MPIs give the core away, and after a few
   fruitless polls sleep a little. MPICH polls by ucp_worker_progress; Open MPI calls sched_yield when it is idle. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { POLLS_BEFORE_SLEEP = 20, POLLS_OF_A_WAIT = 200, SLEEP_NANOSECONDS = 50 * 1000 };

static __thread unsigned idle_polls;

static void relax(void) {
  if (++idle_polls <= POLLS_BEFORE_SLEEP) {
    syscall(SYS_sched_yield);
  } else {
    struct timespec nap = {0, SLEEP_NANOSECONDS};
    nanosleep(&nap, 0);
  }
}

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

/* Nobody tells when a wait of Open MPI is over: after some time, the next one begins with short naps again. */
int sched_yield(void) {
  relax();
  if (idle_polls > POLLS_BEFORE_SLEEP + POLLS_OF_A_WAIT) {
    idle_polls = 0;
  }
  return 0;
}
