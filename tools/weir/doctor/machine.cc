// What the machine offers: cores, shared memory, copies.
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include "base/bytes.h"
#include "doctor/doctor.h"
#include "driver/placement.h"
#include "words.h"

namespace weir::tool::doctor {

namespace {

std::string first_line_of(const std::string& path) {
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  return line;
}

// The cpu limit in "QUOTA PERIOD", the form of cgroup v2's cpu.max; nothing for "max".
std::optional<double> parse_cpu_max(const std::string& text) {
  const Words parts = split(text, ' ');
  if (parts.size() != 2 || parts[0] == "max") return std::nullopt;
  const double quota = std::atof(parts[0].c_str());
  const double period = std::atof(parts[1].c_str());
  if (quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

// The tightest cpu limit of this process's control groups, in cores. Version 2 first, then
// version 1.
std::optional<double> control_group_limit() {
  std::optional<double> limit;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::")) continue;
    for (std::string group = line.substr(3);; group = group.substr(0, group.find_last_of('/'))) {
      const auto here = parse_cpu_max(first_line_of("/sys/fs/cgroup" + group + "/cpu.max"));
      if (here) limit = std::min(limit.value_or(*here), *here);
      if (group.empty() || group == "/") break;
    }
  }
  if (limit) return limit;
  return parse_cpu_max(first_line_of("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") + " " +
                       first_line_of("/sys/fs/cgroup/cpu/cpu.cfs_period_us"));
}

int allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return CPU_COUNT(&set);
}

Finding examine_cores() {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  const int allowed = allowed_cores();
  const auto limit = control_group_limit();
  const int usable = std::max(1, limit ? std::min(allowed, static_cast<int>(std::floor(*limit))) : allowed);
  const std::string text = fmt::format(
      "cores: {} usable ({} online, {} allowed by affinity, control group limit {}), so {} rank{} "
      "per node "
      "run at full speed",
      usable, online, allowed, limit ? fmt::format("{:.1f}", *limit) : "none", usable, usable == 1 ? "" : "s");
  const std::string advice =
      "with more ranks: Open MPI needs --oversubscribe --bind-to none and then yields by itself; "
      "MPICH spins "
      "while it waits and gets much slower";
  return {limit && *limit < allowed ? Level::kWarn : Level::kOk, text, advice};
}

bool shared_memory_works() {
  constexpr std::size_t kBytes = 1 << 20;
  const int fd = memfd_create("weir-doctor", MFD_CLOEXEC);
  if (fd < 0) return false;
  bool works = ftruncate(fd, kBytes) == 0;
  void* memory = works ? mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  works = works && memory != MAP_FAILED;
  if (works) {
    std::memset(memory, 1, kBytes);
    munmap(memory, kBytes);
  }
  close(fd);
  return works;
}

Finding examine_shared_memory() {
  const bool works = shared_memory_works();
  const int error_number = errno;
  struct statvfs space {};
  const bool mounted = statvfs("/dev/shm", &space) == 0;
  const auto available = static_cast<std::int64_t>(space.f_bavail * space.f_frsize);
  const std::string text =
      fmt::format("shared memory: memfd {}; /dev/shm {}", works ? "works" : std::strerror(error_number),
                  mounted ? bytes_text(available) + " free" : "is not there");
  if (!works) return {Level::kFail, text, "shared file pointers need memfd_create: is it forbidden in this container?"};
  constexpr std::int64_t kLittle = 64 << 20;
  if (!mounted || available < kLittle)
    return {Level::kWarn, text, "the MPI library itself may need more (docker run --shm-size=1g)"};
  return {Level::kOk, text};
}

// The kernel's copy into memory as malloc gives it: 16 bytes behind the beginning of a page.
Finding examine_copies() {
  constexpr int kMallocDistance = 16;
  constexpr double kGiga = 1e9;
  const driver::CopySpeeds read = driver::measure_copy(Direction::kRead, kMallocDistance);
  if (read.direct <= 0) return {Level::kWarn, "copies: could not be measured", "is memfd_create forbidden here?"};
  return {
      Level::kOk,
      fmt::format("copies: large reads from the page cache into memory of malloc run at {:.1f} GB/s, through a bounce "
                  "buffer at {:.1f}: weir {}",
                  read.direct / kGiga, read.bounced / kGiga, read.bounce_wins() ? "uses one" : "uses none")};
}

}  // namespace

Section examine_machine() { return {"Machine", {examine_cores(), examine_shared_memory(), examine_copies()}}; }

}  // namespace weir::tool::doctor
