// Which MPI a program or library is linked to, found by walking its dependencies as the dynamic
// linker would.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "elf_file.h"

namespace weir::tool {

// kAbi: whichever MPI with the standard ABI of MPI 5.0 the program finds when it runs.
enum class MpiFamily : std::uint8_t { kOpenMpi, kMpich, kAbi };
inline constexpr std::array kMpiFamilies = {MpiFamily::kOpenMpi, MpiFamily::kMpich, MpiFamily::kAbi};

// How the family is written in paths and options ("openmpi", "mpich", "abi"), and how people write it.
const char* short_name(MpiFamily family);
const char* full_name(MpiFamily family);
std::optional<MpiFamily> family_of_name(std::string_view short_name);

// The family whose C library has this soname: libmpi.so.40 is Open MPI's; libmpich.so.12, and
// libmpi.so.12 of the MPICH ABI, are MPICH's; libmpi_abi.so.1 is the standard ABI's.
std::optional<MpiFamily> family_of_soname(std::string_view soname);

// What the walk asks of the machine; tests give it an invented one.
struct LinkerView {
  std::function<Result<ElfFile>(const std::string& path)> load;
  std::map<std::string, std::string> cache;  // soname -> path, as in the linker's cache
  std::vector<std::string> library_path;     // LD_LIBRARY_PATH
  std::vector<std::string> default_directories;
};

struct MpiLibrary {
  MpiFamily family;
  std::string soname;
  std::string path;       // empty when the linker would not find it
  std::string needed_by;  // path of the object that asks for it
};

// The dependencies of one object, as far as `weir run` cares.
struct MpiUse {
  std::vector<MpiLibrary> libraries;  // every MPI C library met, nearest first, each soname once
};

// The MPI that a libmpi_abi.so.1 belongs to, told by the libraries it needs; nothing when it cannot be read.
std::optional<MpiFamily> implementation_of_abi(const std::string& path, const LinkerView& linker);

// Walks breadth first. Objects that cannot be found or read are passed over: the linker will
// complain of them. Failure: `path` itself cannot be read as ELF.
Result<MpiUse> find_mpi(const std::string& path, const LinkerView& linker);

// Reads the text that `ldconfig -p` prints; the first path given for a soname wins. 64-bit entries
// only.
std::map<std::string, std::string> parse_linker_cache(std::string_view text);

// This machine: real files, `ldconfig -p`, LD_LIBRARY_PATH.
LinkerView this_machine();

}  // namespace weir::tool
