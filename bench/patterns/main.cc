// patterns: times collective access in the patterns of pattern.h against Block I/O. A plain MPI program, which knows
// nothing of what stands behind MPI_File_*. See usage().

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "measure.h"
#include "mpi_check.h"
#include "pattern.h"
#include "print.h"

namespace bench {
namespace {

struct Options {
  std::vector<const Pattern*> patterns;
  std::vector<Direction> directions = {Direction::kWrite, Direction::kRead};
  std::int64_t bytes = std::int64_t{128} << 20;
  std::string json;
  std::string hints;
  MeasureOptions measure = {.directory = ".", .repeats = 5, .seconds = 20, .verify = false, .hints = MPI_INFO_NULL};
};

std::string usage() {
  std::string text =
      "usage: patterns [--pattern NAME,...|all] [--size MIB] [--repeats N] [--seconds S] [--dir DIR]\n"
      "                [--direction write|read|both] [--verify] [--hints KEY=VALUE;...] [--json FILE]\n\n"
      "Each pattern is repeated --repeats times (default 5) after one repeat to warm up, but no repeat begins after\n"
      "--seconds (default 20). --size (default 128) is that of the file. --json adds one line per result to FILE.\n\n";
  for (const Pattern& pattern : all_patterns()) {
    text += "  " + std::string(pattern.name) + std::string(12 - pattern.name.size(), ' ') + std::string(pattern.text) +
            "\n";
  }
  return text;
}

std::vector<std::string> split(const std::string& text, char divider) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, divider);) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

std::vector<const Pattern*> patterns_called(const std::string& names) {
  std::vector<const Pattern*> patterns;
  if (names == "all") {
    for (const Pattern& pattern : all_patterns()) patterns.push_back(&pattern);
    return patterns;
  }
  for (const std::string& name : split(names, ',')) {
    patterns.push_back(find_pattern(name));
    if (patterns.back() == nullptr) end_job("no pattern called '" + name + "'\n" + usage());
  }
  return patterns;
}

std::vector<Direction> directions_called(const std::string& name) {
  if (name == "write") return {Direction::kWrite};
  if (name == "read") return {Direction::kRead};
  if (name == "both" || name == "write,read") return {Direction::kWrite, Direction::kRead};
  end_job("no direction called '" + name + "'\n" + usage());
}

void take_option(Options& options, const std::string& name, const std::string& value) {
  if (name == "--pattern") {
    options.patterns = patterns_called(value);
  } else if (name == "--size") {
    options.bytes = static_cast<std::int64_t>(std::atof(value.c_str()) * (1 << 20));
  } else if (name == "--repeats") {
    options.measure.repeats = std::atoi(value.c_str());
  } else if (name == "--seconds") {
    options.measure.seconds = std::atof(value.c_str());
  } else if (name == "--dir") {
    options.measure.directory = value;
  } else if (name == "--direction") {
    options.directions = directions_called(value);
  } else if (name == "--hints") {
    options.hints = value;
  } else if (name == "--json") {
    options.json = value;
  } else {
    end_job("not understood: " + name + "\n" + usage());
  }
}

Options parse(int argc, char** argv) {
  Options options;
  options.patterns = patterns_called("all");
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--verify") {
      options.measure.verify = true;
      continue;
    }
    if (i + 1 == words.size()) end_job("not understood, or without a value: " + words[i] + "\n" + usage());
    take_option(options, words[i], words[i + 1]);
    ++i;
  }
  if (options.bytes < 4096 || options.measure.repeats < 1) end_job("too little to measure\n" + usage());
  return options;
}

// The caller frees it.
MPI_Info info_of(const std::string& hints) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const std::string& hint : split(hints, ';')) {
    const std::size_t sign = hint.find('=');
    if (sign == std::string::npos) end_job("a hint is KEY=VALUE, not '" + hint + "'");
    check(MPI_Info_set(info, hint.substr(0, sign).c_str(), hint.substr(sign + 1).c_str()), "MPI_Info_set");
  }
  return info;
}

// A line at a time, so that what was measured stays known if the job is ended.
void show(const Measurement& measurement, const std::string& json) {
  std::printf("%s\n", text_line(measurement).c_str());
  std::fflush(stdout);
  if (json.empty()) return;
  std::FILE* file = std::fopen(json.c_str(), "a");
  if (file == nullptr) end_job("cannot write " + json);
  std::fprintf(file, "%s\n", json_line(measurement).c_str());
  std::fclose(file);
}

// COLLECTIVE. False if something was wrong in a file or in memory.
bool run(const Options& options) {
  int rank = 0;
  Shape shape{.ranks = 1, .grid = {0, 0, 0}, .bytes = options.bytes};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &shape.ranks);
  check(MPI_Dims_create(shape.ranks, 3, shape.grid.data()), "MPI_Dims_create");
  if (rank == 0) std::printf("%s\n", text_head().c_str());
  bool right = true;
  for (const Pattern* pattern : options.patterns) {
    for (const Direction direction : options.directions) {
      const Measurement measurement = measure(*pattern, shape, direction, options.measure);
      if (rank == 0) show(measurement, options.json);
      right = right && measurement.verdict != Verdict::kWrong;
    }
  }
  return right;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bench::Options options = bench::parse(argc, argv);
  options.measure.hints = bench::info_of(options.hints);
  const bool right = bench::run(options);
  MPI_Info_free(&options.measure.hints);
  MPI_Finalize();
  return right ? 0 : 1;
}
