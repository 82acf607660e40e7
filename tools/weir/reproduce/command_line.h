// The words of `weir reproduce`.
#pragma once

#include <CLI/CLI.hpp>

#include "reproduce/reproduce.h"

namespace weir::tool::reproduce {

// Adds the subcommand to the command and holds what is given to it.
class ReproduceCommandLine {
 public:
  explicit ReproduceCommandLine(CLI::App& app);

  const CLI::App& app() const { return *reproduce_; }
  ReproduceOptions options() const;

 private:
  CLI::App* reproduce_;
  ReproduceOptions options_;
  bool no_live_ = false;
};

}  // namespace weir::tool::reproduce
