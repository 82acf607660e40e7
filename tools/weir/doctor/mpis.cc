// The MPIs of this machine: their libraries, launchers and wrappers, and weir's library for each.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "child.h"
#include "command.h"
#include "doctor/doctor.h"
#include "file_functions.h"
#include "launcher.h"
#include "mpi_use.h"
#include "program.h"

namespace weir::tool::doctor {

namespace {

constexpr std::chrono::seconds kPatience{20};
constexpr int kThreadMultiple = 3;  // MPI_THREAD_MULTIPLE, in both MPIs' headers

// The thread levels, from MPI_THREAD_SINGLE on, as the family's header has them.
constexpr std::array kLevels = {0, 1, 2, kThreadMultiple};
constexpr std::array kAbiLevels = {0, 1024, 2048, 4096};

const std::array<int, 4>& levels_of(MpiFamily family) { return family == MpiFamily::kAbi ? kAbiLevels : kLevels; }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Runs in a child: prints the library's own description of itself. MPI allows this before MPI_Init.
int print_version(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) {
    std::puts(dlerror());
    return 1;
  }
  using GetVersion = int (*)(char*, int*);
  const auto get_version = reinterpret_cast<GetVersion>(dlsym(handle, "MPI_Get_library_version"));
  char text[8192] = "";
  int length = 0;
  if (get_version == nullptr || get_version(text, &length) != 0) return 1;
  std::puts(text);
  return 0;
}

// Runs in a child: starts MPI with one rank and exits with the thread level it offers, 0 to 3.
int thread_level(const MpiLibrary& library) {
  const auto& levels = levels_of(library.family);
  void* handle = dlopen(library.path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) return 10;
  using InitThread = int (*)(int*, char***, int, int*);
  using Finalize = int (*)();
  const auto init = reinterpret_cast<InitThread>(dlsym(handle, "MPI_Init_thread"));
  const auto finalize = reinterpret_cast<Finalize>(dlsym(handle, "MPI_Finalize"));
  int provided = -1;
  if (init == nullptr || finalize == nullptr || init(nullptr, nullptr, levels.back(), &provided) != 0) return 10;
  const auto* const level = std::ranges::find(levels, provided);
  return finalize() == 0 && level != levels.end() ? static_cast<int>(level - levels.begin()) : 10;
}

// Runs in a child: loads weir's library and sees that the file calls are its own.
int load_weir(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) {
    std::puts(dlerror());
    return 1;
  }
  Dl_info info{};
  void* open_call = dlsym(handle, "MPI_File_open");
  if (open_call != nullptr && dladdr(open_call, &info) != 0 && library == info.dli_fname) return 0;
  std::puts("it does not define MPI_File_open");
  return 1;
}

// Runs in a child: 0 when the library, or one that it is linked to, has the function by which weir reaches its progress
// (src/comm/mpi/progress_hook.h).
int find_progress_hook(const std::string& library, const char* symbol) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  return handle != nullptr && dlsym(handle, symbol) != nullptr ? 0 : 1;
}

const char* hook_symbol(const MpiLibrary& library) {
  auto family = library.family;
  if (family == MpiFamily::kAbi) family = implementation_of_abi(library.path, this_machine()).value_or(family);
  return family == MpiFamily::kOpenMpi ? "opal_progress_register" : "ucp_worker_progress";
}

// What weir makes of the thread level that a program asks for, and what moves nonblocking calls then.
Finding examine_hook(const MpiLibrary& library, bool multiple_offered) {
  const char* symbol = hook_symbol(library);
  const ChildResult hook = run_forked([&] { return find_progress_hook(library.path, symbol); }, {.timeout = kPatience});
  if (hook.succeeded()) {
    return {Level::kOk, fmt::format("thread level: as the program asks; messages of nonblocking calls move inside the "
                                    "MPI's progress ({})",
                                    symbol)};
  }
  const std::string no_hook = fmt::format("this MPI has no progress hook ({})", symbol);
  if (multiple_offered) {
    return {Level::kOk, "thread level: raised to MPI_THREAD_MULTIPLE on several nodes, " + no_hook,
            "WEIR_THREADS=keep leaves it as the program asks; see docs/troubleshooting.md"};
  }
  return {Level::kWarn, "thread level: as the program asks, " + no_hook,
          "messages of nonblocking calls move only while the program waits in weir or asks for a request"};
}

void examine_threads(const MpiLibrary& library, Section& section) {
  const ChildResult result = run_forked([&] { return thread_level(library); }, {.timeout = kPatience});
  const bool multiple = result.exit_code == kThreadMultiple;
  if (multiple) {
    section.findings.push_back({Level::kOk, "threads: MPI_THREAD_MULTIPLE is offered (asked of a run with one rank)"});
  } else if (result.exit_code >= 0 && result.exit_code < kThreadMultiple) {
    section.findings.push_back({Level::kOk, fmt::format("threads: only level {} of 3 is offered", result.exit_code)});
  } else {
    section.findings.push_back({Level::kWarn, "threads: unknown, a run with one rank did not start",
                                "try: " + std::string("mpirun -np 1 hostname")});
  }
  section.findings.push_back(examine_hook(library, multiple));
}

