#include "apply.h"

#include <algorithm>

namespace weir::tool {

namespace {

constexpr const char* kPreload = "LD_PRELOAD";

std::ptrdiff_t at(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

// An edit of the command line: `removed` words from `where` on are replaced. Sorted by place, made
// from the end.
struct Edit {
  std::size_t where;
  std::size_t removed;
  Words inserted;
};

Words edited(Words words, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.where < b.where; });
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    const auto first = words.begin() + at(edit->where);
    const auto place = words.erase(first, first + at(edit->removed));
    words.insert(place, edit->inserted.begin(), edit->inserted.end());
  }
  return words;
}

// The user's setting of `name` that wins in this context: the last one.
const EnvironmentSetting* find_setting(const AppContext& context, const std::string& name) {
  const EnvironmentSetting* found = nullptr;
  for (const EnvironmentSetting& setting : context.settings)
    if (setting.name == name) found = &setting;
  return found;
}

Invocation apply_open_mpi(const std::vector<Variable>& variables, const LaunchLine& line, const Words& words) {
  std::vector<Edit> edits;
  for (const AppContext& context : line.contexts) {
    for (const Variable& variable : variables) {
      const EnvironmentSetting* setting = find_setting(context, variable.name);
      const std::string existing =
          setting != nullptr ? setting->value.value_or(variable.inherited) : variable.inherited;
      const Words option = {"-x", variable.name + "=" + combined(variable, existing)};
      if (setting != nullptr) {
        edits.push_back({setting->first_word, setting->word_count, option});
      } else {
        edits.push_back({context.begin, 0, option});
      }
    }
  }
  return {edited(words, edits), {}};
}

Invocation apply_hydra(const std::vector<Variable>& variables, const LaunchLine& line, const Words& words) {
  std::vector<Edit> edits;
  for (const Variable& variable : variables) {
    bool set_for_all = false;
    for (const AppContext& context : line.contexts) {
      for (const EnvironmentSetting& setting : context.settings) {
        if (setting.name != variable.name) continue;
        set_for_all = set_for_all || setting.global;
        const std::string value = combined(variable, setting.value.value_or(variable.inherited));
        edits.push_back(
            {setting.first_word, setting.word_count, {setting.global ? "-genv" : "-env", variable.name, value}});
      }
    }
    if (!set_for_all)
      edits.push_back({line.launcher + 1, 0, {"-genv", variable.name, combined(variable, variable.inherited)}});
  }
  return {edited(words, edits), {}};
}

// The --export list with weir's names in it. NONE means no user variable at all, ALL every one.
std::string extended_export(const std::vector<Variable>& variables, const std::string& existing) {
  Words entries = split(existing, ',');
  if (existing == "NONE" || existing == "NIL") entries.clear();
  const bool all = existing.empty() || std::find(entries.begin(), entries.end(), "ALL") != entries.end();
  if (existing.empty()) entries.push_back("ALL");
  for (const Variable& variable : variables) {
    std::string before = variable.inherited;
    for (const std::string& entry : entries)
      if (entry.starts_with(variable.name + "=")) before = entry.substr(variable.name.size() + 1);
    std::erase_if(entries, [&](const std::string& entry) {
      return entry == variable.name || entry.starts_with(variable.name + "=");
    });
    if (variable.name == kPreload) {
      entries.push_back(variable.name + "=" + combined(variable, before));
    } else if (!all) {
      entries.push_back(variable.name);
    }
  }
  return join(entries, ",");
}

Invocation apply_srun(const std::vector<Variable>& variables, const LaunchLine& line, const Words& words,
                      const std::string& slurm_export) {
  Invocation invocation;
  for (const Variable& variable : variables) {
    if (variable.name != kPreload)
      invocation.environment.emplace_back(variable.name, combined(variable, variable.inherited));
  }
  std::vector<Edit> edits;
  for (const AppContext& context : line.contexts) {
    const EnvironmentSetting* setting = find_setting(context, "--export");
    const std::string list =
        extended_export(variables, setting != nullptr ? setting->value.value_or("") : slurm_export);
    if (setting != nullptr) {
      edits.push_back({setting->first_word, setting->word_count, {"--export=" + list}});
    } else {
      edits.push_back({context.begin, 0, {"--export=" + list}});
    }
  }
  invocation.words = edited(words, edits);
  return invocation;
}

}  // namespace

std::string combined(const Variable& variable, const std::string& existing) {
  if (variable.separator == '\0') return variable.value;
  Words entries = split(existing, variable.separator);
  std::erase(entries, variable.value);
  entries.push_back(variable.value);
  return join(entries, std::string(1, variable.separator));
}

Invocation apply(const std::vector<Variable>& variables, const LaunchLine& line, const Words& words,
                 const std::string& slurm_export) {
  switch (line.kind) {
    case LauncherKind::kOpenMpi: return apply_open_mpi(variables, line, words);
    case LauncherKind::kHydra: return apply_hydra(variables, line, words);
    case LauncherKind::kSrun: return apply_srun(variables, line, words, slurm_export);
    case LauncherKind::kNone: break;
  }
  Invocation invocation{words, {}};
  for (const Variable& variable : variables)
    invocation.environment.emplace_back(variable.name, combined(variable, variable.inherited));
  return invocation;
}

}  // namespace weir::tool
