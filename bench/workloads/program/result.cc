#include "workloads/program/result.h"

#include <mpi.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "driver/mount.h"
#include "workloads/program/job.h"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(Verdict verdict) {
  if (verdict == Verdict::kNotChecked) return nullptr;
  return verdict == Verdict::kRight;
}

Json parameters_of(const Settled& settled) {
  Json parameters = settled.values;
  if (!settled.spec.path.empty()) parameters["file"] = settled.spec.path;
  return parameters;
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string all = text.data();
  return all.substr(0, all.find('\n'));
}

// What differs from what was asked for; empty if nothing.
std::string note_of(const Options& options, const Measurement& measurement) {
  if (options.bytes == 0 || options.bytes == measurement.bytes) return {};
  return "moves " + std::to_string(measurement.bytes) + " bytes, not " + std::to_string(options.bytes);
}

}  // namespace

Surroundings look_around(const std::string& directory) {
  const auto mount = weir::driver::mount_of(directory);
  return {.nodes = node_count(), .file_system = mount.ok() ? mount.value().type : "unknown", .mpi = mpi_library()};
}

std::string json_line(const Settled& settled, const Options& options, const Measurement& measurement,
                      const Surroundings& surroundings) {
  const Json result = {{"workload", settled.spec.workload->name},
                       {"parameters", parameters_of(settled)},
                       {"direction", name_of(options.direction)},
                       {"ranks", settled.shape.ranks},
                       {"nodes", surroundings.nodes},
                       {"bytes", measurement.bytes},
                       {"file_bytes", measurement.file_bytes},
                       {"calls", measurement.calls},
                       {"seed", seed_of(settled)},
                       {"seconds", measurement.times.calls},
                       {"whole_seconds", measurement.times.whole},
                       {"block_seconds", measurement.block.calls},
                       {"block_whole_seconds", measurement.block.whole},
                       {"verified", json_of(measurement.verdict)},
                       {"note", note_of(options, measurement)},
                       {"file_system", surroundings.file_system},
                       {"hints", measurement.hints},
                       {"mpi", surroundings.mpi}};
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void show(const std::string& line, const std::string& json) {
  std::FILE* file = json.empty() ? stdout : std::fopen(json.c_str(), "a");
  if (file == nullptr) throw JobFailure("cannot append to " + json);
  const bool written = std::fprintf(file, "%s\n", line.c_str()) >= 0 && std::fflush(file) == 0;
  if (!json.empty()) std::fclose(file);
  if (!written) throw JobFailure("cannot append to " + json);
}

}  // namespace bench
