#include "json.h"

#include <nlohmann/json.hpp>

#include "judge.h"
#include "values.h"

namespace beffio {
namespace {

using Json = nlohmann::ordered_json;

void set_if_known(Json& object, const char* key, std::optional<double> value) {
  if (value) object[key] = *value;
}

const char* name(Ending ending) {
  switch (ending) {
    case Ending::kTime: return "time";
    case Ending::kAmount: return "amount";
    case Ending::kLateTime: return "late";
    case Ending::kSpace: return "space";
  }
  return "";
}

Json json_of(const PatternResult& result) {
  return {{"number", result.pattern.number},
          {"chunk_bytes", result.pattern.chunk_bytes},
          {"memory_bytes", result.pattern.memory_bytes},
          {"units", result.pattern.units},
          {"label", label(result.pattern)},
          {"bytes", result.bytes},
          {"seconds", result.seconds},
          {"calls", result.calls},
          {"bandwidth", bandwidth(result.bytes, result.seconds)},
          {"hints", result.hints},
          {"ended_by", name(result.ending)}};
}

Json json_of(const TypeResult& result) {
  Json object = {{"type", number_of(result.type)}, {"name", std::string(name(result.type))},
                 {"value", value_of(result)},      {"bytes", result.bytes},
                 {"seconds", result.seconds},      {"hints", result.hints},
                 {"patterns", Json::array()}};
  for (const PatternResult& pattern : result.patterns) object["patterns"].push_back(json_of(pattern));
  return object;
}

Json json_of(const MethodResult& result) {
  Json object = {{"method", std::string(name(result.method))}};
  set_if_known(object, "value", value_of(result));
  object["types"] = Json::array();
  for (const TypeResult& type : result.types) object["types"].push_back(json_of(type));
  return object;
}

Json json_of(const PartitionResult& result, Release release) {
  Json object = {{"ranks", result.partition.ranks}, {"name", result.partition.name}};
  const PartitionValue value = value_of(result, release);
  set_if_known(object, "value", value.both);
  set_if_known(object, "write_value", value.write);
  set_if_known(object, "read_value", value.read);
  object["methods"] = Json::array();
  for (const MethodResult& method : result.methods) object["methods"].push_back(json_of(method));
  return object;
}

template <typename Values>
Json names_of(const Values& values) {
  Json names = Json::array();
  for (const auto value : values) names.push_back(std::string(name(value)));
  return names;
}

Json json_of(const Settings& settings) {
  return {{"ranks", settings.ranks},
          {"nodes", settings.nodes},
          {"ranks_per_node", settings.ranks_per_node},
          {"memory_of_node_bytes", settings.memory_of_node_bytes},
          {"mpart_bytes", settings.mpart_bytes},
          {"mpart_chosen", settings.mpart_chosen},
          {"partitions_chosen", settings.partitions_chosen},
          {"types", names_of(settings.types)},
          {"methods", names_of(settings.methods)},
          {"rewrite_all", settings.release == Release::kOne || settings.rewrite_all},
          {"sync", settings.sync},
          {"verify", settings.verify},
          {"space_bytes", settings.space_bytes},
          {"striping_unit", settings.striping_unit},
          {"directory", settings.directory},
          {"file_system", settings.file_system},
          {"mpi", settings.mpi},
          {"system", settings.system},
          {"date", settings.date}};
}

}  // namespace

std::string json_text(const Report& report) {
  const std::vector<std::string> reasons = not_comparable_because(report);
  Json object = {{"release", name(report.settings.release)},
                 {"seconds", report.settings.seconds},
                 {"comparable", reasons.empty()},
                 {"not_comparable_because", reasons}};
  set_if_known(object, "value", value_of(report));
  object["settings"] = json_of(report.settings);
  object["warnings"] = warnings(report);
  object["partitions"] = Json::array();
  for (const PartitionResult& partition : report.partitions) {
    object["partitions"].push_back(json_of(partition, report.settings.release));
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace beffio
