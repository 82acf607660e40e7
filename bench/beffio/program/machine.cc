#include "machine.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>

#include "driver/mount.h"

namespace beffio {
namespace {

std::int64_t memory_of_node() { return std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE); }

// What could still be used; all memory where the system does not tell.
std::int64_t memory_available() {
  std::ifstream lines("/proc/meminfo");
  for (std::string key, rest; lines >> key; std::getline(lines, rest)) {
    std::int64_t kilobytes = 0;
    if (key == "MemAvailable:" && lines >> kilobytes) return kilobytes * 1024;
  }
  return memory_of_node();
}

std::int64_t over_all(std::int64_t value, MPI_Op operation, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, operation, comm);
  return value;
}

}  // namespace

Nodes nodes_of(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  Nodes nodes;
  nodes.nodes = static_cast<int>(over_all(rank == 0 ? 1 : 0, MPI_SUM, comm));
  nodes.ranks_per_node = static_cast<int>(over_all(ranks, MPI_MAX, comm));
  nodes.memory_bytes = over_all(memory_of_node(), MPI_MIN, comm);
  nodes.rank_bytes = over_all(memory_available() / ranks, MPI_MIN, comm);
  return nodes;
}

std::string file_system_of(const std::string& directory) {
  const auto mount = weir::driver::mount_of(directory);
  return mount.ok() ? mount.value().type : "unknown";
}

std::int64_t space_for_files(const std::string& directory) {
  struct statvfs space;
  if (::statvfs(directory.c_str(), &space) != 0) return 0;
  const auto free_bytes = static_cast<std::int64_t>(space.f_bavail * space.f_frsize);
  const std::string type = file_system_of(directory);
  const bool in_memory = type == "tmpfs" || type == "ramfs";
  return in_memory ? std::min(free_bytes, memory_available()) / 4 : free_bytes / 2;
}

std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string version(text.data());
  return version.substr(0, version.find('\n'));
}

std::string system_name() {
  struct utsname names;
  if (::uname(&names) != 0) return "unknown";
  return fmt::format("{} {} on {} ({})", names.sysname, names.release, names.nodename, names.machine);
}

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace beffio
