#include "simulate/command_line.h"

namespace weir::tool::simulate {

SimCommandLine::SimCommandLine(CLI::App& app)
    : sim_(app.add_subcommand("sim", "Simulate workloads on the model of a machine, with the planner's own plans")) {
  sim_->allow_extras();
  sim_->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  sim_->add_option("workload", workloads_, "Names, divided by commas, with parameters: name:key=value; or all");
  sim_->add_option("--machine", options_.machine, "Name of a model that comes with weir, or a file");
  sim_->add_option("--nodes", options_.nodes, "Nodes of the job (default: 4)");
  sim_->add_option("--ranks-per-node", options_.ranks_per_node, "Ranks on each (default: as the model says)");
  sim_->add_option("--methods", options_.methods, "Compare weir's own ways: names of comparisons, or all")
      ->delimiter(',');
  sim_->add_option("--direction", options_.direction, "write, read or both")->capture_default_str();
  sim_->add_option("--size", options_.size, "Data in the file, e.g. 64G (default: each workload's own)");
  sim_->add_option("--hint", options_.hints, "A hint, key=value; repeat for more")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sim_->add_option("--limit", options_.limit, "Seconds for one simulation; then it is given up")->capture_default_str();
  sim_->add_option("-o,--output", options_.results, "Keep the results in this file (JSON), for weir report");
  sim_->add_flag("--bars", options_.bars, "Draw the times as bars too");
  sim_->add_flag("--plan", options_.plan, "Also print the plan of each first call");
  sim_->footer(
      "Examples: weir sim btio --machine theta --nodes 256 --ranks-per-node 64\n"
      "          weir sim coll_perf:side=512 --machine jaguar --nodes 16 --methods domains\n"
      "          weir sim e3sm_f --machine nvme --nodes 16 --hint cb_nodes=4 -o results.json");
}

SimOptions SimCommandLine::options(const Words& whole_command_line) const {
  SimOptions options = options_;
  options.workloads = split(workloads_, ',');
  options.command_line = shell_quoted(whole_command_line);
  return options;
}

}  // namespace weir::tool::simulate
