#include "program.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>

#include "child.h"
#include "launcher.h"

namespace weir::tool {

namespace {

// Prints the file of mpi4py's MPI module, or an empty line. Importing the package does not start
// MPI.
constexpr const char* kAskPython =
    "import importlib.util\n"
    "try:\n"
    "  found = importlib.util.find_spec('mpi4py.MPI')\n"
    "except ImportError:\n"
    "  found = None\n"
    "print('weir:' + (found.origin if found and found.origin else ''))\n";

constexpr const char* kSayWhich = "  If it loads MPI while it runs, say which: weir run --mpi openmpi|mpich|abi -- ...";

bool is_executable_file(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string head_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string head(256, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return head;
}

Result<ProgramMpi> family_of_elf(const std::string& path, const LinkerView& linker) {
  const auto use = find_mpi(path, linker);
  if (!use.ok()) return use.status();
  const auto& libraries = use.value().libraries;
  if (libraries.empty()) {
    return cannot(
        fmt::format("{} is not linked to an MPI library that weir knows (libmpi.so.40 of Open MPI, "
                    "libmpich.so.12 or libmpi.so.12 of MPICH, libmpi_abi.so.1 of the standard ABI).\n{}",
                    path, kSayWhich));
  }
  const MpiLibrary& first = libraries.front();
  for (const MpiLibrary& other : libraries) {
    if (other.family != first.family) {
      return cannot(fmt::format("{} is linked to two MPIs: {} needs {}, {} needs {}. Rebuild it with one.", path,
                                first.needed_by, first.soname, other.needed_by, other.soname));
    }
  }
  return ProgramMpi{first.family, first.soname, first.path,
                    fmt::format("{} needs {}{}", first.needed_by, first.soname,
                                first.path.empty() ? " (not found by the linker)" : " = " + first.path)};
}

Result<ProgramMpi> from_launcher(const ProgramCall& call, const std::string& why) {
  if (call.launcher)
    return ProgramMpi{*call.launcher, "", "", why + "; taken from the launcher: " + full_name(*call.launcher)};
  return cannot(why + ", and no launcher tells the MPI.\n" + kSayWhich);
}

// Asks the interpreter itself, with what wraps it (`prefix`), since only it knows its module path.
Result<ProgramMpi> family_of_python(const Words& prefix, const ProgramCall& call, const LinkerView& linker) {
  Words question = prefix;
  question.insert(question.end(), {"-c", kAskPython});
  const ChildResult answer = run_command(question, {.timeout = std::chrono::seconds(30)});
  const std::string& output = answer.output;
  const auto mark = output.rfind("weir:");
  if (!answer.succeeded() || mark == std::string::npos) {
    return cannot(
        fmt::format("{} does not run: `{} -c 'import importlib.util'` fails", prefix.back(), join(prefix, " ")));
  }
  const std::string module = output.substr(mark + 5, output.find('\n', mark) - mark - 5);
  if (module.empty()) return from_launcher(call, prefix.back() + " has no mpi4py");
  const auto use = find_mpi(module, linker);
  if (!use.ok() || use.value().libraries.empty()) return from_launcher(call, module + " is not linked to a known MPI");
  return family_of_elf(module, linker);
}

Result<ProgramMpi> family_of_script(const std::string& path, const Words& interpreter, const ProgramCall& call,
                                    const LinkerView& linker) {
  const auto real = skip_wrappers(interpreter, 0, interpreter.size());
  if (real.ok() && is_python(interpreter[real.value()])) {
    Words prefix(call.words.begin(), call.words.begin() + static_cast<std::ptrdiff_t>(call.program));
    prefix.insert(prefix.end(), interpreter.begin(),
                  interpreter.begin() + static_cast<std::ptrdiff_t>(real.value()) + 1);
    return family_of_python(prefix, call, linker);
  }
  return cannot(
      fmt::format("{} is a script for {}; weir cannot see which MPI program it starts.\n"
                  "  Say which MPI that is: weir run --mpi openmpi|mpich|abi -- ...",
                  path, interpreter.empty() ? "an unknown interpreter" : interpreter.front()));
}

bool is_static_program(const ElfFile& file) {
  return !file.is_dynamic || (file.interpreter.empty() && file.needed.empty());
}

}  // namespace

std::string find_executable(const std::string& name, const std::string& search_path, const std::string& directory) {
  if (name.starts_with("/")) return is_executable_file(name) ? name : "";
  if (name.find('/') == std::string::npos) {
    for (const std::string& folder : split(search_path, ':'))
      if (std::string path = folder + "/" + name; is_executable_file(path)) return path;
  }
  const bool as_given = directory.empty() && name.find('/') != std::string::npos;
  const std::string path = as_given ? name : (directory.empty() ? "." : directory) + "/" + name;
  return is_executable_file(path) ? path : "";
}

Words script_interpreter(std::string_view head) {
  if (!head.starts_with("#!")) return {};
  head.remove_prefix(2);
  std::string line(head.substr(0, head.find('\n')));
  std::replace(line.begin(), line.end(), '\t', ' ');
  return split(line, ' ');
}

bool is_python(std::string_view path) {
  const std::string name = base_name(path);
  if (!name.starts_with("python")) return false;
  return std::all_of(name.begin() + 6, name.end(), [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; });
}

Result<ProgramMpi> mpi_of_program(const ProgramCall& call, const LinkerView& linker) {
  const std::string& name = call.words.at(call.program);
  const char* search_path = std::getenv("PATH");
  const std::string path = find_executable(name, search_path != nullptr ? search_path : "", call.directory);
  if (path.empty()) {
    return cannot(fmt::format("the program {} is not an executable file, neither along PATH nor in {}", name,
                              call.directory.empty() ? "this directory" : call.directory));
  }
  if (is_python(name)) {
    return family_of_python(
        Words(call.words.begin(), call.words.begin() + static_cast<std::ptrdiff_t>(call.program) + 1), call, linker);
  }
  const std::string head = head_of(path);
  if (head.starts_with("#!")) return family_of_script(path, script_interpreter(head), call, linker);
  const auto file = linker.load(path);
  if (!file.ok()) {
    return cannot(
        fmt::format("the program {} is neither an ELF program nor a script ({})", path, file.status().text()));
  }
  if (is_static_program(file.value())) {
    return cannot(
        fmt::format("{} is linked statically: no library can be put under it.\n"
                    "  Link it dynamically, or with libweir.so ahead of the MPI library.",
                    path));
  }
  return family_of_elf(path, linker);
}

}  // namespace weir::tool
