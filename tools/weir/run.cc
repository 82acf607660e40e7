#include "run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "command.h"
#include "hint_words.h"

namespace weir::tool {

namespace {

constexpr int kNothingRun = 2;

// Ranks may run in other directories.
std::string absolute(const std::string& path) { return std::filesystem::absolute(path); }

std::vector<Variable> variables_for(const RunOptions& options, const std::string& library) {
  std::vector<Variable> variables = {{"LD_PRELOAD", library, ':', environment("LD_PRELOAD")}};
  if (!options.hints.empty())
    variables.push_back({"WEIR_HINTS", join(options.hints, ";"), ';', environment("WEIR_HINTS")});
  if (options.report) variables.push_back({"WEIR_REPORT", "1", '\0', ""});
  if (!options.timeline.empty()) variables.push_back({"WEIR_TIMELINE", absolute(options.timeline), '\0', ""});
  if (!options.capture.empty()) variables.push_back({"WEIR_CAPTURE", absolute(options.capture), '\0', ""});
  return variables;
}

// Before hours of a run are spent for a file that cannot be written at its end.
Status check_new(const std::string& option, const std::string& path) {
  if (path.empty()) return {};
  if (std::filesystem::exists(std::filesystem::symlink_status(path))) {
    return cannot(fmt::format("{} {}: the file is there already; remove it or name another", option, path));
  }
  const std::string directory = std::filesystem::path(absolute(path)).parent_path();
  if (::access(directory.c_str(), W_OK | X_OK) == 0) return {};
  return cannot(fmt::format("{} {}: {}", option, path, Status::from_errno(errno, "write to", directory).text()));
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
  if (Status status = check_hints(options.hints); !status.ok()) return status;
  Status new_files = check_new("--timeline", options.timeline).or_else(check_new("--capture", options.capture));
  if (!new_files.ok()) return new_files;
  const auto command = read_command(options.command, options.mpi);
  if (!command.ok()) return command.status();
  const ProgramMpi& program = command.value().program;
  const auto library = library_for(program);
  if (!library.ok()) return library.status();

  RunPlan plan;
  plan.family = program.family;
  plan.reasons = {fmt::format("{}: {}", full_name(plan.family), program.reason), "preloads " + library.value()};
  plan.invocation = with_variables(command.value(), variables_for(options, library.value()));
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
