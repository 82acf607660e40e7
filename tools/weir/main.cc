// The weir command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "compare/command_line.h"
#include "doctor/doctor.h"
#include "doctor/measure.h"
#include "explain/explain.h"
#include "hint_words.h"
#include "machine_words.h"
#include "report/report.h"
#include "reproduce/command_line.h"
#include "run.h"
#include "simulate/command_line.h"
#include "version.h"
#include "words.h"

namespace weir::tool {

namespace {

constexpr int kBadUsage = 2;

Words option_names(const CLI::App& app) {
  Words names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

Words subcommand_names(const CLI::App& app) {
  Words names;
  for (const CLI::App* subcommand : app.get_subcommands(nullptr)) names.push_back(subcommand->get_name());
  return names;
}

int complain(const CLI::App& app, const std::string& word) {
  const bool is_option = word.starts_with("-");
  const std::string given = word.substr(0, word.find('='));
  const std::string near = nearest(given, is_option ? option_names(app) : subcommand_names(app));
  const bool is_root = app.get_parent() == nullptr;
  fmt::print(stderr, "weir{}: unknown {} {}{}\n  See: weir {}--help\n", is_root ? "" : " " + app.get_name(),
             is_option ? "option"
             : is_root ? "command"
                       : "argument",
             given, near.empty() ? "" : fmt::format("; did you mean {}?", near), is_root ? "" : app.get_name() + " ");
  return kBadUsage;
}

// The command line, its values and what to do with them.
class CommandLine {
 public:
  CommandLine() {
    app_.set_help_flag("-h,--help", "Print this help");
    app_.set_version_flag("--version", version_text, "Print the version, how it was built, and for which MPIs");
    app_.require_subcommand(0, 1);
    app_.allow_extras();
    add_run();
    add_doctor();
    add_report();
    add_explain();
    machine_->add_option("model", machine_word_, "Name of a model that comes with weir, or a file");
    for (CLI::App* subcommand : {doctor_, explain_, hints_, machine_, report_, version_}) subcommand->allow_extras();
  }

  int main(int argument_count, char** arguments) {
    // Everything behind the first "--" is the user's command, not ours to parse.
    const auto own =
        static_cast<int>(std::find(arguments, arguments + argument_count, std::string_view("--")) - arguments);
    if (own < argument_count) run_options_.command.assign(arguments + own + 1, arguments + argument_count);
    whole_.assign(arguments, arguments + argument_count);
    whole_[0] = base_name(whole_[0]);
    try {
      app_.parse(own, arguments);
    } catch (const CLI::Success& request) {
      return app_.exit(request);
    } catch (const CLI::ParseError& error) {
      fmt::print(stderr, "weir: {}\n  See: weir --help\n", error.what());
      return kBadUsage;
    }
    return dispatch();
  }

 private:
  void add_run() {
    run_->prefix_command();
    run_->add_option("--hint", run_options_.hints, "A hint for every file, key=value; repeat for more")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    run_->add_option("--mpi", run_options_.mpi,
                     "The MPI the program uses, openmpi, mpich or abi, when weir cannot see it");
    run_->add_flag("--report", run_options_.report, "Let weir tell on standard error what it did with each file");
    run_->add_option("--timeline", run_options_.timeline,
                     "Write what each rank did when to this new file, for Perfetto");
    run_->add_option("--capture", run_options_.capture,
                     "Write what is asked of each file, without data, to this new file");
    run_->add_flag("--verbose", run_options_.verbose, "Say what was found and what is run");
    run_->add_flag("--dry-run", run_options_.dry_run, "Only say it; run nothing");
    run_->footer("Example: weir run --hint cb_nodes=2 -- mpirun -np 4 ./program input");
  }

  void add_doctor() {
    doctor_->add_option("directory", measure_options_.directory, "Where your files will be")->capture_default_str();
    doctor_->add_flag("--measure", measures_, "Measure a machine model with the launcher behind --");
    doctor_->add_option("-o,--output", measure_options_.output, "The file to write the model to");
    doctor_->add_option("--mpi", measure_options_.mpi, "The launcher's MPI, openmpi or mpich, when weir cannot see it");
    doctor_->footer("Example: weir doctor --measure /scratch -o machine.json -- mpirun -np 4");
  }

  int start_doctor() {
    if (!measures_) return doctor::examine(measure_options_.directory);
    measure_options_.command = run_options_.command;
    return doctor::measure(measure_options_);
  }

  void add_explain() {
    explain::ExplainOptions& options = explain_options_;
    explain_->add_option("what", options.what, "A hint, a workload of weir bench, or a file of its results")
        ->required();
    explain_->add_option("--machine", options.machine, "The machine it runs on, by name or as a file");
    explain_->add_option("--ranks", options.ranks, "How many ranks");
    explain_->add_option("--nodes", options.nodes, "On how many nodes");
    explain_->add_option("--size", options.size, "Bytes of data in all, e.g. 64M");
    explain_->add_option("--op", options.direction, "write or read")->capture_default_str();
    explain_->add_option("--hint", options.hints, "A hint for the file, key=value; repeat for more")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    explain_->footer("Example: weir explain btio --ranks 16 --nodes 4 --hint cb_nodes=2");
  }

  void add_report() {
    report_->add_option("results", report_options_.inputs, "Files written by weir bench")->required();
    report_->add_option("-o,--output", report_options_.output, "The page to write")->capture_default_str();
    report_->add_option("--title", report_options_.title, "Its title");
  }

  int dispatch() {
    if (run_->parsed()) return start_run();
    for (const CLI::App* subcommand : app_.get_subcommands()) {
      if (subcommand->remaining_size() > 0) return complain(*subcommand, subcommand->remaining().front());
    }
    if (app_.remaining_size() > 0) return complain(app_, app_.remaining().front());
    if (bench_.app().parsed()) return start_bench();
    if (doctor_->parsed()) return start_doctor();
    if (sim_.app().parsed()) return simulate::simulate(sim_.options(whole_));
    if (explain_->parsed()) return explain::explain(explain_options_);
    if (hints_->parsed()) return list_hints();
    if (machine_->parsed()) return machine_word_.empty() ? list_machines() : show_machine(machine_word_);
    if (report_->parsed()) return report::report(report_options_);
    if (reproduce_.app().parsed()) return reproduce::reproduce(reproduce_.options());
    if (version_->parsed()) {
      fmt::print("{}\n", version_text());
      return 0;
    }
    fmt::print("{}", app_.help());
    return kBadUsage;
  }

  int start_run() {
    const Words rest = run_->remaining();
    if (!rest.empty() && rest.front().starts_with("-")) return complain(*run_, rest.front());
    // Behind a command given without our own "--", it was the launcher's.
    if (!rest.empty() && !run_options_.command.empty()) run_options_.command.insert(run_options_.command.begin(), "--");
    run_options_.command.insert(run_options_.command.begin(), rest.begin(), rest.end());
    return run(run_options_);
  }

  int start_bench() {
    const auto options = bench_.options(run_options_.command, whole_);
    if (options.ok()) return compare::bench(options.value());
    fmt::print(stderr, "weir bench: {}\n  See: weir bench --help\n", options.status().text());
    return kBadUsage;
  }

  CLI::App app_{"weir: MPI-IO for the MPI you already have", "weir"};
  CLI::App* run_ = app_.add_subcommand("run", "Run an MPI program with weir under it");
  compare::BenchCommandLine bench_{app_};
  simulate::SimCommandLine sim_{app_};
  CLI::App* doctor_ = app_.add_subcommand("doctor", "Tell what weir finds on this machine, and what to do about it");
  CLI::App* explain_ = app_.add_subcommand("explain", "Explain a hint, or what weir would do with a workload");
  CLI::App* hints_ = app_.add_subcommand("hints", "List all hints");
  CLI::App* machine_ = app_.add_subcommand("machine", "List machine models, or show and check one");
  CLI::App* report_ = app_.add_subcommand("report", "Show results of weir bench as a page for the browser");
  reproduce::ReproduceCommandLine reproduce_{app_};
  CLI::App* version_ = app_.add_subcommand("version", "Tell which weir this is, and for which MPIs");
  RunOptions run_options_;
  Words whole_;  // the command line as it was given
  report::ReportOptions report_options_;
  doctor::MeasureOptions measure_options_;
  bool measures_ = false;
  explain::ExplainOptions explain_options_;
  std::string machine_word_;
};

}  // namespace

}  // namespace weir::tool

int main(int argument_count, char** arguments) { return weir::tool::CommandLine().main(argument_count, arguments); }
