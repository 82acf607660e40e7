// The options of the programs that run random programs.
#pragma once

#include <cstdint>
#include <string>

#include "programs/generate.h"

namespace weir::programs {

struct Options {
  std::string command;
  std::uint64_t seed = 1;
  std::uint64_t programs = 100;
  double seconds = 1e9;
  int limit = 20;  // seconds for one program
  int most_failures = 1;
  std::string text;          // a file with a program
  int lose_byte_above = -1;  // see ThreadOptions
  int repeat = 1;            // a program fails if one of so many runs does
  double shrink_seconds = 600;
  std::string check_command;  // for shrink
  std::string output;         // a file
  std::string directory;      // for files of programs
  bool keep_types = false;    // datatypes live as long as the accesses that use them
  bool zero_holes = true;     // what nobody wrote must be 0
  Knobs knobs;
  bool mixed_faults = false;  // every fourth program has faults, and every fourth a lower thread level

  static const char* usage();
  // False when an option is not understood.
  bool parse(int argc, char** argv);

  Program program_of(std::uint64_t program_seed) const;
  // The one in the text file, else the one of the seed. Ends the process when the text is no legal program.
  Program program() const;
};

}  // namespace weir::programs
