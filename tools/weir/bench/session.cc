#include "bench/session.h"

#include <fmt/format.h>

#include <filesystem>

#include "bench/outcome.h"
#include "bench/progress.h"
#include "whole_file.h"

namespace weir::tool::bench {

namespace {

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

}  // namespace weir::tool::bench
