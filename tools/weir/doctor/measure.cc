#include "doctor/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "child.h"
#include "command.h"
#include "driver/mount.h"
#include "driver/systems/registry.h"
#include "model/built_in.h"
#include "model/fields.h"
#include "whole_file.h"

namespace weir::tool::doctor {

namespace {

constexpr std::chrono::seconds kPatience{180};
constexpr int kBadUsage = 2;

// "FIELD VALUE TEXT" or "FIELD - TEXT".
struct Line {
  const model::Field* field = nullptr;  // null: it is no such line
  std::string value;
  std::string text;
};

Line read_line(const std::string& text) {
  const std::size_t first = text.find(' ');
  const std::size_t second = first == std::string::npos ? first : text.find(' ', first + 1);
  const std::size_t dot = text.find('.');
  if (second == std::string::npos || dot > first) return {};
  return {model::find_field(text.substr(0, dot), text.substr(dot + 1, first - dot - 1)),
          text.substr(first + 1, second - first - 1), text.substr(second + 1)};
}

void take(const Line& line, model::ModelFile& file) {
  std::string& source = file.sources[fmt::format("{}.{}", line.field->part, line.field->name)];
  char* end = nullptr;
  const double value = std::strtod(line.value.c_str(), &end);
  const bool is_number = end != line.value.c_str() && *end == '\0';
  if (!is_number || !model::possible(*line.field, value)) {
    source = fmt::format("not measured: {}; built in",
                         is_number ? fmt::format("{} is not possible", line.value) : line.text);
    return;
  }
  line.field->set(file.machine, value);
  source = line.text;
}

// The usual numbers for files in the directory, with what its file system is known to be.
Result<model::MachineModel> usual_model(const std::string& directory) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) return cannot(fmt::format("{} is no directory", directory));
  const Result<driver::MountEntry> mount = driver::mount_of(directory);
  if (!mount.ok()) return mount.status();
  const driver::FileSystem& system = driver::file_system_of(mount.value());
  const LockProtocol protocol = system.shared ? system.lock_protocol : LockProtocol::kNone;
  return model::built_in(system.shared, protocol);
}

// The command with the program `machine` of the launcher's MPI.
Result<Words> whole_command(const MeasureOptions& options, bool behind_network) {
  if (options.command.empty()) return cannot("name a launcher: weir doctor --measure DIR -- mpirun -np 4");
  MpiFamily family = options.mpi == "mpich" ? MpiFamily::kMpich : MpiFamily::kOpenMpi;
  if (options.mpi.empty()) {
    const Result<LauncherKind> kind = kind_of_launcher(options.command.front());
    if (!kind.ok()) return kind.status();
    if (kind.value() == LauncherKind::kSrun) return cannot("say which MPI srun starts: --mpi openmpi or --mpi mpich");
    family = kind.value() == LauncherKind::kHydra ? MpiFamily::kMpich : MpiFamily::kOpenMpi;
  }
  const std::string library = find_library(family);
  const std::string program = (std::filesystem::path(library).parent_path() / "machine").string();
  if (library.empty() || !std::filesystem::exists(program)) {
    return cannot(fmt::format("weir was not built for {}", full_name(family)));
  }
  Words words = options.command;
  words.insert(words.end(),
               {program, std::filesystem::absolute(options.directory).string(), behind_network ? "network" : "local"});
  return words;
}

void print_notes(const std::string& output, const model::ModelFile& file) {
  for (const std::string& line : split(output, '\n')) {
    if (line.starts_with("# ")) fmt::print(stderr, "{}\n", line.substr(2));
  }
  for (const auto& [field, source] : file.sources) {
    if (source.starts_with("not measured")) fmt::print(stderr, "{}: {}\n", field, source);
  }
}

Result<model::ModelFile> measured_model(const MeasureOptions& options) {
  const Result<model::MachineModel> usual = usual_model(options.directory);
  if (!usual.ok()) return usual.status();
  const Result<Words> command = whole_command(options, usual.value().storage.behind_network);
  if (!command.ok()) return command.status();
  const ChildResult end = run_command(command.value(), {.timeout = kPatience, .merge_errors = true});
  if (!end.succeeded()) {
    return cannot(
        fmt::format("{} {}:\n{}", shell_quoted(command.value()), end.timed_out ? "did not end" : "failed", end.output));
  }
  Result<model::ModelFile> file = model_of_findings(end.output, usual.value());
  if (file.ok()) print_notes(end.output, file.value());
  return file;
}

}  // namespace

Result<model::ModelFile> model_of_findings(const std::string& output, const model::MachineModel& usual) {
  model::ModelFile file;
  file.name = "measured";
  file.text = "measured by weir doctor --measure";
  file.machine = usual;
  for (const model::Field& field : model::fields()) {
    file.sources[fmt::format("{}.{}", field.part, field.name)] = "not measured: built in";
  }
  bool any = false;
  for (const std::string& text : split(output, '\n')) {
    const Line line = read_line(text);
    if (line.field == nullptr) continue;
    take(line, file);
    any = true;
  }
  if (!any) return cannot("nothing was measured:\n" + output);
  // Servers are measured together.
  file.machine.storage.servers = 1;
  for (const char* field : {"storage.behind_network", "locks.protocol"}) file.sources[field] = "the file system";
  file.sources["storage.servers"] = "storage.server_mb_s is that of all servers together";
  model::Memory& memory = file.machine.memory;
  memory.node_copy_mb_s = std::max(memory.node_copy_mb_s, memory.copy_mb_s);
  return file;
}

int measure(const MeasureOptions& options) {
  const Status writable = options.output.empty() ? Status() : check_output(options.output, {});
  const Result<model::ModelFile> file = writable.ok() ? measured_model(options) : Result<model::ModelFile>(writable);
  if (!file.ok()) {
    fmt::print(stderr, "weir doctor: {}\n", file.status().text());
    return kBadUsage;
  }
  const std::string text = model::write_model(file.value());
  if (options.output.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  const Status written = replace_file(options.output, text);
  if (written.ok()) return 0;
  fmt::print(stderr, "weir doctor: {}\n", written.text());
  return 1;
}

}  // namespace weir::tool::doctor
