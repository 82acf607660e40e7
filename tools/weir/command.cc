#include "command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "child.h"
#include "file_functions.h"

namespace weir::tool {

namespace {

std::optional<MpiFamily> family_of_launcher(LauncherKind kind) {
  if (kind == LauncherKind::kOpenMpi) return MpiFamily::kOpenMpi;
  if (kind == LauncherKind::kHydra) return MpiFamily::kMpich;
  return std::nullopt;  // srun starts programs of any MPI
}

// Only the places to put options in, for command lines that cannot be read further.
LaunchLine outline(LauncherKind kind, const Words& words, std::size_t launcher) {
  LaunchLine line{kind, launcher, {}};
  line.contexts.push_back({launcher + 1, launcher + 1, words.size(), "", {}});
  for (std::size_t i = launcher + 1; i < words.size(); ++i)
    if (words[i] == ":") line.contexts.push_back({i + 1, i + 1, words.size(), "", {}});
  return line;
}

// The launcher is asked only where an answer matters.
LauncherRules rules_of(LauncherKind kind, const Words& words, std::size_t launcher) {
  if (!rules_matter(kind, words)) return {};
  return rules_of_version_text(run_command({words[launcher], "--version"}, {.merge_errors = true}).output);
}

Result<LaunchLine> read_launch_line(const Words& words, const std::string& mpi) {
  const auto first = skip_wrappers(words, 0, words.size());
  if (!first.ok()) return first.status();
  if (!is_launcher_name(words[first.value()])) {
    LaunchLine line;
    line.contexts.push_back({0, first.value(), words.size(), "", {}});
    return line;
  }
  const auto kind = kind_of_launcher(words[first.value()]);
  if (!kind.ok()) return kind.status();
  auto line = parse_launch_line(kind.value(), words, first.value(), rules_of(kind.value(), words, first.value()));
  if (!line.ok() && !mpi.empty()) return outline(kind.value(), words, first.value());
  return line;
}

Result<ProgramMpi> mpi_of_context(const AppContext& context, const LaunchLine& line, const Words& words,
                                  const LinkerView& linker) {
  const auto program = skip_wrappers(words, context.program, context.end);
  if (!program.ok()) return program.status();
  ProgramCall call;
  call.words.assign(words.begin() + static_cast<std::ptrdiff_t>(context.program),
                    words.begin() + static_cast<std::ptrdiff_t>(context.end));
  call.program = program.value() - context.program;
  call.directory = context.directory;
  call.launcher = family_of_launcher(line.kind);
  return mpi_of_program(call, linker);
}

Result<ProgramMpi> mpi_of_all(const Words& words, const std::string& mpi, const LaunchLine& line,
                              const LinkerView& linker) {
  if (!mpi.empty()) {
    const auto family = family_of_name(mpi);
    if (!family) return cannot(fmt::format("--mpi {}: say openmpi, mpich or abi", mpi));
    return ProgramMpi{*family, "", "", "said by --mpi"};
  }
  std::optional<ProgramMpi> all;
  for (const AppContext& context : line.contexts) {
    auto one = mpi_of_context(context, line, words, linker);
    if (!one.ok()) return one.status();
    if (all && all->family != one.value().family)
      return cannot("the programs of this command line use different MPIs: " + all->reason + "; " + one.value().reason);
    all = std::move(one).value();
  }
  return *all;
}

// A program of the standard ABI runs under every launcher, if it finds that one's libmpi_abi.so.1.
Status check_abi_launcher(const LaunchLine& line, const ProgramMpi& program, const Words& words,
                          const LinkerView& linker) {
  const auto launcher = family_of_launcher(line.kind);
  const auto found = implementation_of_abi(program.path, linker);
  if (!launcher || !found || *launcher == *found) return {};
  return cannot(fmt::format(
      "the program would find {}, which is of {}, but {} is the launcher of {}: each process would run alone.\n"
      "  Set LD_LIBRARY_PATH to the directory of {}'s {}, or use the other launcher.",
      program.path, full_name(*found), words[line.launcher], full_name(*launcher), full_name(*launcher),
      program.soname));
}

Status check_launcher(const LaunchLine& line, const ProgramMpi& program, const Words& words, const LinkerView& linker) {
  if (program.family == MpiFamily::kAbi) return check_abi_launcher(line, program, words, linker);
  const auto launcher = family_of_launcher(line.kind);
  if (!launcher || *launcher == program.family) return {};
  const bool open_mpi = program.family == MpiFamily::kOpenMpi;
  return cannot(
      fmt::format("the program uses {} ({}), but {} is the launcher of {}: each process would run alone.\n"
                  "  Use {} instead.",
                  full_name(program.family), program.reason, words[line.launcher], full_name(*launcher),
                  open_mpi ? "mpirun.openmpi (or Open MPI's mpirun)" : "mpirun.mpich (or mpiexec.hydra)"));
}

}  // namespace

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

Result<LauncherKind> kind_of_launcher(const std::string& name) {
  const std::string path = find_executable(name, environment("PATH"), "");
  if (path.empty()) return cannot(fmt::format("the launcher {} is not installed, or not in PATH", name));
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  if (const auto kind = kind_of_launcher_name(real.string())) return *kind;
  const ChildResult version = run_command({path, "--version"}, {.merge_errors = true});
  if (const auto kind = kind_of_version_text(version.output)) return *kind;
  return cannot(
      fmt::format("{} is a launcher that weir does not know; it knows those of Open MPI, MPICH (hydra) "
                  "and Slurm.\n  Set LD_PRELOAD to weir's library by the launcher's own means instead: "
                  "see `weir doctor` for its path.",
                  path));
}

Result<Command> read_command(const Words& words, const std::string& mpi) {
  if (words.empty()) return cannot("no command given; for example: weir run -- mpirun -np 4 ./program");
  const LinkerView linker = this_machine();
  const auto line = read_launch_line(words, mpi);
  if (!line.ok()) return line.status();
  const auto program = mpi_of_all(words, mpi, line.value(), linker);
  if (!program.ok()) return program.status();
  if (Status status = check_launcher(line.value(), program.value(), words, linker); !status.ok()) return status;
  return Command{words, line.value(), program.value()};
}

std::vector<std::string> library_candidates(MpiFamily family, const std::string& binary_directory,
                                            const std::string& override_directory) {
  const std::string tail = std::string("/") + short_name(family) + "/libweir.so";
  if (!override_directory.empty()) return {override_directory + tail};
  std::vector<std::string> candidates = {binary_directory + "/../lib" + tail};
  for (const char* folder : {WEIR_LIBDIR, "lib", "lib64"})
    candidates.push_back(binary_directory + "/../" + folder + "/weir" + tail);
  return candidates;
}

std::string find_library(MpiFamily family) {
  std::error_code error;
  const auto binary = std::filesystem::read_symlink("/proc/self/exe", error);
  const char* override_directory = std::getenv("WEIR_LIBRARY_DIR");
  for (const std::string& candidate : library_candidates(family, binary.parent_path().string(),
                                                         override_directory != nullptr ? override_directory : ""))
    if (std::filesystem::exists(candidate, error)) return std::filesystem::canonical(candidate, error).string();
  return "";
}

namespace {

// The MPI library that the program will meet: its own, or that which weir's would be linked to.
std::string host_library(const ProgramMpi& program, const std::vector<std::string>& needed, const LinkerView& linker) {
  if (!program.path.empty()) return program.path;
  for (const std::string& soname : needed) {
    const auto cached = linker.cache.find(soname);
    if (family_of_soname(soname) == program.family && cached != linker.cache.end()) return cached->second;
  }
  return "";
}

}  // namespace

Result<std::string> library_for(const ProgramMpi& program) {
  const std::string path = find_library(program.family);
  if (path.empty()) {
    return cannot(
        fmt::format("there is no libweir.so for {}: install its development package and build weir again "
                    "(`weir doctor` shows what is there; WEIR_LIBRARY_DIR names another place to look)",
                    full_name(program.family)));
  }
  const LinkerView linker = this_machine();
  const auto file = linker.load(path);
  if (!file.ok()) return file.status();
  const auto& needed = file.value().needed;
  if (program.soname.empty() || std::find(needed.begin(), needed.end(), program.soname) != needed.end()) {
    Status status = check_file_functions(host_library(program, needed, linker), path);
    return status.ok() ? Result<std::string>(path) : status;
  }
  for (const std::string& soname : needed) {
    if (family_of_soname(soname)) {
      return cannot(fmt::format("{} was built for {}, but the program needs {}; build weir with that MPI", path, soname,
                                program.soname));
    }
  }
  return path;
}

Invocation with_variables(const Command& command, const std::vector<Variable>& variables) {
  return apply(variables, command.line, command.words, environment("SLURM_EXPORT_ENV"));
}

}  // namespace weir::tool
