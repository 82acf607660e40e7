#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "compare/beffio.h"
#include "compare/groups.h"
#include "compare/job.h"
#include "compare/listing.h"
#include "compare/options.h"
#include "compare/programs.h"
#include "compare/replay.h"
#include "compare/results.h"
#include "compare/table.h"

namespace weir::tool::compare {

namespace {

constexpr int kFailed = 1;
constexpr int kNothingMeasured = 2;
constexpr int kStopped = 130;
constexpr int kMostRounds = 3;

int complain(const std::string& text) {
  fmt::print(stderr, "weir bench: {}\n  Nothing was measured.\n", text);
  return kNothingMeasured;
}

// What the options leave open, filled in.
Result<BenchOptions> completed(BenchOptions options) {
  if (options.quick) options.repeats = std::min(options.repeats, 4);
  if (options.quick) options.timeout = std::min(options.timeout, 20);
  if (options.rounds == 0) options.rounds = std::min(options.repeats, options.quick ? 2 : kMostRounds);
  if (options.repeats < 1 || options.warmups < 0 || options.timeout < 1 || options.rounds < 1)
    return cannot("--repeats, --rounds and --timeout have to be at least 1, --warmups at least 0");
  for (const std::string& hint : options.hints)
    if (hint.find('=') == std::string::npos) return cannot(fmt::format("--hint {}: write it as key=value", hint));
  const auto peers = peers_wanted(options);
  if (!peers.ok()) return peers.status();
  options.block = std::find(peers.value().begin(), peers.value().end(), "blockio") != peers.value().end();
  return options;
}

// Everything that one call of `weir bench` works with.
class Run {
 public:
  Run(const BenchOptions& options, Places places) : options_(options), places_(std::move(places)) {
    start_.launcher_words = split(options.launcher_words, ' ');
    start_.keep_spinning = options.keep_spinning;
    start_.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  }

  // The file of results is there before anything is measured. Failure: it cannot be written.
  Status begin() const { return options_.results.empty() ? Status() : write_document(document_, options_.results); }

  void measure_workloads(std::vector<Group> groups) {
    groups_ = std::move(groups);
    take_turns(groups_, workload_program(options_, start_, places_), options_.rounds, options_.timeout);
    show(groups_);
  }

  void measure_replays(std::vector<Group> groups) {
    replays_ = std::move(groups);
    take_turns(replays_, replay_program(options_, start_, places_), options_.rounds, options_.timeout);
    show(replays_);
  }

  void measure_beffio(std::vector<Group> groups) {
    beffio_ = std::move(groups);
    take_turns(beffio_, beffio_program(options_, start_, places_), 1, beffio_timeout(options_));
    fmt::print("{}", beffio_tables(beffio_));
  }

  void measure_program(std::vector<Group> groups, const Command& command) {
    groups_ = std::move(groups);
    in_place_ = true;
    take_turns(groups_, user_program(command, options_, places_), options_.repeats, options_.timeout);
    show(groups_);
  }

  // Writes the last state of the results and tells the exit code.
  int finish() {
    keep(!signals_.stopped());
    if (signals_.stopped()) fmt::print(stderr, "weir bench: stopped; what was measured before is shown\n");
    if (!options_.results.empty() && kept_) fmt::print(stderr, "results: {}\n", options_.results);
    if (signals_.stopped()) return kStopped;
    return any_failed() ? kFailed : 0;
  }

 private:
  void show(const std::vector<Group>& groups) const {
    fmt::print("{}{}", tables(groups), options_.bars ? bars(groups) : "");
    std::fflush(stdout);
  }

  void take_turns(std::vector<Group>& groups, const CellProgram& program, int rounds, int timeout_seconds) {
    const Session session{.start = start_,
                          .directory = in_place_ ? "" : places_.data,
                          .private_directory = places_.private_directory,
                          .rounds = rounds,
                          .timeout_seconds = timeout_seconds,
                          .keep = [this] { keep(false); }};
    measure(groups, program, session, signals_);
  }

  void keep(bool complete) {
    if (options_.results.empty()) return;
    document_["complete"] = complete;
    document_["cells"] = nlohmann::json::array();
    for (const std::vector<Group>* groups : {&groups_, &replays_}) {
      for (const Group& group : *groups) keep(group);
    }
    document_["b_eff_io"] = beffio_json(beffio_);
    const Status status = write_document(document_, options_.results);
    if (!status.ok() && kept_) fmt::print(stderr, "weir bench: {}\n", status.text());
    kept_ = status.ok();
  }

