/* Preloaded ahead of weir: makes the n-th read, write, open, sync or resize of a marked file fail or fall short.
   Armed by a test (fault.h), or from the environment for programs that know nothing of it:
   FAULT=call:nth:times:errno, e.g. FAULT=write:1:0:28, with FAULT_RANK=r for one rank only. */
#define _GNU_SOURCE
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static struct fault_plan armed;
static atomic_int calls_seen;
static atomic_int calls_hit;

void fault_arm(const struct fault_plan* plan) {
  armed = *plan;
  calls_seen = 0;
  calls_hit = 0;
}

int fault_hits(void) { return calls_hit; }

static enum fault_call call_named(const char* name) {
  static const char* const names[] = {"none", "read", "write", "open", "sync", "resize"};
  for (int i = 0; i < 6; ++i) {
    if (!strcmp(name, names[i])) return (enum fault_call)i;
  }
  return FAULT_NONE;
}

__attribute__((constructor)) static void arm_from_environment(void) {
  const char* text = getenv("FAULT");
  const char* only = getenv("FAULT_RANK");
  const char* mine = getenv("OMPI_COMM_WORLD_RANK");
  if (!mine) mine = getenv("PMI_RANK");
  if (!text || (only && mine && strcmp(only, mine))) return;
  char name[16] = "";
  struct fault_plan plan = {FAULT_NONE, 1, 0, 0};
  if (sscanf(text, "%15[^:]:%d:%d:%d", name, &plan.nth, &plan.times, &plan.error_number) != 4) return;
  plan.call = call_named(name);
  fault_arm(&plan);
}

/* Whether this call on this path is to be hit. */
static int hits_path(enum fault_call call, const char* path) {
  if (armed.call != call || !strstr(path, "faulty")) return 0;
  int number = atomic_fetch_add(&calls_seen, 1) + 1;
  int hit = number >= armed.nth && (armed.times == 0 || number < armed.nth + armed.times);
  if (hit) atomic_fetch_add(&calls_hit, 1);
  return hit;
}

static int hits(enum fault_call call, int fd) {
  if (armed.call != call) return 0;
  char link[64];
  char path[PATH_MAX + 1];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX);
  if (length < 0) return 0;
  path[length] = 0;
  return hits_path(call, path);
}

static int fail(void) {
  errno = armed.error_number;
  return -1;
}

static size_t half(size_t bytes) { return bytes > 1 ? bytes / 2 : bytes; }

/* The next definition of `name`. */
#define NEXT(type, name) \
  static type* next;     \
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, #name)

/* Calls on one buffer: hit, they fail or move half. */
#define ON_BUFFER(call, name, constness, parameters, ...)               \
  ssize_t name(int fd, constness void* data, size_t bytes parameters) { \
    typedef ssize_t function(int, constness void*, size_t parameters);  \
    NEXT(function, name);                                               \
    if (hits(call, fd)) {                                               \
      if (armed.error_number) return fail();                            \
      bytes = half(bytes);                                              \
    }                                                                   \
    return next(fd, data, bytes __VA_ARGS__);                           \
  }

/* Calls on several buffers: half of them is the first one, cut in two. */
#define ON_BUFFERS(call, name, parameters, ...)                           \
  ssize_t name(int fd, const struct iovec* parts, int count parameters) { \
    typedef ssize_t function(int, const struct iovec*, int parameters);   \
    NEXT(function, name);                                                 \
    if (hits(call, fd)) {                                                 \
      if (armed.error_number) return fail();                              \
      struct iovec first = {parts[0].iov_base, half(parts[0].iov_len)};   \
      return next(fd, &first, 1 __VA_ARGS__);                             \
    }                                                                     \
    return next(fd, parts, count __VA_ARGS__);                            \
  }

#define AT , off_t offset
#define AT64 , off64_t offset
#define FLAGGED , off_t offset, int flags
#define FLAGGED64 , off64_t offset, int flags
#define NOTHING

