// b_eff_io: the parallel effective I/O bandwidth benchmark. A plain MPI program, which knows nothing of what stands
// behind MPI_File_*. Exit codes: 0; 2 for bad input, before anything is written; 3 if MPI-IO failed or gave wrong data.

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "agree.h"
#include "guard.h"
#include "json.h"
#include "machine.h"
#include "memory.h"
#include "options.h"
#include "run.h"
#include "scratch.h"
#include "tables.h"

namespace beffio {
namespace {

constexpr int kBadInput = 2;
constexpr int kFailed = 3;

weir::Status wrong(std::string text) { return {weir::ErrorClass::kArgument, std::move(text)}; }

int rank_in_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int ranks_in_world() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

int fail(const weir::Status& status, int code) {
  if (rank_in_world() == 0) std::fprintf(stderr, "b_eff_io: %s\n", status.text().c_str());
  return code;
}

// COLLECTIVE. Rank 0 reads the file, for all.
weir::Result<HintsFile> read_hints(const std::string& path) {
  if (path.empty()) return HintsFile();
  weir::Status status;
  std::ostringstream text;
  if (rank_in_world() == 0) {
    std::ifstream file(path);
    if (!(text << file.rdbuf())) status = wrong(fmt::format("cannot read hints from {}", path));
  }
  status = agree(status, MPI_COMM_WORLD);
  if (!status.ok()) return status;
  auto hints = HintsFile::parse(text_of_rank_0(text.str(), MPI_COMM_WORLD));
  if (!hints.ok()) return wrong(fmt::format("{}: {}", path, hints.status().text()));
  return hints;
}

// COLLECTIVE. What was found out by rank 0 alone is made equal on all.
Settings settle(const Options& options, const Nodes& nodes) {
  Settings settings;
  settings.release = options.release;
  settings.seconds = options.seconds;
  settings.ranks = ranks_in_world();
  settings.nodes = nodes.nodes;
  settings.ranks_per_node = nodes.ranks_per_node;
  settings.memory_of_node_bytes = nodes.memory_bytes;
  settings.mpart_chosen = options.mpart_bytes > 0;
  settings.mpart_bytes = settings.mpart_chosen ? options.mpart_bytes : mpart_bytes(nodes.memory_bytes);
  settings.partitions_chosen = !options.partitions.empty();
  settings.rewrite_all = options.rewrite_all;
  settings.sync = options.sync;
  settings.verify = options.verify;
  settings.space_bytes = options.space_bytes > 0 ? options.space_bytes : space_for_files(options.directory);
  MPI_Bcast(&settings.space_bytes, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  settings.directory = options.directory;
  settings.file_system = file_system_of(options.directory);
  settings.mpi = mpi_version();
  settings.system = system_name();
  settings.date = date_now();
  settings.types = options.types;
  settings.methods = options.methods;
  return settings;
}

// COLLECTIVE. What would make the run fail later, found before anything is written.
weir::Status check_input(const Options& options, const Settings& settings, const Nodes& nodes) {
  weir::Status status;
  const std::int64_t least = least_bytes(options, settings);
  const std::int64_t buffers = Memory::bytes_for(largest_call(settings.mpart_bytes));
  if (settings.space_bytes > 0 && least > settings.space_bytes) {
    status = wrong(fmt::format("the files need at least {} bytes in {}, but may take only {}; see --space and --mpart",
                               least, options.directory, settings.space_bytes));
  } else if (buffers > nodes.rank_bytes / 4 * 3) {
    status =
        wrong(fmt::format("a rank needs {} bytes for its data, but its part of what is free on a node is {}; start "
                          "fewer ranks on a node, or see --mpart",
                          buffers, nodes.rank_bytes));
  } else if (rank_in_world() == 0 && !options.json_path.empty() &&
             !std::ofstream(options.json_path, std::ios::app).is_open()) {
    status = wrong(fmt::format("cannot write {}", options.json_path));
  }
  return agree(status, MPI_COMM_WORLD);
}

weir::Status deliver(const Report& report, const Options& options) {
  if (!options.quiet) std::fputs(tables(report).c_str(), stdout);
  std::fflush(stdout);
  if (options.json_path.empty()) return {};
  std::ofstream file(options.json_path);
  if (file << json_text(report) << '\n' << std::flush) return {};
  return wrong(fmt::format("cannot write {}", options.json_path));
}

// COLLECTIVE. The exit code.
int measure(const Options& options, const Settings& settings, const HintsFile& hints, Guard& guard) {
  const auto scratch = Scratch::make(options.directory, guard, MPI_COMM_WORLD);
  if (!scratch.ok()) return fail(scratch.status(), kBadInput);
  const auto report = run(options, settings, hints, scratch.value());
  weir::Status status = report.status();
  if (rank_in_world() == 0) {
    scratch.value().remove();
    if (report.ok()) status = deliver(report.value(), options);
  }
  status = agree(status, MPI_COMM_WORLD);
  return status.ok() ? 0 : fail(status, kFailed);
}

int run_program(const std::vector<std::string>& words, Guard& guard) {
  const auto options = parse_options(words, ranks_in_world());
  if (!options.ok()) return fail(options.status(), kBadInput);
  if (options.value().help) {
    if (rank_in_world() == 0) std::fputs(usage().c_str(), stdout);
    return 0;
  }
  const auto hints = read_hints(options.value().hints_path);
  if (!hints.ok()) return fail(hints.status(), kBadInput);
  const Nodes nodes = nodes_of(MPI_COMM_WORLD);
  const Settings settings = settle(options.value(), nodes);
  const weir::Status status = check_input(options.value(), settings, nodes);
  if (!status.ok()) return fail(status, kBadInput);
  return measure(options.value(), settings, hints.value(), guard);
}

}  // namespace
}  // namespace beffio

int main(int argc, char** argv) {
  beffio::Guard guard;
  MPI_Init(&argc, &argv);
  const int code = beffio::run_program({argv + 1, argv + argc}, guard);
  MPI_Finalize();
  return code;
}
