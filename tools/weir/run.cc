#include "run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "child.h"
#include "hint_words.h"
#include "launcher.h"
#include "library.h"
#include "program.h"
#include "wrapper.h"

namespace weir::tool {

namespace {

constexpr int kNothingRun = 2;

Status cannot(std::string text) { return Status(ErrorClass::kArgument, std::move(text)); }

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::optional<MpiFamily> family_of_launcher(LauncherKind kind) {
  if (kind == LauncherKind::kOpenMpi) return MpiFamily::kOpenMpi;
  if (kind == LauncherKind::kHydra) return MpiFamily::kMpich;
  return std::nullopt;  // srun starts programs of any MPI
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

// Only the places to put options in, for command lines that cannot be read further.
LaunchLine outline(LauncherKind kind, const Words& words, std::size_t launcher) {
  LaunchLine line{kind, launcher, {}};
  line.contexts.push_back({launcher + 1, launcher + 1, words.size(), "", {}});
  for (std::size_t i = launcher + 1; i < words.size(); ++i)
    if (words[i] == ":") line.contexts.push_back({i + 1, i + 1, words.size(), "", {}});
  return line;
}

Result<LaunchLine> read_launch_line(const RunOptions& options) {
  const Words& words = options.command;
  const auto first = skip_wrappers(words, 0, words.size());
  if (!first.ok()) return first.status();
  if (!is_launcher_name(words[first.value()])) {
    LaunchLine line;
    line.contexts.push_back({0, first.value(), words.size(), "", {}});
    return line;
  }
  const auto kind = kind_of_launcher(words[first.value()]);
  if (!kind.ok()) return kind.status();
  auto line = parse_launch_line(kind.value(), words, first.value());
  if (!line.ok() && !options.mpi.empty()) return outline(kind.value(), words, first.value());
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

Result<ProgramMpi> mpi_of_all(const RunOptions& options, const LaunchLine& line, const LinkerView& linker) {
  if (!options.mpi.empty()) {
    const auto family = family_of_name(options.mpi);
    if (!family) return cannot(fmt::format("--mpi {}: say openmpi or mpich", options.mpi));
    return ProgramMpi{*family, "", "said by --mpi"};
  }
  std::optional<ProgramMpi> all;
  for (const AppContext& context : line.contexts) {
    auto one = mpi_of_context(context, line, options.command, linker);
    if (!one.ok()) return one.status();
    if (all && all->family != one.value().family)
      return cannot("the programs of this command line use different MPIs: " + all->reason + "; " + one.value().reason);
    all = std::move(one).value();
  }
  return *all;
}

Status check_launcher(const LaunchLine& line, const ProgramMpi& program, const Words& words) {
  const auto launcher = family_of_launcher(line.kind);
  if (!launcher || *launcher == program.family) return {};
  const bool open_mpi = program.family == MpiFamily::kOpenMpi;
  return cannot(
      fmt::format("the program uses {} ({}), but {} is the launcher of {}: each process would run alone.\n"
                  "  Use {} instead.",
                  full_name(program.family), program.reason, words[line.launcher], full_name(*launcher),
                  open_mpi ? "mpirun.openmpi (or Open MPI's mpirun)" : "mpirun.mpich (or mpiexec.hydra)"));
}

// A libweir.so made for an MPI library of another name would bring that one into the process as a
// second MPI.
Result<std::string> library_for(const ProgramMpi& program, const LinkerView& linker) {
  const std::string path = find_library(program.family);
  if (path.empty())
    return cannot(
        fmt::format("there is no libweir.so for {}: install its development package and build weir again "
                    "(`weir doctor` shows what is there; WEIR_LIBRARY_DIR names another place to look)",
                    full_name(program.family)));
  const auto file = linker.load(path);
  if (!file.ok()) return file.status();
  const auto& needed = file.value().needed;
  if (program.soname.empty() || std::find(needed.begin(), needed.end(), program.soname) != needed.end()) return path;
  for (const std::string& soname : needed)
    if (family_of_soname(soname))
      return cannot(fmt::format("{} was built for {}, but the program needs {}; build weir with that MPI", path, soname,
                                program.soname));
  return path;
}

std::vector<Variable> variables_for(const RunOptions& options, const std::string& library) {
  std::vector<Variable> variables = {{"LD_PRELOAD", library, ':', environment("LD_PRELOAD")}};
  if (!options.hints.empty())
    variables.push_back({"WEIR_HINTS", join(options.hints, ";"), ';', environment("WEIR_HINTS")});
  if (options.report) variables.push_back({"WEIR_REPORT", "1", '\0', ""});
  return variables;
}

void print_plan(std::FILE* stream, const RunPlan& plan) {
  for (const std::string& reason : plan.reasons) fmt::print(stream, "weir run: {}\n", reason);
  for (const auto& [name, value] : plan.invocation.environment)
    fmt::print(stream, "weir run: sets {}\n", shell_quoted({name + "=" + value}));
  fmt::print(stream, "weir run: {}\n", shell_quoted(plan.invocation.words));
}

int execute(const Invocation& invocation) {
  for (const auto& [name, value] : invocation.environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : invocation.words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  execvp(arguments[0], arguments.data());
  fmt::print(stderr, "weir run: {}\n", Status::from_errno(errno, "execute", invocation.words[0]).text());
  return kNothingRun;
}

}  // namespace

Result<RunPlan> plan_run(const RunOptions& options) {
  if (options.command.empty()) return cannot("no command given; for example: weir run -- mpirun -np 4 ./program");
  if (Status status = check_hints(options.hints); !status.ok()) return status;
  const LinkerView linker = this_machine();
  const auto line = read_launch_line(options);
  if (!line.ok()) return line.status();
  const auto program = mpi_of_all(options, line.value(), linker);
  if (!program.ok()) return program.status();
  if (Status status = check_launcher(line.value(), program.value(), options.command); !status.ok()) return status;
  const auto library = library_for(program.value(), linker);
  if (!library.ok()) return library.status();

  RunPlan plan;
  plan.family = program.value().family;
  plan.reasons = {fmt::format("{}: {}", full_name(plan.family), program.value().reason), "preloads " + library.value()};
  plan.invocation =
      apply(variables_for(options, library.value()), line.value(), options.command, environment("SLURM_EXPORT_ENV"));
  return plan;
}

int run(const RunOptions& options) {
  const auto plan = plan_run(options);
  if (!plan.ok()) {
    fmt::print(stderr, "weir run: {}\n  Nothing was run.\n", plan.status().text());
    return kNothingRun;
  }
  if (options.dry_run) {
    print_plan(stdout, plan.value());
    return 0;
  }
  if (options.verbose) print_plan(stderr, plan.value());
  return execute(plan.value().invocation);
}

}  // namespace weir::tool
