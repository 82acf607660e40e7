#include "launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace weir::tool {

namespace {

constexpr std::string_view kEnvironmentList = "mca_base_env_list";
constexpr std::string_view kDisplayTopo = "display-topo";

// An option as it stands in the command line.
struct Option {
  std::string name;            // without dashes and without an attached value
  Words values;                // attached or following
  std::size_t word_count = 1;  // of the command line
};

// Reads the options of one context, up to its program.
class ContextReader {
 public:
  // `context` has its begin and end, and nothing else yet.
  ContextReader(LauncherKind kind, const Words& words, AppContext context, const LauncherRules& rules)
      : kind_(kind), words_(words), context_(std::move(context)), rules_(rules) {}

  Result<AppContext> read() {
    while (context_.program < context_.end) {
      const std::string& word = words_[context_.program];
      if (word.size() < 2 || word[0] != '-') return std::move(context_);
      if (word == "--" && kind_ != LauncherKind::kHydra) {
        ++context_.program;
        break;
      }
      auto option = read_option(word);
      if (!option.ok()) return option.status();
      if (Status status = note(option.value()); !status.ok()) return status;
      context_.program += option.value().word_count;
    }
    if (context_.program >= context_.end)
      return cannot("the launcher's arguments name no program, so there is nothing to put weir under");
    return std::move(context_);
  }

 private:
  // srun's short options may carry their value (-n4) and be bundled (-lu).
  std::optional<Option> read_short(const std::string& word) const {
    if (kind_ != LauncherKind::kSrun || word[1] == '-' || word.size() == 2) return std::nullopt;
    const OptionTable& table = options_of(kind_);
    for (std::size_t i = 1; i < word.size(); ++i) {
      const auto known = table.find(word.substr(i, 1));
      if (known == table.end()) return std::nullopt;
      if (known->second == 0 && i + 1 < word.size()) continue;
      Option option{known->first, {}, 1};
      if (known->second == 1 && i + 1 == word.size()) return with_following(option, 1);
      if (known->second == 1) option.values.push_back(word.substr(i + 1));
      return option;
    }
    return std::nullopt;
  }

  Option with_following(Option option, int count) const {
    for (int i = 0; i < count && context_.program + option.word_count < context_.end; ++i)
      option.values.push_back(words_[context_.program + option.word_count++]);
    return option;
  }

  Result<Option> read_option(const std::string& word) const {
    if (const auto bundled = read_short(word)) return *bundled;
    Option option;
    option.name = word.substr(word[1] == '-' ? 2 : 1);
    if (const auto equals = option.name.find('='); equals != std::string::npos) {
      option.values.push_back(option.name.substr(equals + 1));
      option.name.erase(equals);
      return option;
    }
    const auto known = options_of(kind_).find(option.name);
    if (known == options_of(kind_).end()) return unknown(word);
    // hydra takes "-genv NAME VALUE" and "-genv NAME=VALUE".
    int count = option.name == kDisplayTopo && rules_.topo_has_value ? 1 : known->second;
    const std::size_t next = context_.program + 1;
    if (kind_ == LauncherKind::kHydra && count == 2 && next < context_.end &&
        words_[next].find('=') != std::string::npos)
      count = 1;
    return with_following(option, count);
  }

  Status unknown(const std::string& word) const {
    return cannot(
        fmt::format("the launcher's option {} is not known to weir, so it cannot tell where the "
                    "program's name stands.\n"
                    "  Say which MPI the program uses: weir run --mpi openmpi|mpich -- {} ...",
                    word, base_name(words_.front())));
  }

  void note_setting(const Option& option, const std::string& name, std::optional<std::string> value) {
    context_.settings.push_back({context_.program, option.word_count, name, std::move(value),
                                 option.name == "genv" || option.name == "export"});
  }

  void note_assignment(const Option& option) {
    if (option.values.empty()) return;
    const std::string& first = option.values.front();
    if (const auto equals = first.find('='); equals != std::string::npos) {
      note_setting(option, first.substr(0, equals), first.substr(equals + 1));
    } else if (option.values.size() == 2) {
      note_setting(option, first, option.values[1]);
    } else {
      note_setting(option, first, std::nullopt);
    }
  }

