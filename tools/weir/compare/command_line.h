// The words of `weir bench`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/status.h"
#include "compare/options.h"

namespace weir::tool::compare {

// Adds the subcommand to the command and holds what is given to it.
class BenchCommandLine {
 public:
  explicit BenchCommandLine(CLI::App& app);

  const CLI::App& app() const { return *bench_; }

  // The options, `program` being what stood behind "--". Failure: a value that is none.
  Result<BenchOptions> options(const Words& program, const Words& whole_command_line) const;

 private:
  void add_choices();
  void add_amounts();
  void add_places();

  CLI::App* bench_;
  BenchOptions options_;
  std::string workloads_;
  std::string against_;
  std::string methods_;
  std::string mpis_;
  std::string ranks_ = "4";
};

}  // namespace weir::tool::compare
