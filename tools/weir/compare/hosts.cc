#include "compare/hosts.h"

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "child.h"
#include "command.h"

namespace weir::tool::compare {

namespace {

LauncherKind kind_of(MpiFamily family) {
  return family == MpiFamily::kOpenMpi ? LauncherKind::kOpenMpi : LauncherKind::kHydra;
}

Words launchers_of(MpiFamily family) {
  if (family == MpiFamily::kOpenMpi) return {"mpirun.openmpi", "mpirun", "mpiexec", "orterun"};
  return {"mpirun.mpich", "mpiexec.hydra", "mpirun", "mpiexec"};
}

std::string find_launcher(MpiFamily family) {
  for (const std::string& name : launchers_of(family)) {
    const auto kind = kind_of_launcher(name);
    if (kind.ok() && kind.value() == kind_of(family)) return name;
  }
  return "";
}

// From a first line such as "mpirun (Open MPI) 4.1.4" or, in a later one, "Version: 4.0.2".
std::string version_of(MpiFamily family, const std::string& launcher) {
  for (const std::string& line : split(run_command({launcher, "--version"}, {.merge_errors = true}).output, '\n')) {
    const Words words = split(line, ' ');
    const bool tells = family == MpiFamily::kOpenMpi || (words.size() == 2 && words[0] == "Version:");
    if (tells && words.size() > 1) return fmt::format("{} {}", full_name(family), words.back());
  }
  return full_name(family);
}

// From lines such as "mca:io:romio321:version:..."; without the command, what Open MPI 4.1 has.
Words components_of_open_mpi() {
  Words components;
  for (const std::string& line : split(run_command({"ompi_info", "--parsable"}).output, '\n')) {
    const Words fields = split(line, ':');
    if (fields.size() < 3 || fields[0] != "mca" || fields[1] != "io") continue;
    if (std::find(components.begin(), components.end(), fields[2]) == components.end()) components.push_back(fields[2]);
  }
  return components.empty() ? Words{"ompio", "romio321"} : components;
}

// Open MPI's shared-memory transport takes for granted that a process may read another's memory; where that is
// forbidden (most containers), its messages fail.
bool may_read_memory_of_others() {
  char own = 0;
  const char foreign = 0;
  const ChildResult result = run_forked([&] {
    iovec to{&own, 1};
    iovec from{const_cast<char*>(&foreign), 1};
    return process_vm_readv(getppid(), &to, 1, &from, 1, 0) == 1 ? 0 : 1;
  });
  return result.succeeded();
}

Result<Host> find_host(MpiFamily family) {
  Host host{.family = family,
            .launcher = find_launcher(family),
            .version = {},
            .directory = std::filesystem::path(find_library(family)).parent_path().string(),
            .components = {},
            .single_copy = true};
  if (host.launcher.empty()) return cannot(fmt::format("{}: no launcher in PATH", full_name(family)));
  if (host.directory.empty()) return cannot(fmt::format("{}: weir was not built for it", full_name(family)));
  host.version = version_of(family, host.launcher);
  if (family == MpiFamily::kOpenMpi) {
    host.components = components_of_open_mpi();
    host.single_copy = may_read_memory_of_others();
  }
  return host;
}

// The component whose name begins with `name`; empty if there is none.
std::string component(const Host& host, const std::string& name) {
  const auto found = std::find_if(host.components.begin(), host.components.end(),
                                  [&](const std::string& one) { return one.starts_with(name); });
  return found == host.components.end() ? "" : *found;
}

Peer open_mpi_peer(const std::string& name, const std::string& component_name) {
  return {name, name == "romio" ? "ROMIO" : "OMPIO", {{"OMPI_MCA_io", component_name, '\0', ""}}};
}

Peer weir_peer(const Host& host) {
  return {"weir", "weir", {{"LD_PRELOAD", host.directory + "/libweir.so", ':', environment("LD_PRELOAD")}}};
}

}  // namespace

Result<std::vector<Host>> find_hosts(const Words& names) {
  std::vector<Host> hosts;
  Words missing;
  for (const MpiFamily family : {MpiFamily::kOpenMpi, MpiFamily::kMpich}) {
    const bool wanted = names.empty() || std::find(names.begin(), names.end(), short_name(family)) != names.end();
    if (!wanted) continue;
    auto host = find_host(family);
    if (!host.ok()) missing.push_back(host.status().text());
    if (!host.ok() && !names.empty()) return cannot(join(missing, "; "));
    if (host.ok()) hosts.push_back(std::move(host).value());
  }
  for (const std::string& name : names)
    if (!family_of_name(name)) return cannot(fmt::format("--mpi {}: say openmpi or mpich", name));
  if (hosts.empty())
    return cannot(fmt::format("nothing can be measured here. {}. See: weir doctor", join(missing, "; ")));
  return hosts;
}

const Words& peer_names() {
  static const Words names = {"host", "ompio", "romio", "weir", "blockio"};
  return names;
}

std::vector<Peer> peers_of(const Host& host, const Words& wanted, Words& left_out) {
  const bool open_mpi = host.family == MpiFamily::kOpenMpi;
  const auto has = [&](const char* name) { return std::find(wanted.begin(), wanted.end(), name) != wanted.end(); };
  std::vector<Peer> peers;
  for (const std::string& name : wanted) {
    if (name == "weir") peers.push_back(weir_peer(host));
    if (name == "host") peers.push_back({"host", open_mpi ? "its own (default)" : "ROMIO", {}});
    if (name != "ompio" && name != "romio") continue;
    const std::string found = component(host, name);
    if (open_mpi && !found.empty()) {
      peers.push_back(open_mpi_peer(name, found));
    } else if (open_mpi || name == "ompio") {
      left_out.push_back(fmt::format("{} has no {}", host.version, name));
    } else if (!has("host")) {
      peers.push_back({"romio", "ROMIO", {}});
    }
  }
  return peers;
}

std::vector<std::pair<std::string, std::string>> launcher_environment(const Host& host) {
  std::vector<std::pair<std::string, std::string>> settings;
  if (host.family != MpiFamily::kOpenMpi) return settings;
  if (geteuid() == 0) settings = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
  if (!host.single_copy) settings.emplace_back("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
  return settings;
}

}  // namespace weir::tool::compare