ON_BUFFER(FAULT_READ, read, , NOTHING)
ON_BUFFER(FAULT_READ, pread, , AT, , offset)
ON_BUFFER(FAULT_READ, pread64, , AT64, , offset)
ON_BUFFER(FAULT_WRITE, write, const, NOTHING)
ON_BUFFER(FAULT_WRITE, pwrite, const, AT, , offset)
ON_BUFFER(FAULT_WRITE, pwrite64, const, AT64, , offset)
ON_BUFFERS(FAULT_READ, readv, NOTHING)
ON_BUFFERS(FAULT_READ, preadv, AT, , offset)
ON_BUFFERS(FAULT_READ, preadv64, AT64, , offset)
ON_BUFFERS(FAULT_READ, preadv2, FLAGGED, , offset, flags)
ON_BUFFERS(FAULT_READ, preadv64v2, FLAGGED64, , offset, flags)
ON_BUFFERS(FAULT_WRITE, writev, NOTHING)
ON_BUFFERS(FAULT_WRITE, pwritev, AT, , offset)
ON_BUFFERS(FAULT_WRITE, pwritev64, AT64, , offset)
ON_BUFFERS(FAULT_WRITE, pwritev2, FLAGGED, , offset, flags)
ON_BUFFERS(FAULT_WRITE, pwritev64v2, FLAGGED64, , offset, flags)

#define ON_DESCRIPTOR(call, name, parameters, ...)         \
  int name(int fd parameters) {                            \
    typedef int function(int parameters);                  \
    NEXT(function, name);                                  \
    return hits(call, fd) ? fail() : next(fd __VA_ARGS__); \
  }

#define LENGTH , off_t length
#define LENGTH64 , off64_t length
#define RANGE , int mode, off_t offset, off_t length
#define RANGE64 , int mode, off64_t offset, off64_t length

ON_DESCRIPTOR(FAULT_SYNC, fsync, NOTHING)
ON_DESCRIPTOR(FAULT_SYNC, fdatasync, NOTHING)
ON_DESCRIPTOR(FAULT_RESIZE, ftruncate, LENGTH, , length)
ON_DESCRIPTOR(FAULT_RESIZE, ftruncate64, LENGTH64, , length)
ON_DESCRIPTOR(FAULT_RESIZE, fallocate, RANGE, , mode, offset, length)
ON_DESCRIPTOR(FAULT_RESIZE, fallocate64, RANGE64, , mode, offset, length)

/* Unlike the others these return the error. */
int posix_fallocate(int fd, off_t offset, off_t length) {
  typedef int function(int, off_t, off_t);
  NEXT(function, posix_fallocate);
  return hits(FAULT_RESIZE, fd) ? armed.error_number : next(fd, offset, length);
}

int posix_fallocate64(int fd, off64_t offset, off64_t length) {
  typedef int function(int, off64_t, off64_t);
  NEXT(function, posix_fallocate64);
  return hits(FAULT_RESIZE, fd) ? armed.error_number : next(fd, offset, length);
}

#define MODE_OF(flags, mode)               \
  mode_t mode = 0;                         \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list rest;                          \
    va_start(rest, flags);                 \
    mode = va_arg(rest, mode_t);           \
    va_end(rest);                          \
  }

#define OPEN(name)                                                         \
  int name(const char* path, int flags, ...) {                             \
    typedef int function(const char*, int, ...);                           \
    NEXT(function, name);                                                  \
    MODE_OF(flags, mode)                                                   \
    return hits_path(FAULT_OPEN, path) ? fail() : next(path, flags, mode); \
  }
#define OPENAT(name)                                                           \
  int name(int fd, const char* path, int flags, ...) {                         \
    typedef int function(int, const char*, int, ...);                          \
    NEXT(function, name);                                                      \
    MODE_OF(flags, mode)                                                       \
    return hits_path(FAULT_OPEN, path) ? fail() : next(fd, path, flags, mode); \
  }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
