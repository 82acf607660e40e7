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
         "  threads              runs programs with ranks as threads\n"
         "  run                  runs one program, with ranks as threads\n"
         "  text, c              prints one program as text, or as a C program that needs nothing else\n"
         "  shrink               makes a failing program as small as it can be: OUTPUT.txt, OUTPUT.c\n"
         "  count                counts what programs are made of\n"
         "which programs:\n"
         "  --seed N             the first one (default 1)\n"
         "  --text FILE          the one in this file\n"
         "  --programs N         how many (default 100)\n"
         "  --seconds S          ends after so long\n"
         "  --failures N         ends after so many (default 1)\n"
         "  --ranks N  --files N  --actions N  --size PERCENT  --level WORD\n"
         "  --without WORD       short (reads), empty (views), late (starts), nonblocking (collectives), shared,\n"
         "                       atomic, hints, tests, (zero) holes\n"
         "  --faults             drivers fail in every fourth program\n"
         "how they are run:\n"
         "  --limit S            a program that takes longer hangs (default 20)\n"
         "  --dir DIR            where files are, under MPI (default: TEST_DIR)\n"
         "  --keep-types         under MPI: datatypes live as long as the accesses that use them\n"
         "how they are shrunk:\n"
         "  --check COMMAND      COMMAND RANKS FILE tells whether a program fails (default: as threads)\n"
         "  --repeat N           it fails if one of N runs does; also for run, and under MPI\n"
         "  --shrink-seconds S   (default 600)\n"
         "  --output BASE        (default: failing)\n"
         "  --lose-byte-above N  runs with a fault put in: see thread_runner.h\n";
}

namespace {

using std::string_view;

bool leave_out(Options& options, string_view word) {
  Knobs& knobs = options.knobs;
  const std::pair<string_view, bool*> switches[] = {
      {"short", &knobs.short_reads}, {"empty", &knobs.empty_views},
      {"late", &knobs.late_starts},  {"nonblocking", &knobs.nonblocking_collectives},
      {"atomic", &knobs.atomic},     {"shared", &knobs.shared_pointers},
      {"hints", &knobs.hints},       {"tests", &knobs.tests},
      {"holes", &options.zero_holes}};
  for (const auto& [name, value] : switches) {
    if (name != word) continue;
    *value = false;
    return true;
  }
  return false;
}

bool set_number(Options& options, string_view option, const char* value) {
  const std::pair<string_view, int*> ints[] = {
      {"--failures", &options.most_failures}, {"--limit", &options.limit},
      {"--repeat", &options.repeat},          {"--lose-byte-above", &options.lose_byte_above},
      {"--ranks", &options.knobs.ranks},      {"--actions", &options.knobs.most_actions},
      {"--files", &options.knobs.most_files}, {"--size", &options.knobs.size_percent}};
  for (const auto& [name, number] : ints) {
    if (name == option) return *number = std::atoi(value), true;
  }
  if (option == "--seed") return options.seed = std::strtoull(value, nullptr, 10), true;
  if (option == "--programs") return options.programs = std::strtoull(value, nullptr, 10), true;
  if (option == "--shrink-seconds") return options.shrink_seconds = std::atof(value), true;
  if (option != "--seconds") return false;
  options.seconds = std::atof(value);
  options.programs = ~std::uint64_t{0};
  return true;
}

bool set_text(Options& options, string_view option, const char* value) {
  const std::pair<string_view, std::string*> texts[] = {{"--text", &options.text},
                                                        {"--check", &options.check_command},
                                                        {"--output", &options.output},
                                                        {"--dir", &options.directory}};
  for (const auto& [name, text] : texts) {
    if (name == option) return *text = value, true;
  }
  if (option == "--without") return leave_out(options, value);
  const auto level = find_word<Level>(kLevelWords, value);
  if (option != "--level" || !level) return false;
  options.knobs.level = *level;
  return true;
}

}  // namespace

bool Options::parse(int argc, char** argv) {
  if (argc < 2) return false;
  command = argv[1];
  for (int i = 2; i < argc; ++i) {
    const string_view option = argv[i];
    if (option == "--faults" || option == "--keep-types") {
      (option == "--faults" ? mixed_faults : keep_types) = true;
      continue;
    }
    if (++i >= argc) return false;
    if (!set_number(*this, option, argv[i]) && !set_text(*this, option, argv[i])) return false;
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
