#include "driver/refresh.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <limits>

namespace weir::driver {

namespace {

constexpr std::int64_t kPageBytes = 65536;  // or a divisor of it
constexpr Extent kWhole = {0, std::numeric_limits<std::int64_t>::max()};

// Behind all bytes that a file can have.
constexpr std::int64_t kGuards = std::int64_t{1} << 62;

// Held until the file is closed, and taken again each time: to take a lock is what makes the client forget. Who cannot
// read may take exclusive ones only: each its own. Who gets none goes on without.
void take_guard(const KeptFile& file) {
  flock guard = {};
  guard.l_type = file.reads ? F_RDLCK : F_WRLCK;
  guard.l_whence = SEEK_SET;
  guard.l_start = kGuards + (file.reads ? 0 : file.number);
  guard.l_len = 1;
  file.system.set_lock(file.fd, guard);
}

// Allocating space changes no byte.
void outdate(const KeptFile& file) {
  if (file.mounted.believes_caches && file.writes) {
    retried(file.system, [&] { return file.system.fallocate_inside(file.fd, 0, 1); });
  }
  file.system.renew_attributes(file.fd);
}

// Whole pages: the kernel keeps those of which it is given a part. To the system, 0 bytes reach to the end.
void drop_pages(const KeptFile& file, Extent range) {
  if (range.empty()) return;
  const std::int64_t begin = range.begin / kPageBytes * kPageBytes;
  const bool to_the_end = range.end > kWhole.end - kPageBytes;
  const std::int64_t end = to_the_end ? begin : (range.end + kPageBytes - 1) / kPageBytes * kPageBytes;
  file.system.advise_dontneed(file.fd, begin, end - begin);
}

void refresh_whole(const KeptFile& file, bool with_size) {
  // Who may not allocate waits until the client believes its caches no longer.
  constexpr std::chrono::milliseconds kAge{1100};
  if (!file.mounted.shared) return;
  if (file.mounted.believes_caches && !file.writes) file.system.pause(kAge);
  if (file.mounted.fills_pages) take_guard(file);
  if (with_size) outdate(file);
  drop_pages(file, kWhole);
}

}  // namespace

void refresh(const KeptFile& file) { refresh_whole(file, true); }

void refresh_bytes(const KeptFile& file) { refresh_whole(file, !file.mounted.sizes_are_dear); }

// Where this rank may only read, those who opened the file with it do not write either.
void refresh_range(const KeptFile& file, Extent range) {
  if (!file.mounted.shared) return;
  outdate(file);
  drop_pages(file, range);
}

}  // namespace weir::driver
