// Collective writes and reads with every combination of what the plan can be told: shapes, aggregators, local
// aggregators, windows, ways to exchange, depths. One program runs many combinations, and names each before it begins.
//
//   cluster_matrix DIRECTORY [--all] [--from N] [--only TEXT] [--list]
//
// Without --all about a quarter of them. --from N leaves out those before number N: to go on after one that hangs. A
// combination that takes longer than its limit ends the program with exit code 8. REQUIRES a power of two of ranks, at
// least 4.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "matrix_shapes.h"

namespace {

using matrix::Words;

struct Combination {
  bool blocks;  // a 3-D array in blocks; else block-cyclic pieces of 64 bytes
  int megabytes;
  int aggregators;
  int local_aggregators;
  const char* window;
  const char* exchange;
  const char* depth;

  std::string hints() const {
    return "cb_nodes=" + std::to_string(aggregators) + " weir_local_aggregators=" + std::to_string(local_aggregators) +
           " cb_buffer_size=" + window + " weir_exchange=" + exchange + " weir_pipeline_depth=" + depth;
  }
  std::string text() const {
    return std::string(blocks ? "blocks" : "cyclic") + " " + std::to_string(megabytes) + " MiB " + hints();
  }
};

constexpr std::array kAggregators = {1, 2, 3, 4, 5, 8, 16};
constexpr std::array kLocalAggregators = {1, 2, 4};
constexpr std::array kWindows = {"65536", "1048576", "16777216"};
constexpr std::array kExchanges = {"shared", "direct", "pairwise"};
constexpr std::array kDepths = {"1", "2", "4"};

// Large enough for messages that wait for their receiver; now and then large.
int megabytes_of(std::size_t local, std::size_t window, std::size_t depth) {
  if (local == 1 && window == 1 && depth == 1) return 64;
  return window == 2 ? 16 : 8;
}

// For pieces a third of the combinations, in which any four values that are not of the same kind come together; for
// blocks a ninth.
bool is_in_part(bool blocks, std::size_t row, std::size_t exchange, std::size_t local, std::size_t window,
                std::size_t depth) {
  return (row + exchange + local + window + depth) % 3 == 0 && (!blocks || (local + 2 * exchange) % 3 == 0);
}

std::vector<Combination> combinations(bool all) {
  std::vector<Combination> result;
  for (std::size_t number = 0; number < kAggregators.size() * 162; ++number) {
    const bool blocks = number % 2 != 0;
    const std::size_t depth = number / 2 % 3;
    const std::size_t exchange = number / 6 % 3;
    const std::size_t window = number / 18 % 3;
    const std::size_t local = number / 54 % 3;
    const std::size_t row = number / 162;
    const int megabytes = megabytes_of(local, window, depth);
    const bool large_in_part = megabytes == 64 && !blocks && kAggregators[row] >= 8;
    if (!all && !large_in_part && !is_in_part(blocks, row, exchange, local, window, depth)) continue;
    result.push_back({blocks, all || large_in_part ? megabytes : std::min(megabytes, 16), kAggregators[row],
                      kLocalAggregators[local], kWindows[window], kExchanges[exchange], kDepths[depth]});
  }
  return result;
}

std::string hang_text;

void give_up(int /*signal*/) {
  const ssize_t ignored = write(STDOUT_FILENO, hang_text.data(), hang_text.size());
  static_cast<void>(ignored);
  _exit(8);
}

void fail(const std::string& what, int code) {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  if (code != MPI_SUCCESS) MPI_Error_string(code, text.data(), &length);
  std::printf("WRONG: %s %s\n", what.c_str(), text.data());
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void require(int code, const char* call) {
  if (code != MPI_SUCCESS) fail(call, code);
}

MPI_Info info_of(const std::string& hints) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "weir_method", "two_phase");
  for (std::size_t begin = 0; begin < hints.size();) {
    const std::size_t end = std::min(hints.find(' ', begin), hints.size());
    const std::string pair = hints.substr(begin, end - begin);
    const std::size_t equals = pair.find('=');
    MPI_Info_set(info, pair.substr(0, equals).c_str(), pair.substr(equals + 1).c_str());
    begin = end + 1;
  }
  return info;
}

// COLLECTIVE. Writes the file, looks at its bytes without MPI-IO, reads it back.
void run(const Combination& combination, std::uint64_t seed, const std::string& path) {
  const matrix::Shape shape(combination.blocks, static_cast<std::uint64_t>(combination.megabytes) << 20U);
  Words words = shape.words(seed);
  const int count = static_cast<int>(words.size());
  MPI_Info info = info_of(combination.hints());
  MPI_File file = MPI_FILE_NULL;
  require(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file), "open");
  require(MPI_File_set_view(file, shape.displacement(), MPI_UINT64_T, shape.file_type(), "native", MPI_INFO_NULL),
          "set_view");
  require(MPI_File_write_at_all(file, 0, words.data(), count, MPI_UINT64_T, MPI_STATUS_IGNORE), "write_at_all");
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string found = shape.check_file(path, seed);
  if (!found.empty()) fail("after write_at_all " + found, MPI_SUCCESS);
  Words again(words.size());
  require(MPI_File_read_at_all(file, 0, again.data(), count, MPI_UINT64_T, MPI_STATUS_IGNORE), "read_at_all");
  if (again != words) fail("read_at_all gave other bytes", MPI_SUCCESS);
  require(MPI_File_close(&file), "close");
  MPI_Info_free(&info);
}

struct Options {
  std::string directory;
  std::string only;
  std::size_t from = 0;
  bool all = false;
  bool list = false;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--all") {
      options.all = true;
    } else if (word == "--list") {
      options.list = true;
    } else if (word == "--from" && i + 1 < argc) {
      options.from = std::strtoul(argv[++i], nullptr, 10);
    } else if (word == "--only" && i + 1 < argc) {
      options.only = argv[++i];
    } else {
      options.directory = word;
    }
  }
  return options;
}

// COLLECTIVE. One combination within its time limit; rank 0 tells before and after.
void run_named(std::size_t number, const Combination& combination, const std::string& path, bool speaks) {
  const std::string name = std::to_string(number) + " " + combination.text();
  const unsigned limit = combination.megabytes == 64 ? 40 : 20;
  if (speaks) {
    hang_text = "HANGS   " + name + ": not done after " + std::to_string(limit) + " s\n";
    std::printf("run     %s\n", name.c_str());
    std::fflush(stdout);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  alarm(limit);
  const double start = MPI_Wtime();
  run(combination, number, path);
  alarm(0);
  if (speaks) std::printf("passed  %zu %.2f s\n", number, MPI_Wtime() - start);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const std::vector<Combination> list = combinations(options.all);
  if (options.list) {
    for (std::size_t i = 0; i < list.size(); ++i) std::printf("%zu %s\n", i, list[i].text().c_str());
    return EXIT_SUCCESS;
  }
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::signal(SIGALRM, give_up);
  const std::string path = options.directory + "/matrix";
  for (std::size_t i = options.from; i < list.size(); ++i) {
    if (list[i].text().find(options.only) == std::string::npos) continue;
    run_named(i, list[i], path, rank == 0);
  }
  if (rank == 0) {
    unlink(path.c_str());
    std::printf("all combinations done\n");
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
