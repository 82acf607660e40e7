#include "compare/start.h"

#include <fmt/format.h>

#include <filesystem>

namespace weir::tool::compare {

namespace {

Words launcher_words(const Cell& cell, const StartOptions& options) {
  const bool open_mpi = cell.host.family == MpiFamily::kOpenMpi;
  const int per_node = cell.variant.ranks_per_node;
  Words words = {cell.host.launcher};
  if (open_mpi) {
    words.insert(words.end(), {"--oversubscribe", "--bind-to", "none"});
    if (per_node > 0) words.insert(words.end(), {"--map-by", fmt::format("ppr:{}:node", per_node)});
  } else if (per_node > 0) {
    words.insert(words.end(), {"-ppn", std::to_string(per_node)});
  }
  words.insert(words.end(), {open_mpi ? "-np" : "-n", std::to_string(cell.ranks)});
  words.insert(words.end(), options.launcher_words.begin(), options.launcher_words.end());
  return words;
}

std::string sleeping_shim(const Cell& cell, const StartOptions& options) {
  const std::string path = cell.host.directory + "/idle.so";
  const bool wanted = cell.host.family == MpiFamily::kMpich && cell.ranks > options.cores && !options.keep_spinning;
  return wanted && std::filesystem::exists(path) ? path : "";
}

// Adds the shim behind what is preloaded already.
void add_preload(std::vector<Variable>& variables, const std::string& library) {
  for (Variable& variable : variables) {
    if (variable.name != "LD_PRELOAD") continue;
    variable.value += ":" + library;
    return;
  }
  variables.push_back({"LD_PRELOAD", library, ':', environment("LD_PRELOAD")});
}

}  // namespace

Result<Command> own_command(const Cell& cell, const std::string& program, const Words& arguments,
                            const StartOptions& options) {
  Words words = launcher_words(cell, options);
  words.push_back(cell.host.directory + "/" + program);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const bool open_mpi = cell.host.family == MpiFamily::kOpenMpi;
  const auto line = parse_launch_line(open_mpi ? LauncherKind::kOpenMpi : LauncherKind::kHydra, words, 0);
  if (!line.ok()) return line.status();
  return Command{words, line.value(), {.family = cell.host.family, .soname = {}, .path = {}, .reason = "chosen"}};
}

Invocation under_peer(const Command& command, const Cell& cell, const std::vector<Variable>& more,
                      const StartOptions& options) {
  std::vector<Variable> variables = cell.peer.variables;
  if (const std::string shim = sleeping_shim(cell, options); !shim.empty()) add_preload(variables, shim);
  variables.insert(variables.end(), more.begin(), more.end());
  Invocation invocation = with_variables(command, variables);
  for (const auto& setting : launcher_environment(cell.host)) invocation.environment.push_back(setting);
  return invocation;
}

}  // namespace weir::tool::compare
