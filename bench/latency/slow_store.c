/* slow_store: a directory seen through FUSE, where every read and write takes a while, as on a store far away. Nothing
   is kept in the page cache; any number of requests may wait at a time.
   usage: slow_store DIRECTORY MOUNT_POINT MICROSECONDS; serves until it is unmounted */
#define FUSE_USE_VERSION 312
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kMostWaiting = 256 };

static int back = -1;
static useconds_t delay;

/* The path below the directory that is shown. */
static const char* below(const char* path) { return path[1] == '\0' ? "." : path + 1; }
static int or_errno(long returned) { return returned < 0 ? -errno : (int)returned; }

/* The kernel passes 12 asynchronous requests on at a time unless it is told otherwise. */
static void* begin(struct fuse_conn_info* connection, struct fuse_config* config) {
  (void)config;
  connection->max_background = kMostWaiting;
  return NULL;
}

static int get_attributes(const char* path, struct stat* attributes, struct fuse_file_info* file) {
  if (file != NULL) return or_errno(fstat((int)file->fh, attributes));
  return or_errno(fstatat(back, below(path), attributes, AT_SYMLINK_NOFOLLOW));
}

static int open_file(const char* path, int flags, mode_t mode, struct fuse_file_info* file) {
  const int fd = openat(back, below(path), flags & ~O_DIRECT, mode);
  if (fd < 0) return -errno;
  file->fh = (uint64_t)fd;
  file->direct_io = 1;
  return 0;
}

static int do_open(const char* path, struct fuse_file_info* file) { return open_file(path, file->flags, 0, file); }
static int do_create(const char* path, mode_t mode, struct fuse_file_info* file) {
  return open_file(path, file->flags | O_CREAT, mode, file);
}
static int do_release(const char* path, struct fuse_file_info* file) {
  (void)path;
  return or_errno(close((int)file->fh));
}
static int do_read(const char* path, char* memory, size_t bytes, off_t offset, struct fuse_file_info* file) {
  (void)path;
  usleep(delay);
  return or_errno(pread((int)file->fh, memory, bytes, offset));
}
static int do_write(const char* path, const char* memory, size_t bytes, off_t offset, struct fuse_file_info* file) {
  (void)path;
  usleep(delay);
  return or_errno(pwrite((int)file->fh, memory, bytes, offset));
}
static int do_truncate(const char* path, off_t bytes, struct fuse_file_info* file) {
  (void)path;
  return file != NULL ? or_errno(ftruncate((int)file->fh, bytes)) : -EINVAL;
}
static int do_fsync(const char* path, int only_data, struct fuse_file_info* file) {
  (void)path;
  (void)only_data;
  return or_errno(fsync((int)file->fh));
}
static int do_unlink(const char* path) { return or_errno(unlinkat(back, below(path), 0)); }

static const struct fuse_operations operations = {
    .init = begin,
    .getattr = get_attributes,
    .open = do_open,
    .create = do_create,
    .release = do_release,
    .read = do_read,
    .write = do_write,
    .truncate = do_truncate,
    .fsync = do_fsync,
    .unlink = do_unlink,
};

/* With as many threads as may wait at a time. */
static int serve(struct fuse* store) {
  struct fuse_loop_config* config = fuse_loop_cfg_create();
  fuse_loop_cfg_set_max_threads(config, kMostWaiting);
  fuse_loop_cfg_set_idle_threads(config, kMostWaiting);
  const int failed = fuse_loop_mt(store, config);
  fuse_loop_cfg_destroy(config);
  return failed;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: slow_store DIRECTORY MOUNT_POINT MICROSECONDS\n");
    return 2;
  }
  back = open(argv[1], O_PATH | O_DIRECTORY);
  delay = (useconds_t)atol(argv[3]);
  struct fuse_args arguments = FUSE_ARGS_INIT(1, argv);
  struct fuse* store = back < 0 ? NULL : fuse_new(&arguments, &operations, sizeof(operations), NULL);
  if (store == NULL || fuse_mount(store, argv[2]) != 0) {
    fprintf(stderr, "slow_store: '%s' cannot be shown at '%s'\n", argv[1], argv[2]);
    return 1;
  }
  const int failed = serve(store);
  fuse_unmount(store);
  fuse_destroy(store);
  return failed != 0;
}
