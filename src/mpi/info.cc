#include "mpi/info.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/guarded.h"
#include "comm/mpi/host.h"
#include "hints/sources.h"
#include "sys/environment.h"

namespace weir::mpi {

namespace {

void add_complaints(exec::HintSources& sources, const char* origin, const std::vector<std::string>& complaints) {
  for (const std::string& complaint : complaints) {
    sources.complaints.push_back(fmt::format("{}: {}", origin, complaint));
  }
}

void read_hint_file(exec::HintSources& sources) {
  const char* path = sys::environment("ROMIO_HINTS");
  if (path == nullptr) return;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file.is_open()) {
    sources.complaints.push_back(fmt::format("ROMIO_HINTS names '{}', which cannot be read", path));
    return;
  }
  hints::ParsedPairs parsed = hints::parse_hint_file(text.str());
  sources.file = std::move(parsed.pairs);
  add_complaints(sources, "ROMIO_HINTS", parsed.complaints);
}

void read_hint_list(exec::HintSources& sources) {
  const char* list = sys::environment("WEIR_HINTS");
  if (list == nullptr) return;
  hints::ParsedPairs parsed = hints::parse_hint_list(list);
  sources.command_line = std::move(parsed.pairs);
  add_complaints(sources, "WEIR_HINTS", parsed.complaints);
}

}  // namespace

std::optional<std::string> value_of(MPI_Info info, const char* key) {
  const host::Extras& host = host::extras();
  int length = 0;  // with the terminator
  int found = 0;
  if (host.Info_get_string != nullptr) {
    char none = '\0';  // not written, but MPICH wants a place
    if (host.Info_get_string(info, key, &length, &none, &found) != MPI_SUCCESS || found == 0) return std::nullopt;
  } else {
    if (host.Info_get_valuelen(info, key, &length, &found) != MPI_SUCCESS || found == 0) return std::nullopt;
    ++length;
  }
  std::string value(static_cast<std::size_t>(length), '\0');
  const int error = host.Info_get_string != nullptr ? host.Info_get_string(info, key, &length, value.data(), &found)
                                                    : host.Info_get(info, key, length - 1, value.data(), &found);
  if (error != MPI_SUCCESS || found == 0) return std::nullopt;
  value.resize(std::strlen(value.c_str()));
  return value;
}

Result<hints::Pairs> pairs_of(MPI_Info info) {
  hints::Pairs pairs;
  int keys = 0;
  if (info == MPI_INFO_NULL) return pairs;
  // Zero names no info anywhere, and not every host looks.
  if (info == MPI_Info{} || PMPI_Info_get_nkeys(info, &keys) != MPI_SUCCESS) {
    return Status(ErrorClass::kInfo, "the info object is none that the MPI library knows");
  }
  for (int i = 0; i < keys; ++i) {
    char key[MPI_MAX_INFO_KEY + 1] = "";
    if (PMPI_Info_get_nthkey(info, i, key) != MPI_SUCCESS) continue;
    if (std::optional<std::string> value = value_of(info, key)) pairs.emplace_back(key, std::move(*value));
  }
  return pairs;
}

MPI_Info info_of(const hints::Pairs& pairs) {
  MPI_Info info = MPI_INFO_NULL;
  if (PMPI_Info_create(&info) != MPI_SUCCESS) return MPI_INFO_NULL;
  for (const hints::Pair& pair : pairs) PMPI_Info_set(info, pair.first.c_str(), pair.second.c_str());
  return info;
}

exec::HintSources hint_sources(MPI_Info info, Status refused) {
  exec::HintSources sources = changed_hints(info);
  Status read = guarded([&]() -> Status {
    read_hint_file(sources);
    const char* report = sys::environment("WEIR_REPORT");
    if (report != nullptr) sources.report = report;
    return {};
  });
  sources.refused = std::move(refused).or_else(std::move(sources.refused)).or_else(std::move(read));
  return sources;
}

exec::HintSources changed_hints(MPI_Info info) {
  exec::HintSources sources;
  sources.refused = guarded([&]() -> Status {
    Result<hints::Pairs> pairs = pairs_of(info);
    if (!pairs.ok()) return pairs.status();
    sources.info = std::move(pairs).value();
    read_hint_list(sources);
    return {};
  });
  return sources;
}

}  // namespace weir::mpi
