// Which MPI a program named on a command line will use.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "mpi_use.h"
#include "words.h"

namespace weir::tool {

struct ProgramMpi {
  MpiFamily family;
  std::string soname;  // of the MPI library it needs; empty when only the launcher tells the family
  std::string path;    // of that library; empty also when the linker would not find it
  std::string reason;  // how it was found out, for --verbose
};

// A program as a launcher would start it.
struct ProgramCall {
  Words words;                        // wrappers, the program's name, its arguments
  std::size_t program = 0;            // index of the program's name in them
  std::string directory;              // where it starts; empty: the current one
  std::optional<MpiFamily> launcher;  // the MPI of its launcher, where that is known
};

// The file that `name` stands for: as given when it has a '/', else along `search_path` (colons),
// else in `directory` itself. Empty when there is no such executable file.
std::string find_executable(const std::string& name, const std::string& search_path, const std::string& directory);

// The words after "#!" in a script's first line; empty when `head` is no script.
Words script_interpreter(std::string_view head);

// True for python, python3, python3.11 and the like.
bool is_python(std::string_view path);

// Reads the program's ELF file, the first line of a script, or asks a python for its mpi4py.
// Failure, saying what to do: not found, static, no MPI, two MPIs, a script that cannot be seen
// through.
Result<ProgramMpi> mpi_of_program(const ProgramCall& call, const LinkerView& linker);

}  // namespace weir::tool
