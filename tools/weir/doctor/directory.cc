// The file system of a directory, tried out on a file that loses its name at once.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/bytes.h"
#include "child.h"
#include "doctor/doctor.h"
#include "driver/storage.h"
#include "driver/systems/registry.h"
#include "sys/unique_fd.h"

namespace weir::tool::doctor {

namespace {

// A new file without a name: opened twice, then unlinked before anything is tried on it.
struct Probe {
  sys::UniqueFd first;
  sys::UniqueFd second;  // an open file description of its own, as another process would have
};

std::optional<Probe> make_probe(const std::string& directory, int& error_number) {
  std::string name = directory + "/.weir-doctor-XXXXXX";
  sys::UniqueFd first(mkostemp(name.data(), O_CLOEXEC));
  error_number = errno;
  if (!first.open()) return std::nullopt;
  sys::UniqueFd second(open(name.c_str(), O_RDWR | O_CLOEXEC));
  unlink(name.c_str());
  return Probe{std::move(first), std::move(second)};
}

bool set_lock(int fd, short type) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = 0;
  range.l_len = 4096;
  return fcntl(fd, F_OFD_SETLK, &range) == 0;
}

// The lock of one process must keep another out, and let it in when it is gone.
Finding examine_locks(const Probe& probe, bool network) {
  if (!set_lock(probe.first.get(), F_WRLCK)) {
    return {Level::kWarn, fmt::format("byte-range locks: not available ({})", std::strerror(errno)),
            "atomic mode will fail here; use another file system for files that need it (NFS and "
            "Lustre have mount "
            "options that turn locks on)"};
  }
  const auto other_gets_it = [&] { return set_lock(probe.second.get(), F_WRLCK) ? 1 : 0; };
  const int while_held = run_forked(other_gets_it).exit_code;
  set_lock(probe.first.get(), F_UNLCK);
  const int when_free = run_forked(other_gets_it).exit_code;
  if (while_held != 0 || when_free != 1) {
    return {Level::kFail, "byte-range locks: granted to two processes at once, or not given back",
            "do not use atomic mode on this file system"};
  }
  if (network) {
    return {Level::kWarn, "byte-range locks: work between two processes of this node; other nodes were not tried",
            "mounts exist whose locks stay local to a node: check before using atomic mode from several"};
  }
  return {Level::kOk, "byte-range locks: work between two processes"};
}

// The longest length ftruncate accepts; nothing is stored for it.
std::int64_t largest_file(int fd) {
  std::int64_t good = 0;
  for (std::int64_t step = std::int64_t{1} << 62; step > 0; step >>= 1)
    if (ftruncate(fd, good + step) == 0) good += step;
  if (ftruncate(fd, 0) != 0) return 0;
  return good;
}

Finding examine_limits(const Probe& probe) {
  const std::int64_t largest = largest_file(probe.first.get());
  const bool preallocates = fallocate(probe.first.get(), 0, 0, 4096) == 0;
  const std::string preallocation = preallocates ? "yes" : fmt::format("no ({})", std::strerror(errno));
  const bool attributes = fsetxattr(probe.first.get(), "user.weir", "1", 1, 0) == 0;
  const std::string limits = fmt::format("limits: largest file {}; fallocate {}; extended attributes {}",
                                         bytes_text(largest), preallocation, attributes ? "yes" : "no");
  if (preallocates) return {Level::kOk, limits};
  return {Level::kWarn, limits, "MPI_File_preallocate has to write zeros here; leave it out where speed matters"};
}

// Which driver serves files here, and how a new one lies.
Finding examine_driver(const Probe& probe) {
  driver::Syscalls system;
  const driver::Storage storage = driver::storage_of(system, probe.first.get(), nullptr);
  const driver::StorageLayout& layout = storage.layout;
  const std::string striping = layout.stripe_bytes > 0
                                   ? fmt::format("striped over {} server(s), {} on each in turn", layout.stripe_count,
                                                 bytes_text(layout.stripe_bytes))
                                   : "not striped, as far as is known";
  const bool striped_by_hints = storage.home.system->create != nullptr;
  return {Level::kOk, fmt::format("driver: {}; a new file: {}; striping hints: {}", storage.home.system->name, striping,
                                  striped_by_hints ? "take effect" : "have no effect here")};
}

Finding examine_write(const Probe& probe) {
  const char text[] = "weir";
  char back[sizeof text] = "";
  const bool good = pwrite(probe.first.get(), text, sizeof text, 0) == sizeof text &&
                    pread(probe.second.get(), back, sizeof back, 0) == sizeof back &&
                    std::memcmp(text, back, sizeof text) == 0 && fsync(probe.first.get()) == 0;
  if (good) return {Level::kOk, "write, read back, fsync: work"};
  return {Level::kFail, fmt::format("write, read back, fsync: failed ({})", std::strerror(errno)),
          "is the disk full or the quota used up?"};
}

Finding examine_space(const std::string& directory) {
  struct statvfs space {};
  if (statvfs(directory.c_str(), &space) != 0)
    return {Level::kWarn, fmt::format("space: unknown ({})", std::strerror(errno)), "check with df"};
  const auto bytes_of = [&](fsblkcnt_t blocks) { return static_cast<std::int64_t>(blocks * space.f_frsize); };
  const std::int64_t available = bytes_of(space.f_bavail);
  const std::int64_t total = bytes_of(space.f_blocks);
  const std::string text = fmt::format("space: {} free of {}; block size {}", bytes_text(available), bytes_text(total),
                                       bytes_text(static_cast<std::int64_t>(space.f_bsize)));
  if (available < total / 50) return {Level::kWarn, text, "nearly full: writes may fail with MPI_ERR_NO_SPACE"};
  return {Level::kOk, text};
}

}  // namespace

Section examine_directory(const std::string& directory) {
  Section section{"Directory " + directory, {}};
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    section.findings.push_back({Level::kFail, "it is not a directory, or cannot be reached",
                                "name the directory where your files will be: weir doctor DIR"});
    return section;
  }
  bool network = false;
  if (const auto mount = driver::mount_of(directory); mount.ok()) {
    network = driver::file_system_of(mount.value()).shared;
    section.findings.push_back(
        {Level::kOk, fmt::format("file system: {} from {} on {}, {}", mount.value().type, mount.value().source,
                                 mount.value().mount_point, network ? "shared by nodes" : "local to this node")});
  } else {
    section.findings.push_back({Level::kWarn, "file system: unknown: " + mount.status().text(), "is /proc mounted?"});
  }
  section.findings.push_back(examine_space(directory));
  int error_number = 0;
  const auto probe = make_probe(directory, error_number);
  if (!probe) {
    section.findings.push_back({Level::kFail, fmt::format("no file can be created ({})", std::strerror(error_number)),
                                "choose a directory you may write to"});
    return section;
  }
  section.findings.push_back(examine_driver(*probe));
  section.findings.push_back(examine_write(*probe));
  section.findings.push_back(examine_limits(*probe));
  section.findings.push_back(examine_locks(*probe, network));
  for (Finding& finding : examine_ways(directory)) section.findings.push_back(std::move(finding));
  return section;
}

}  // namespace weir::tool::doctor
