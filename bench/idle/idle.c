/* Preloaded under MPICH: its waits spin, which is slow with more ranks than cores. Whenever a poll of the
   network finds nothing, yield, and after a few such polls sleep a little. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { POLLS_BEFORE_SLEEP = 20, SLEEP_NANOSECONDS = 50 * 1000 };

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*host_progress)(void*);
  static __thread unsigned idle_polls;
  if (!host_progress) {
    *(void**)&host_progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
  }
  unsigned events = host_progress(worker);
  if (events) {
    idle_polls = 0;
  } else if (++idle_polls <= POLLS_BEFORE_SLEEP) {
    sched_yield();
  } else {
    struct timespec nap = {0, SLEEP_NANOSECONDS};
    nanosleep(&nap, 0);
  }
  return events;
}
