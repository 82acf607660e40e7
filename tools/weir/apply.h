// Puts weir's environment settings into a launcher's command line. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "launcher.h"
#include "words.h"

namespace weir::tool {

// A variable the program shall see. What the user already gave it stays in front, separated by
// `separator`: preloaded profilers keep their place ahead of weir, so that they stack on top of it.
struct Variable {
  std::string name;
  std::string value;
  char separator;         // 0: the variable has one value, and this replaces it
  std::string inherited;  // its value in this process's environment
};

// `existing` followed by `value`; a `value` that is already an entry of `existing` moves to the
// end.
std::string combined(const Variable& variable, const std::string& existing);

// What is to be executed: the words, and what to set in its environment.
struct Invocation {
  Words words;
  std::vector<std::pair<std::string, std::string>> environment;

  bool operator==(const Invocation&) const = default;
};

// `words` with every variable set for every program of `line`, by the means of its launcher:
//   Open MPI: -x NAME=VALUE in every context (it holds for one context only)
//   hydra:    -genv NAME VALUE once
//   srun:     LD_PRELOAD by --export, since srun itself shall not be preloaded; the others by the
//   environment,
//             their names added to a restricting --export or, where the option is missing,
//             SLURM_EXPORT_ENV
//   none:     the environment
// Settings that the user made by the same means are combined in place; everything else is left as
// it was. `slurm_export` is the value of SLURM_EXPORT_ENV, empty when unset. Only srun uses it.
Invocation apply(const std::vector<Variable>& variables, const LaunchLine& line, const Words& words,
                 const std::string& slurm_export = "");

}  // namespace weir::tool
