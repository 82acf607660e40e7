#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "compare/groups.h"
#include "compare/numbers.h"
#include "compare/results.h"
#include "compare/table.h"
#include "driver/machine_file.h"
#include "sim/play.h"
#include "simulate/options.h"
#include "workloads/workload.h"

namespace weir::tool::simulate {

namespace {

using compare::Cell;
using compare::Group;

constexpr int kFailed = 1;
constexpr int kNothingSimulated = 2;
constexpr int kNodes = 4;

int complain(const std::string& text) {
  fmt::print(stderr, "weir sim: {}\n  Nothing was simulated.\n", text);
  return kNothingSimulated;
}

// One line that is written over itself on a terminal; elsewhere there is none.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what) : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) != 0) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  void show(const sim::Progress& progress) {
    if (!terminal_ || seconds() < shown_ + 1) return;
    shown_ = seconds();
    clear();
    fmt::print(stderr, "{}: {} of {} calls, {} events, {}", what_, progress.calls_played, progress.calls,
               progress.events, compare::clock_text(shown_));
    std::fflush(stderr);
  }

 private:
  void clear() const {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
  }

  std::string what_;
  bool terminal_;
  double shown_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Result<hints::Pairs> pairs_of(const Words& hints) {
  hints::Pairs pairs;
  for (const std::string& hint : hints) {
    const std::size_t equals = hint.find('=');
    if (equals == std::string::npos) return cannot(fmt::format("--hint {}: write it as key=value", hint));
    pairs.emplace_back(hint.substr(0, equals), hint.substr(equals + 1));
  }
  return pairs;
}

class Simulation {
 public:
  Simulation(const SimOptions& options, const model::ModelFile& model) : options_(options), model_(model) {
    if (options_.ranks_per_node == 0) options_.ranks_per_node = model.machine.nodes.ranks_per_node;
    if (options_.nodes == 0) options_.nodes = std::min(kNodes, model.machine.nodes.count);
  }

  int run() {
    if (options_.nodes > model_.machine.nodes.count) {
      return complain(
          fmt::format("{} nodes asked for, {} has {}", options_.nodes, model_.name, model_.machine.nodes.count));
    }
    const compare::BenchOptions bench = bench_options();
    Words left_out;
    compare::Host host;
    host.version = fmt::format("{}, simulated, {} nodes", model_.name, options_.nodes);
    auto groups = compare::plan_groups(bench, {host}, left_out);
    if (!groups.ok()) return complain(groups.status().text());
    for (const std::string& text : left_out) fmt::print(stderr, "left out: {}\n", text);
    for (Group& group : groups.value()) {
      for (Cell& cell : group.cells) play(cell);
    }
    fmt::print("{}{}\n{}", compare::tables(groups.value()), options_.bars ? compare::bars(groups.value()) : "", steps_);
    return keep(groups.value(), bench);
  }

 private:
  compare::BenchOptions bench_options() const {
    compare::BenchOptions bench;
    bench.workloads = options_.workloads;
    bench.methods = options_.methods;
    bench.against = {"weir"};
    bench.ranks = {options_.nodes * options_.ranks_per_node};
    bench.ranks_per_node = options_.ranks_per_node;
    bench.size = options_.size;
    bench.direction = options_.direction;
    bench.hints = options_.hints;
    bench.repeats = 1;
    bench.warmups = 0;
    bench.verify = false;
    bench.directory = model_.name;
    bench.command_line = options_.command_line;
    return bench;
  }

  Result<sim::Scenario> scenario_of(const Cell& cell) const {
    const auto spec = bench::parse_spec(compare::spec_of(cell));
    if (!spec.ok()) return spec.status();
    auto settled = bench::settle(spec.value(), {.ranks = cell.ranks, .bytes = cell.bytes});
    if (!settled.ok()) return settled.status();
    Words words = options_.hints;
    words.insert(words.end(), cell.variant.hints.begin(), cell.variant.hints.end());
    auto pairs = pairs_of(words);
    if (!pairs.ok()) return pairs.status();
    sim::Scenario scenario;
    scenario.machine = model_.machine;
    scenario.ranks_per_node = cell.variant.ranks_per_node > 0 ? cell.variant.ranks_per_node : options_.ranks_per_node;
    scenario.workload = std::move(settled).value();
    scenario.direction = cell.direction == "read" ? Direction::kRead : Direction::kWrite;
    scenario.hints = std::move(pairs).value();
    return scenario;
  }

