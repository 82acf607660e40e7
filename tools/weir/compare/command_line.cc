#include "compare/command_line.h"

#include "compare/numbers.h"

namespace weir::tool::compare {

BenchCommandLine::BenchCommandLine(CLI::App& app)
    : bench_(app.add_subcommand("bench", "Measure weir against the MPI's own MPI-IO, with the papers' workloads")) {
  bench_->allow_extras();
  bench_->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_choices();
  add_amounts();
  add_places();
  bench_->footer(
      "Examples: weir bench coll_perf\n"
      "          weir bench cyclic:block=64,btio --ranks 4,16 --against ompio,romio,weir,blockio -o results.json\n"
      "          weir bench coll_perf --methods domains,depth\n"
      "          weir bench b_eff_io --time 60\n"
      "          weir bench replay:program.cap\n"
      "          weir bench --program -- mpirun -np 4 ./program\n"
      "          weir report results.json -o report.html");
}

void BenchCommandLine::add_choices() {
  bench_->add_option("workload", workloads_,
                     "Names, divided by commas, with parameters: name:key=value; all; or replay:FILE");
  bench_->add_flag("--list", options_.list, "Show workloads and their parameters, MPI-IOs, comparisons");
  bench_->add_option("--against", against_,
                     "MPI-IOs to measure: host,ompio,romio,weir,blockio (default: host,weir,blockio)");
  bench_->add_option("--methods", methods_, "Compare weir's own ways: names of comparisons, or all; see --list");
  bench_->add_option("--mpi", mpis_, "openmpi, mpich or both (default: all that are here)");
  bench_->add_option("--ranks", ranks_, "Numbers of ranks, e.g. 4,16,64")->capture_default_str();
  bench_->add_option("--direction", options_.direction, "write, read or both")->capture_default_str();
  bench_->add_flag("--program", options_.program, "Measure your own program: weir bench --program -- mpirun ...");
}

void BenchCommandLine::add_amounts() {
  bench_->add_option("--size", options_.size, "Data in the file, e.g. 64M (default: each workload's own)");
  bench_->add_option("--repeats", options_.repeats, "Timed repeats; the median is shown")->capture_default_str();
  bench_->add_option("--rounds", options_.rounds, "Starts that share the repeats, in turn with the other MPI-IOs");
  bench_->add_option("--warmups", options_.warmups, "Repeats of each start that are not timed")->capture_default_str();
  bench_->add_option("--timeout", options_.timeout, "Seconds for one start; then its cell says so")
      ->capture_default_str();
  bench_->add_flag("--quick", options_.quick, "Small files, few repeats, short timeouts");
  bench_->add_option("--time", options_.time, "b_eff_io: T in seconds")->capture_default_str();
  bench_->add_option("--release", options_.release, "b_eff_io: release 1 or 2")->capture_default_str();
  bench_->add_option("--b-eff-io", options_.beffio_words, "b_eff_io: more words for it, e.g. \"--sync yes\"");
  bench_->add_option("--hints-file", options_.hints_file, "b_eff_io: hints by type, method and chunk size");
}

void BenchCommandLine::add_places() {
  bench_->add_option("--dir", options_.directory, "Where files are made")->capture_default_str();
  bench_->add_option("-o,--output", options_.results, "Keep the results in this file (JSON), for weir report");
  bench_->add_option("--hint", options_.hints, "A hint for every MPI-IO, key=value; repeat for more")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  bench_->add_option("--launcher", options_.launcher_words, "More words for mpirun, e.g. \"--hostfile nodes\"");
  bench_->add_flag("--bars", options_.bars, "Draw the times as bars too");
  bench_->add_flag("!--no-verify", options_.verify, "Do not look at the data");
  bench_->add_flag("--keep-spinning", options_.keep_spinning,
                   "Leave MPICH's waits as they are where ranks outnumber cores");
}

Result<BenchOptions> BenchCommandLine::options(const Words& program, const Words& whole_command_line) const {
  BenchOptions options = options_;
  options.workloads = split(workloads_, ',');
  options.against = split(against_, ',');
  options.methods = split(methods_, ',');
  options.mpis = split(mpis_, ',');
  options.command = program;
  options.command_line = shell_quoted(whole_command_line);
  auto ranks = parse_numbers(ranks_);
  if (!ranks.ok()) return ranks.status();
  options.ranks = std::move(ranks).value();
  options.ranks_given = bench_->count("--ranks") > 0;
  return options;
}

}  // namespace weir::tool::compare
