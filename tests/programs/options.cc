#include "programs/options.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "programs/model.h"
#include "programs/names.h"
#include "programs/text.h"

namespace weir::programs {

const char* Options::usage() {
  return "usage: programs COMMAND [option]...\n"
         "  threads          runs programs with ranks as threads\n"
         "  run              runs the program of --text or --seed once\n"
         "  text             prints the program as text\n"
         "  count            counts what programs are made of\n"
         "  --seed N         of the first program\n"
         "  --programs N     how many (default 100)\n"
         "  --seconds S      ends after so long\n"
         "  --limit S        a program that takes longer hangs (default 20)\n"
         "  --failures N     ends after so many (default 1)\n"
         "  --text FILE      a program\n"
         "  --ranks N, --actions N, --size PERCENT, --level WORD   of the programs\n"
         "  --faults         drivers fail in every fourth program\n"
         "  --keep-types     does not free datatypes of accesses that go on\n"
         "  --without WORD   short, empty, late, nonblocking (collectives), shared, atomic, hints, tests,\n"
         "                   (zero) holes\n";
}

namespace {

bool leave_out(Options& options, std::string_view word) {
  Knobs& knobs = options.knobs;
  const std::pair<std::string_view, bool*> switches[] = {{"short", &knobs.short_reads},
                                                         {"empty", &knobs.empty_views},
                                                         {"late", &knobs.late_starts},
                                                         {"atomic", &knobs.atomic},
                                                         {"shared", &knobs.shared_pointers},
                                                         {"hints", &knobs.hints},
                                                         {"nonblocking", &knobs.nonblocking_collectives},
                                                         {"holes", &options.zero_holes},
                                                         {"tests", &knobs.tests}};
  for (const auto& [name, value] : switches) {
    if (name != word) continue;
    *value = false;
    return true;
  }
  return false;
}

}  // namespace

bool Options::parse(int argc, char** argv) {
  if (argc < 2) return false;
  command = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--faults" || option == "--keep-types") {
      (option == "--faults" ? mixed_faults : keep_types) = true;
      continue;
    }
    if (++i >= argc) return false;
    const char* value = argv[i];
    if (option == "--seed")
      seed = std::strtoull(value, nullptr, 10);
    else if (option == "--programs")
      programs = std::strtoull(value, nullptr, 10);
    else if (option == "--seconds")
      seconds = std::atof(value), programs = ~std::uint64_t{0};
    else if (option == "--limit")
      limit = static_cast<unsigned>(std::atoi(value));
    else if (option == "--failures")
      most_failures = std::atoi(value);
    else if (option == "--text")
      text = value;
    else if (option == "--check")
      check_command = value;
    else if (option == "--output")
      output = value;
    else if (option == "--dir")
      directory = value;
    else if (option == "--ranks")
      knobs.ranks = std::atoi(value);
    else if (option == "--actions")
      knobs.most_actions = std::atoi(value);
    else if (option == "--size")
      knobs.size_percent = std::atoi(value);
    else if (option == "--level" && find_word<Level>(kLevelWords, value))
      knobs.level = *find_word<Level>(kLevelWords, value);
    else if (option == "--without" && leave_out(*this, value))
      continue;
    else
      return false;
  }
  return true;
}

Program Options::program_of(std::uint64_t program_seed) const {
  Knobs drawn = knobs;
  if (mixed_faults && program_seed % 4 == 3) drawn.faults = true;
  return generate(program_seed, drawn);
}

Program Options::program() const {
  if (text.empty()) return program_of(seed);
  std::ifstream file(text);
  std::stringstream whole;
  whole << file.rdbuf();
  const Parsed parsed = programs::parse(whole.str());
  const std::string reason = parsed.error.empty() ? why_illegal(parsed.program) : parsed.error;
  if (reason.empty()) return parsed.program;
  std::fprintf(stderr, "%s: %s\n", text.c_str(), reason.c_str());
  std::exit(2);
}

}  // namespace weir::programs
