// Launchers' command lines: where the program stands in them, and what they already set for it.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "words.h"

namespace weir::tool {

// Which command line a launcher understands; kNone for a program started without one.
enum class LauncherKind : std::uint8_t { kNone, kOpenMpi, kHydra, kSrun };

// The options of one kind of launcher: name without dashes -> number of words that follow it as
// values.
using OptionTable = std::map<std::string, int, std::less<>>;
const OptionTable& options_of(LauncherKind kind);

// A setting of an environment variable for the program, by an option of the launcher.
struct EnvironmentSetting {
  std::size_t first_word = 0;  // the option
  std::size_t word_count = 0;  // the option and its values
  std::string name;
  std::optional<std::string> value;  // none: the launcher's own environment has it
  bool global = false;               // for all programs, not only for its own context
};

// One program of the command line; several are separated by the word ":".
struct AppContext {
  std::size_t begin = 0;    // first word: the one after the launcher's name or after ':'
  std::size_t program = 0;  // the program's name
  std::size_t end = 0;      // one past the last argument
  std::string directory;    // -wdir; empty: the current one
  std::vector<EnvironmentSetting> settings;
};

// What differs between versions of one launcher.
struct LauncherRules {
  bool env_list_beside_x = false;  // Open MPI: mca_base_env_list is allowed together with -x
  bool topo_has_value = false;     // Open MPI: a word follows --display-topo
};

// Whether the rules of a launcher of that kind matter for what it was given, so that it has to be asked its version.
bool rules_matter(LauncherKind kind, const Words& words);

// What the output of `LAUNCHER --version` tells of a launcher of Open MPI.
LauncherRules rules_of_version_text(std::string_view text);

struct LaunchLine {
  LauncherKind kind = LauncherKind::kNone;
  std::size_t launcher = 0;  // index of the launcher's name; unused for kNone
  std::vector<AppContext> contexts;
};

// True for names that only launchers have (mpirun, mpiexec.hydra, orterun, srun, ...), with any
// path before them.
bool is_launcher_name(std::string_view path);

// The kind that a launcher's real name (symbolic links followed) tells; nothing for names such as
// plain mpirun.
std::optional<LauncherKind> kind_of_launcher_name(std::string_view real_path);

// The kind that the output of `LAUNCHER --version` tells.
std::optional<LauncherKind> kind_of_version_text(std::string_view text);

// Finds the programs in `words`, whose word `launcher` is the name of a launcher of that kind (not
// kNone). Failure, with what to do: an unknown option (it cannot be told whether a value follows),
// options that keep the programs in a file, no program, settings that cannot be combined with
// weir's.
Result<LaunchLine> parse_launch_line(LauncherKind kind, const Words& words, std::size_t launcher,
                                     const LauncherRules& rules = {});

// Commands that start another command: env, timeout, numactl and the like.
// The index of the word in [begin, end) that names the command which finally runs, after any number
// of wrappers; `begin` itself when it is not a wrapper. Failure, with what to do: a wrapper that
// starts nothing, uses an option unknown here, or takes LD_PRELOAD away from what it starts (env
// -i, env -u LD_PRELOAD, env LD_PRELOAD=...).
Result<std::size_t> skip_wrappers(const Words& words, std::size_t begin, std::size_t end);

}  // namespace weir::tool