Finding examine_weir_library(const MpiLibrary& host) {
  const MpiFamily family = host.family;
  const std::string path = find_library(family);
  if (path.empty()) {
    return {Level::kWarn, fmt::format("weir: no libweir.so for {}", full_name(family)),
            "install weir's package for it (libweir-openmpi, libweir-mpich, libweir-abi); or this MPI's development "
            "package "
            "(libopenmpi-dev, libmpich-dev), and build weir again"};
  }
  if (Status status = check_file_functions(host.path, path); !status.ok()) {
    return {Level::kFail, "weir: " + status.text()};
  }
  const ChildResult loaded = run_forked([&] { return load_weir(path); }, {.timeout = kPatience, .merge_errors = true});
  if (loaded.succeeded()) {
    return {Level::kOk, "weir: " + path + " loads and defines every file function of this MPI"};
  }
  return {Level::kFail, fmt::format("weir: {} does not load: {}", path, first_line(loaded.output)),
          "build weir again with the MPI that is installed now"};
}

// Soname and path of the MPI libraries the dynamic linker knows.
std::vector<MpiLibrary> installed_libraries(const LinkerView& linker) {
  std::vector<MpiLibrary> found;
  std::set<std::string> real_paths;
  for (const char* soname : {"libmpi.so.40", "libmpich.so.12", "libmpi.so.12", "libmpi_abi.so.1"}) {
    std::string path;
    for (const std::string& directory : linker.library_path)
      if (path.empty() && linker.load(directory + "/" + soname).ok()) path = directory + "/" + soname;
    if (const auto cached = linker.cache.find(soname); path.empty() && cached != linker.cache.end())
      path = cached->second;
    std::error_code error;
    if (!path.empty() && real_paths.insert(std::filesystem::weakly_canonical(path, error).string()).second)
      found.push_back({*family_of_soname(soname), soname, path, ""});
  }
  return found;
}

void examine_library(const MpiLibrary& library, Section& section) {
  const ChildResult version =
      run_forked([&] { return print_version(library.path); }, {.timeout = kPatience, .merge_errors = true});
  if (!version.succeeded()) {
    section.findings.push_back(
        {Level::kFail,
         fmt::format("{}: {} does not load: {}", full_name(library.family), library.path, first_line(version.output)),
         "reinstall this MPI"});
    return;
  }
  std::string text = first_line(version.output);
  for (char& c : text)
    if (c == '\t') c = ' ';
  section.findings.push_back({Level::kOk, fmt::format("{} ({})", text, library.path)});
  examine_threads(library, section);
  section.findings.push_back(examine_weir_library(library));
}

std::string launcher_text(const std::string& path) {
  std::error_code error;
  const std::string real = std::filesystem::canonical(path, error).string();
  auto kind = kind_of_launcher_name(real);
  if (!kind) kind = kind_of_version_text(run_command({path, "--version"}, {.merge_errors = true}).output);
  if (!kind) return path + " (unknown kind)";
  if (*kind == LauncherKind::kSrun) return path + " (Slurm)";
  return path + (*kind == LauncherKind::kOpenMpi ? " (Open MPI)" : " (MPICH)");
}

void examine_commands(const char* what, const std::vector<const char*>& names, bool launchers, Section& section) {
  const char* search_path = std::getenv("PATH");
  Words found;
  for (const char* name : names) {
    if (const std::string path = find_executable(name, search_path != nullptr ? search_path : "", "/nonexistent");
        !path.empty())
      found.push_back(launchers ? launcher_text(path) : path);
  }
  if (found.empty()) {
    section.findings.push_back(
        {Level::kWarn, fmt::format("{}: none in PATH", what),
         launchers ? "install openmpi-bin or mpich, or extend PATH" : "needed only to build programs or weir itself"});
  } else {
    section.findings.push_back({Level::kOk, fmt::format("{}: {}", what, join(found, ", "))});
  }
}

}  // namespace

Section examine_mpis() {
  Section section{"MPI", {}};
  const auto libraries = installed_libraries(this_machine());
  if (libraries.empty()) {
    section.findings.push_back({Level::kFail, "no MPI library is known to the dynamic linker",
                                "install Open MPI or MPICH (Debian: openmpi-bin libopenmpi-dev, or mpich "
                                "libmpich-dev), or add its directory to LD_LIBRARY_PATH"});
  }
  for (const MpiLibrary& library : libraries) examine_library(library, section);
  examine_commands("launchers",
                   {"mpirun", "mpiexec", "mpirun.openmpi", "mpirun.mpich", "mpiexec.hydra", "orterun", "srun"}, true,
                   section);
  examine_commands("compiler wrappers", {"mpicc", "mpicc.openmpi", "mpicc.mpich"}, false, section);
  return section;
}

}  // namespace weir::tool::doctor
