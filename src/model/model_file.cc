#include "model/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "hints/suggest.h"
#include "model/fields.h"

namespace weir::model {

namespace {

using Json = nlohmann::ordered_json;

constexpr LockProtocol kProtocols[] = {LockProtocol::kNone, LockProtocol::kServer, LockProtocol::kToken};

Status wrong(std::string text) { return Status(ErrorClass::kArgument, std::move(text)); }

std::string path_of(const Field& field) { return fmt::format("{}.{}", field.part, field.name); }

// Units at the ends of names are easily forgotten.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const auto longer =
      std::ranges::find_if(known, [&](const std::string& name) { return name.starts_with(fmt::format("{}_", word)); });
  const std::string near = longer != known.end() ? *longer : hints::nearest(word, known);
  return near.empty() ? "" : fmt::format(" (did you mean {}?)", near);
}

std::vector<std::string> names_of_part(std::string_view part) {
  std::vector<std::string> names;
  for (const Field& field : fields()) {
    if (field.part == part) names.emplace_back(field.name);
  }
  return names;
}

std::vector<std::string> top_names() {
  std::vector<std::string> names = {"name", "text", "sources"};
  for (const Field& field : fields()) {
    if (names.back() != field.part) names.emplace_back(field.part);
  }
  return names;
}

// Names that the model does not have.
Status find_unknown(const Json& json) {
  const std::vector<std::string> known = top_names();
  for (const auto& [name, value] : json.items()) {
    if (std::ranges::find(known, name) == known.end()) {
      return wrong(fmt::format("unknown field {}{}", name, did_you_mean(name, known)));
    }
    if (name == "name" || name == "text" || name == "sources") continue;
    if (!value.is_object()) return wrong(fmt::format("{} has to be an object of fields", name));
    for (const auto& [inner, unused] : value.items()) {
      if (find_field(name, inner) != nullptr) continue;
      return wrong(fmt::format("unknown field {}.{}{}", name, inner, did_you_mean(inner, names_of_part(name))));
    }
  }
  return {};
}

std::optional<double> protocol_of(const Json& value) {
  for (const LockProtocol protocol : kProtocols) {
    if (value.is_string() && value.get<std::string>() == name(protocol)) return static_cast<double>(protocol);
  }
  return std::nullopt;
}

std::optional<double> number_of(const Field& field, const Json& value) {
  switch (field.kind) {
    case FieldKind::kYesNo: return value.is_boolean() ? std::optional<double>(value.get<bool>()) : std::nullopt;
    case FieldKind::kProtocol: return protocol_of(value);
    case FieldKind::kAmount:
    case FieldKind::kCount: break;
  }
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

std::string kind_text(const Field& field) {
  switch (field.kind) {
    case FieldKind::kYesNo: return "true or false";
    case FieldKind::kProtocol: return "\"none\", \"server\" or \"token\"";
    case FieldKind::kCount: return fmt::format("a whole number from {} to {}", field.least, field.most);
    case FieldKind::kAmount: break;
  }
  return fmt::format("a number from {} to {}", field.least, field.most);
}

Status read_field(const Field& field, const Json& json, MachineModel& machine) {
  const auto part = json.find(field.part);
  if (part == json.end() || !part->contains(field.name)) {
    return wrong(fmt::format("{} is missing: {}, {}", path_of(field), field.text, kind_text(field)));
  }
  const Json& value = (*part)[std::string(field.name)];
  const std::optional<double> number = number_of(field, value);
  if (!number || !possible(field, *number)) {
    return wrong(
        fmt::format("{} is {}, but has to be {}: {}", path_of(field), value.dump(), kind_text(field), field.text));
  }
  field.set(machine, *number);
  return {};
}

Status read_text(const Json& json, const char* name, std::string& text) {
  if (!json.contains(name)) return {};
  if (!json[name].is_string()) return wrong(fmt::format("{} has to be text", name));
  text = json[name].get<std::string>();
  return {};
}

Status read_sources(const Json& json, ModelFile& file) {
  if (!json.contains("sources")) return {};
  if (!json["sources"].is_object()) return wrong("sources has to be an object with a text for each field");
  std::vector<std::string> paths;
  for (const Field& field : fields()) paths.push_back(path_of(field));
  for (const auto& [path, source] : json["sources"].items()) {
    if (std::ranges::find(paths, path) == paths.end()) {
      return wrong(fmt::format("sources names {}, which is no field{}", path, did_you_mean(path, paths)));
    }
    if (!source.is_string()) return wrong(fmt::format("the source of {} has to be text", path));
    file.sources[path] = source.get<std::string>();
  }
  return {};
}

Json value_of(const Field& field, const MachineModel& machine) {
  const double value = field.get(machine);
  switch (field.kind) {
    case FieldKind::kYesNo: return value != 0;
    case FieldKind::kProtocol: return std::string(name(machine.locks.protocol));
    case FieldKind::kCount: return static_cast<std::int64_t>(value);
    case FieldKind::kAmount: break;
  }
  const bool whole = value == static_cast<double>(static_cast<std::int64_t>(value));
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

}  // namespace

Result<ModelFile> read_model(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return wrong("no JSON: a bracket, comma or quotation mark is missing or too many");
  if (!json.is_object()) return wrong("a machine model is a JSON object");
  ModelFile file;
  Status status = find_unknown(json);
  for (const Field& field : fields()) {
    if (status.ok()) status = read_field(field, json, file.machine);
  }
  if (status.ok()) status = read_text(json, "name", file.name);
  if (status.ok()) status = read_text(json, "text", file.text);
  if (status.ok()) status = read_sources(json, file);
  if (!status.ok()) return status;
  if (const std::string problem = impossible(file.machine); !problem.empty()) return wrong(problem);
  return file;
}

std::string write_model(const ModelFile& file) {
  Json json;
  json["name"] = file.name;
  json["text"] = file.text;
  for (const Field& field : fields()) {
    json[std::string(field.part)][std::string(field.name)] = value_of(field, file.machine);
  }
  for (const Field& field : fields()) {
    const auto source = file.sources.find(path_of(field));
    if (source != file.sources.end()) json["sources"][source->first] = source->second;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weir::model