  Status note(const Option& option) {
    if (option.name == "wdir" || option.name == "wd" || option.name == "chdir" || option.name == "D")
      context_.directory = option.values.empty() ? "" : option.values.front();
    if (option.name == "app" || option.name == "configfile" || option.name == "multi-prog") {
      return cannot(fmt::format("{} keeps the programs in a file that weir does not read; put them on the command line",
                                option.name));
    }
    if (kind_ == LauncherKind::kOpenMpi && !option.values.empty() && option.values.front() == kEnvironmentList &&
        !rules_.env_list_beside_x) {
      return cannot(
          "this Open MPI does not allow mca_base_env_list together with -x, which weir uses; "
          "give those variables with -x too");
    }
    if ((option.name == "x" || option.name == "set-env") && kind_ == LauncherKind::kOpenMpi) note_assignment(option);
    if ((option.name == "genv" || option.name == "env") && kind_ == LauncherKind::kHydra) note_assignment(option);
    if (option.name == "export" && !option.values.empty()) note_setting(option, "--export", option.values.front());
    return {};
  }

  LauncherKind kind_;
  const Words& words_;
  AppContext context_;
  LauncherRules rules_;
};

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return text.starts_with(beginning); });
}

}  // namespace

bool is_launcher_name(std::string_view path) {
  const std::string name = base_name(path);
  return name == "mpirun" || name == "mpiexec" || name == "orterun" || name == "prterun" || name == "srun" ||
         starts_with_any(name, {"mpirun.", "mpiexec.", "mpirun-", "mpiexec-", "mpirun_", "mpiexec_"});
}

std::optional<LauncherKind> kind_of_launcher_name(std::string_view real_path) {
  const std::string name = base_name(real_path);
  if (name == "srun") return LauncherKind::kSrun;
  if (name == "orterun" || name == "prterun" || name.ends_with("openmpi")) return LauncherKind::kOpenMpi;
  if (name.ends_with("hydra") || name.ends_with("mpich")) return LauncherKind::kHydra;
  return std::nullopt;
}

std::optional<LauncherKind> kind_of_version_text(std::string_view text) {
  for (const char* sign : {"OpenRTE", "Open MPI", "PRRTE", "prterun"})
    if (text.find(sign) != std::string_view::npos) return LauncherKind::kOpenMpi;
  for (const char* sign : {"HYDRA", "Hydra", "Intel(R) MPI Library"})
    if (text.find(sign) != std::string_view::npos) return LauncherKind::kHydra;
  if (text.starts_with("slurm")) return LauncherKind::kSrun;
  return std::nullopt;
}

LauncherRules rules_of_version_text(std::string_view text) {
  constexpr std::string_view kBeforeVersion = "(Open MPI) ";
  const auto found = text.find(kBeforeVersion);
  if (found == std::string_view::npos) return {};
  const int major = std::atoi(std::string(text.substr(found + kBeforeVersion.size(), 3)).c_str());
  return {.env_list_beside_x = major >= 5, .topo_has_value = major >= 5};
}

bool rules_matter(LauncherKind kind, const Words& words) {
  const auto decides = [](std::string_view word) {
    return word == kEnvironmentList || word == "-display-topo" || word == "--display-topo";
  };
  return kind == LauncherKind::kOpenMpi && std::ranges::any_of(words, decides);
}

Result<LaunchLine> parse_launch_line(LauncherKind kind, const Words& words, std::size_t launcher,
                                     const LauncherRules& rules) {
  LaunchLine line{kind, launcher, {}};
  std::size_t begin = launcher + 1;
  while (begin <= words.size()) {
    const auto colon = std::find(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end(), ":");
    const auto end = static_cast<std::size_t>(colon - words.begin());
    auto context = ContextReader(kind, words, {begin, begin, end, "", {}}, rules).read();
    if (!context.ok()) return context.status();
    line.contexts.push_back(std::move(context).value());
    begin = end + 1;
  }
  return line;
}

}  // namespace weir::tool
