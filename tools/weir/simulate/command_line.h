// The words of `weir sim`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "simulate/options.h"

namespace weir::tool::simulate {

// Adds the subcommand to the command and holds what is given to it.
class SimCommandLine {
 public:
  explicit SimCommandLine(CLI::App& app);

  const CLI::App& app() const { return *sim_; }
  SimOptions options(const Words& whole_command_line) const;

 private:
  CLI::App* sim_;
  SimOptions options_;
  std::string workloads_;
  std::string methods_;
};

}  // namespace weir::tool::simulate
