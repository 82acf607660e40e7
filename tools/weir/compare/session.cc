#include "compare/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "compare/numbers.h"
#include "whole_file.h"

namespace weir::tool::compare {

namespace {

// How far a run is. On a terminal the line is written over itself; elsewhere each step is a line of its own.
class Progress {
 public:
  explicit Progress(int steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // The next step begins.
  void step(const std::string& text);

  // A line that stays, between those of the steps.
  void remark(const std::string& text);

 private:
  void clear_line() const;

  int steps_;
  int done_ = -1;
  bool terminal_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Progress::Progress(int steps) : steps_(steps), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { clear_line(); }

void Progress::step(const std::string& text) {
  ++done_;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  std::string line = fmt::format("[{}/{}] {}", done_ + 1, steps_, text);
  if (done_ > 0) line += fmt::format(", about {} left", clock_text(seconds / done_ * (steps_ - done_)));
  clear_line();
  fmt::print(stderr, "{}{}", line, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void Progress::remark(const std::string& text) {
  clear_line();
  fmt::print(stderr, "{}\n", text);
}

void Progress::clear_line() const {
  if (terminal_) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

void forget_files(const std::string& directory) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    std::filesystem::remove_all(entry.path(), error);
}

void start(Cell& cell, const CellProgram& program, const Session& session, Signals& signals) {
  forget_files(session.private_directory);
  const auto command = program.command(cell);
  if (!command.ok()) {
    cell.outcome.failed = command.status().text();
    return;
  }
  const Job job{.invocation = under_peer(command.value(), cell, program.variables(cell), session.start),
                .directory = session.directory,
                .output = session.private_directory + "/output",
                .errors = session.private_directory + "/errors",
                .timeout = std::chrono::seconds(session.timeout_seconds)};
  const JobEnd end = run_job(job, signals);
  if (end.kind == JobEnd::Kind::kStopped) return;
  program.collect(cell, end);
  if (!session.directory.empty()) forget_files(session.directory);
}

std::string text_of(const Cell& cell) {
  const std::string ranks = cell.ranks > 0 ? fmt::format(", {} ranks", cell.ranks) : "";
  return fmt::format("{}{}: {} {}, {}", cell.host.version, ranks, cell.workload, cell.direction, label_of(cell));
}

void measure_group(Group& group, const CellProgram& program, const Session& session, Signals& signals,
                   Progress& progress) {
  const std::size_t cells = group.cells.size();
  for (int round = 0; round < session.rounds; ++round) {
    for (std::size_t turn = 0; turn < cells; ++turn) {
      Cell& cell = group.cells[(turn + static_cast<std::size_t>(round)) % cells];
      if (signals.stopped()) return;
      progress.step(text_of(cell));
      if (!cell.outcome.failed.empty()) continue;
      start(cell, program, session, signals);
      if (!cell.outcome.failed.empty()) progress.remark(fmt::format("  {}: {}", text_of(cell), cell.outcome.failed));
    }
  }
}

}  // namespace

std::string text_of(const std::string& path) {
  auto text = read_file(path);
  return text.ok() ? std::move(text).value() : "";
}

void measure(std::vector<Group>& groups, const CellProgram& program, const Session& session, Signals& signals) {
  std::size_t starts = 0;
  for (const Group& group : groups) starts += group.cells.size() * static_cast<std::size_t>(session.rounds);
  Progress progress(static_cast<int>(starts));
  for (Group& group : groups) {
    if (signals.stopped()) return;
    measure_group(group, program, session, signals, progress);
    session.keep();
  }
}

}  // namespace weir::tool::compare