  void play(Cell& cell) {
    auto scenario = scenario_of(cell);
    if (!scenario.ok()) {
      cell.outcome.failed = scenario.status().text();
      return;
    }
    ProgressLine line(fmt::format("{} {}, {}", cell.workload, cell.direction, compare::label_of(cell)));
    scenario.value().go_on = [&](const sim::Progress& progress) {
      line.show(progress);
      return line.seconds() < options_.limit;
    };
    const auto outcome = sim::play(scenario.value());
    if (!outcome.ok()) {
      const bool late = line.seconds() >= options_.limit;
      cell.outcome.failed =
          outcome.status().text() + (late ? fmt::format(" (--limit {} seconds)", options_.limit) : "");
      return;
    }
    take(cell, outcome.value());
  }

  void take(Cell& cell, const sim::Outcome& outcome) {
    const sim::Seconds& seconds = outcome.seconds;
    cell.outcome.seconds = cell.outcome.whole_seconds = {seconds.total};
    cell.outcome.bytes = outcome.bytes;
    cell.outcome.note = outcome.sampled;
    cell.outcome.breakdowns = {{.inspect = seconds.inspect,
                                .copy = seconds.gather,
                                .exchange = seconds.exchange,
                                .file = seconds.file,
                                .wait = 0}};
    cell.outcome.facts = {{"nodes", options_.nodes},
                          {"file_system", "simulated"},
                          {"simulated",
                           {{"machine", model_.name},
                            {"receive", seconds.receive},
                            {"messages", outcome.messages},
                            {"most_receives", outcome.most_receives},
                            {"lock_requests", outcome.lock_requests},
                            {"lock_callbacks", outcome.lock_callbacks},
                            {"events", outcome.events},
                            {"plan", outcome.plan}}}};
    if (steps_.empty()) {
      steps_ = fmt::format("{:<46}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>12}{:>9}{:>10}\n", "seconds", "total", "inspect",
                           "gather", "receive", "exchange", "file", "messages", "a round", "callbacks");
    }
    steps_ += fmt::format("{:<46}{:>9.3f}{:>9.3f}{:>9.3f}{:>9.3f}{:>9.3f}{:>9.3f}{:>12}{:>9}{:>10}\n",
                          fmt::format("{} {}, {}", cell.workload, cell.direction, compare::label_of(cell)),
                          seconds.total, seconds.inspect, seconds.gather, seconds.receive, seconds.exchange,
                          seconds.file, outcome.messages, outcome.most_receives, outcome.lock_callbacks);
    if (options_.plan) steps_ += "  " + outcome.plan + "\n";
  }

  int keep(const std::vector<Group>& groups, const compare::BenchOptions& bench) const {
    bool failed = false;
    nlohmann::json document = compare::new_document(bench);
    document["complete"] = true;
    for (const Group& group : groups) {
      for (const Cell& cell : group.cells) {
        failed = failed || !cell.outcome.failed.empty();
        document["cells"].push_back(compare::cell_json(cell, bench));
      }
    }
    if (!options_.results.empty()) {
      if (Status status = compare::write_document(document, options_.results); !status.ok()) {
        fmt::print(stderr, "weir sim: {}\n", status.text());
        return kFailed;
      }
      fmt::print(stderr, "results: {}\n", options_.results);
    }
    return failed ? kFailed : 0;
  }

  SimOptions options_;
  model::ModelFile model_;
  std::string steps_;
};

}  // namespace

int simulate(const SimOptions& options) {
  if (options.workloads.empty()) return complain("name a workload; `weir bench --list` shows them");
  if (options.machine.empty()) return complain("name a machine with --machine; `weir machine` shows them");
  if (options.nodes < 0 || options.ranks_per_node < 0) return complain("--nodes and --ranks-per-node are at least 1");
  if (options.limit < 1) return complain("--limit has to be at least 1");
  const auto model = driver::find_model(options.machine);
  if (!model.ok()) return complain(model.status().text());
  if (const auto pairs = pairs_of(options.hints); !pairs.ok()) return complain(pairs.status().text());
  return Simulation(options, model.value()).run();
}

}  // namespace weir::tool::simulate
