#include <fmt/format.h>

#include <cstdint>
#include <span>

#include "report/results.h"

namespace weir::tool::report {

namespace {

using Json = nlohmann::ordered_json;

enum class Kind : std::uint8_t { kText, kNumber, kBoolean, kNumbers, kTexts, kObject, kObjects };

struct Field {
  const char* name;
  Kind kind;
  bool required = false;
  std::span<const Field> inside = {};  // of an object, or of each object of a list
};

constexpr bool kRequired = true;

constexpr Field kPattern[] = {
    {"number", Kind::kNumber},    {"chunk_bytes", Kind::kNumber, kRequired},
    {"units", Kind::kNumber},     {"memory_bytes", Kind::kNumber},
    {"label", Kind::kText},       {"bytes", Kind::kNumber},
    {"seconds", Kind::kNumber},   {"calls", Kind::kNumber},
    {"bandwidth", Kind::kNumber}, {"hints", Kind::kText},
};
constexpr Field kType[] = {
    {"type", Kind::kNumber, kRequired}, {"name", Kind::kText},      {"value", Kind::kNumber},
    {"bytes", Kind::kNumber},           {"seconds", Kind::kNumber}, {"patterns", Kind::kObjects, kRequired, kPattern},
};
constexpr Field kMethod[] = {
    {"method", Kind::kText, kRequired},
    {"value", Kind::kNumber},
    {"types", Kind::kObjects, kRequired, kType},
};
constexpr Field kPartition[] = {
    {"ranks", Kind::kNumber, kRequired}, {"name", Kind::kText},         {"value", Kind::kNumber},
    {"write_value", Kind::kNumber},      {"read_value", Kind::kNumber}, {"methods", Kind::kObjects, kRequired, kMethod},
};
constexpr Field kResult[] = {
    {"release", Kind::kText},       {"seconds", Kind::kNumber},
    {"comparable", Kind::kBoolean}, {"not_comparable_because", Kind::kTexts},
    {"value", Kind::kNumber},       {"settings", Kind::kObject},
    {"warnings", Kind::kTexts},     {"partitions", Kind::kObjects, kRequired, kPartition},
};
constexpr Field kBeffio[] = {
    {"mpi", Kind::kText, kRequired},
    {"mpi_version", Kind::kText},
    {"peer", Kind::kText, kRequired},
    {"ranks", Kind::kNumber},
    {"hints", Kind::kText},
    {"failed", Kind::kText},
    {"result", Kind::kObject, false, kResult},
};
constexpr Field kBreakdown[] = {
    {"inspect", Kind::kNumber}, {"copy", Kind::kNumber}, {"exchange", Kind::kNumber},
    {"file", Kind::kNumber},    {"wait", Kind::kNumber},
};
constexpr Field kCell[] = {
    {"workload", Kind::kText, kRequired},
    {"parameters", Kind::kObject},
    {"direction", Kind::kText, kRequired},
    {"mpi", Kind::kText, kRequired},
    {"mpi_version", Kind::kText},
    {"peer", Kind::kText, kRequired},
    {"comparison", Kind::kText},
    {"variant", Kind::kText},
    {"x", Kind::kNumber},
    {"hints", Kind::kText},
    {"ranks", Kind::kNumber, kRequired},
    {"ranks_per_node", Kind::kNumber},
    {"nodes", Kind::kNumber},
    {"directory", Kind::kText},
    {"file_system", Kind::kText},
    {"bytes", Kind::kNumber},
    {"seconds", Kind::kNumbers},
    {"whole_seconds", Kind::kNumbers},
    {"block_seconds", Kind::kNumbers},
    {"block_whole_seconds", Kind::kNumbers},
    {"median", Kind::kNumber},
    {"spread", Kind::kNumber},
    {"block_median", Kind::kNumber},
    {"ratio", Kind::kNumber},
    {"bandwidth", Kind::kNumber},
    {"verified", Kind::kBoolean},
    {"failed", Kind::kText},
    {"note", Kind::kText},
    {"breakdown", Kind::kObject, false, kBreakdown},
    {"predicted_seconds", Kind::kNumbers},
    {"predicted_of_measured", Kind::kNumber},
};
constexpr Field kMachine[] = {
    {"host", Kind::kText},           {"cpu", Kind::kText},    {"cores", Kind::kNumber},
    {"memory_bytes", Kind::kNumber}, {"kernel", Kind::kText},
};
constexpr Field kDocument[] = {
    {"command", Kind::kText},
    {"created", Kind::kText},
    {"weir", Kind::kText},
    {"machine", Kind::kObject, false, kMachine},
    {"options", Kind::kObject},
    {"complete", Kind::kBoolean},
    {"cells", Kind::kObjects, kRequired, kCell},
    {"b_eff_io", Kind::kObjects, kRequired, kBeffio},
};

std::string fault_in_object(const Json& object, std::span<const Field> fields, const std::string& place);

bool is_list(Kind kind) { return kind == Kind::kNumbers || kind == Kind::kTexts || kind == Kind::kObjects; }

// The kind of each entry of a list; of anything else, its own.
Kind entry_kind(Kind kind) {
  switch (kind) {
    case Kind::kNumbers: return Kind::kNumber;
    case Kind::kTexts: return Kind::kText;
    case Kind::kObjects: return Kind::kObject;
    default: return kind;
  }
}

std::string fault_in_value(const Json& value, Kind kind, std::span<const Field> inside, const std::string& place) {
  switch (kind) {
    case Kind::kText: return value.is_string() ? "" : place + " should be a text";
    case Kind::kNumber: return value.is_number() ? "" : place + " should be a number";
    case Kind::kBoolean: return value.is_boolean() ? "" : place + " should be true or false";
    default: return value.is_object() ? fault_in_object(value, inside, place + ".") : place + " should be an object";
  }
}

std::string fault_in_field(const Json& value, const Field& field, const std::string& place) {
  if (!is_list(field.kind)) return fault_in_value(value, field.kind, field.inside, place);
  if (!value.is_array()) return place + " should be a list";
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::string fault = fault_in_value(value[i], entry_kind(field.kind), field.inside, fmt::format("{}[{}]", place, i));
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string fault_in_object(const Json& object, std::span<const Field> fields, const std::string& place) {
  for (const Field& field : fields) {
    const auto found = object.find(field.name);
    const bool is_there = found != object.end() && !found->is_null();
    if (!is_there && !field.required) continue;
    if (!is_there) return place + field.name + " is missing";
    std::string fault = fault_in_field(*found, field, place + field.name);
    if (!fault.empty()) return fault;
  }
  return "";
}

}  // namespace

std::string first_fault(const Json& document) { return fault_in_object(document, kDocument, ""); }

}  // namespace weir::tool::report
