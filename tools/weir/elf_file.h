// What `weir run` reads in an ELF file: which libraries it asks for, and where it says to look for
// them.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace weir::tool {

struct ElfFile {
  bool is_dynamic = false;  // has a dynamic section
  std::string interpreter;  // the dynamic linker it names; empty for static programs and for libraries
  std::string soname;
  std::vector<std::string> needed;   // DT_NEEDED, in file order
  std::vector<std::string> rpath;    // DT_RPATH, split at ':'; $ORIGIN not replaced
  std::vector<std::string> runpath;  // DT_RUNPATH, likewise
};

// Decodes a 64-bit little-endian ELF file held in memory. Anything else, and a file whose tables
// point outside of it, is a failure that says so.
Result<ElfFile> parse_elf(std::span<const std::byte> image);

// parse_elf of the file at `path`.
Result<ElfFile> load_elf(const std::string& path);

// The names of what a shared library offers to others, as its table of dynamic symbols says. Fails as parse_elf does.
Result<std::set<std::string>> parse_exports(std::span<const std::byte> image);
Result<std::set<std::string>> load_exports(const std::string& path);

}  // namespace weir::tool