  void keep(const Group& group) {
    for (const Cell& cell : group.cells) {
      if (!cell.outcome.seconds.empty() || !cell.outcome.failed.empty())
        document_["cells"].push_back(cell_json(cell, options_));
    }
  }

  // Whether weir, or a program of the user's under any MPI-IO, failed; slow hosts are a result.
  bool any_failed() const {
    const auto failed = [this](const Cell& cell) {
      return !cell.outcome.failed.empty() && (in_place_ || cell.peer.name == "weir");
    };
    for (const std::vector<Group>* groups : {&groups_, &replays_, &beffio_}) {
      for (const Group& group : *groups)
        if (std::any_of(group.cells.begin(), group.cells.end(), failed)) return true;
    }
    return false;
  }

  const BenchOptions& options_;
  Places places_;
  StartOptions start_;
  Signals signals_;
  std::vector<Group> groups_;
  std::vector<Group> replays_;
  std::vector<Group> beffio_;
  nlohmann::json document_ = new_document(options_);
  bool in_place_ = false;  // the program starts where the user is
  bool kept_ = true;
};

// One group: the program under each MPI-IO that its host has.
Result<std::vector<Group>> program_groups(const BenchOptions& options, const Command& command, Words& left_out) {
  const auto hosts = find_hosts({short_name(command.program.family)});
  if (!hosts.ok()) return hosts.status();
  Words names = peers_wanted(options).value();
  std::erase(names, "blockio");
  const std::size_t program = command.line.contexts.front().program;
  Group group;
  for (const Peer& peer : peers_of(hosts.value().front(), names, left_out)) {
    group.cells.push_back({.workload = base_name(command.words[program]),
                           .direction = "run",
                           .host = hosts.value().front(),
                           .peer = peer,
                           .variant = {},
                           .ranks = 0});
  }
  return std::vector<Group>{group};
}

void tell_left_out(Words left_out) {
  std::sort(left_out.begin(), left_out.end());
  left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
  for (const std::string& text : left_out) fmt::print(stderr, "left out: {}\n", text);
}

int run_program(const BenchOptions& options) {
  const auto command = read_command(options.command);
  if (!command.ok()) return complain(command.status().text());
  const auto memory = Scratch::make(std::filesystem::temp_directory_path().string());
  if (!memory.ok()) return complain(memory.status().text());
  Words left_out;
  auto groups = program_groups(options, command.value(), left_out);
  if (!groups.ok()) return complain(groups.status().text());
  tell_left_out(left_out);
  Run run(options, {.data = "", .private_directory = memory.value().path()});
  if (Status status = run.begin(); !status.ok()) return complain(status.text());
  run.measure_program(std::move(groups).value(), command.value());
  return run.finish();
}

int run_workloads(BenchOptions options) {
  const bool beffio = std::erase(options.workloads, kBeffio) > 0;
  const Words replays = take_replays(options);
  const auto hosts = find_hosts(options.mpis);
  if (!hosts.ok()) return complain(hosts.status().text());
  Words left_out;
  auto groups = plan_groups(options, hosts.value(), left_out);
  if (!groups.ok()) return complain(groups.status().text());
  auto replay = replay_groups(replays, options, hosts.value(), left_out);
  if (!replay.ok()) return complain(replay.status().text());
  auto more_groups = beffio ? beffio_groups(options, hosts.value(), left_out) : std::vector<Group>();
  if (!more_groups.ok()) return complain(more_groups.status().text());
  const auto data = Scratch::make(options.directory);
  if (!data.ok()) return complain(data.status().text() + "; name another directory with --dir");
  const auto memory = Scratch::make(std::filesystem::temp_directory_path().string());
  if (!memory.ok()) return complain(memory.status().text());
  tell_left_out(left_out);
  Run run(options, {.data = data.value().path(), .private_directory = memory.value().path()});
  if (Status status = run.begin(); !status.ok()) return complain(status.text());
  if (!groups.value().empty()) run.measure_workloads(std::move(groups).value());
  if (!replay.value().empty()) run.measure_replays(std::move(replay).value());
  if (beffio) run.measure_beffio(std::move(more_groups).value());
  return run.finish();
}

}  // namespace

int bench(const BenchOptions& asked) {
  if (asked.list) return list_all();
  const auto options = completed(asked);
  if (!options.ok()) return complain(options.status().text());
  if (asked.program) return run_program(options.value());
  if (asked.workloads.empty()) return complain("name a workload, or all; `weir bench --list` shows them");
  return run_workloads(options.value());
}

}  // namespace weir::tool::compare
