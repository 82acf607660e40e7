#include "compare/beffio.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compare/measured.h"
#include "data_file.h"
#include "reproduce/live/live.h"

namespace weir::tool::reproduce {

namespace {

using nlohmann::json;

constexpr std::int64_t kSmallest = 1024;
constexpr double kShipping = 20;  // seconds of a run
constexpr double kChunks = 30;

// What b_eff_io said of one set of hints.
struct Values {
  double value = 0;                                               // b_eff_io
  std::map<std::string, std::map<std::string, double>> types;     // MB/s by method and type
  std::map<std::string, std::map<std::string, double>> smallest;  // and of these, at 1 kB a chunk
};

Values values_of(const json& result) {
  Values values;
  values.value = result.value("value", 0.0);
  for (const json& method : result.at("partitions").front().at("methods")) {
    for (const json& type : method.at("types")) {
      const auto name = type.at("name").get<std::string>();
      const auto access = method.at("method").get<std::string>();
      values.types[access][name] = type.at("value");
      for (const json& pattern : type.at("patterns")) {
        if (pattern.at("chunk_bytes") == kSmallest) values.smallest[access][name] = pattern.at("bandwidth");
      }
    }
  }
  return values;
}

compare::BenchOptions options_of(const Setting& setting, double seconds) {
  compare::BenchOptions options;
  options.workloads = {compare::kBeffio};
  options.against = {"weir"};
  options.time = seconds;
  options.beffio_words = "--partitions 4 --mpart 2097152";
  options.directory = setting.directory;
  return options;
}

// By label of the way.
Result<std::map<std::string, Values>> measure_beffio(const compare::BenchOptions& options) {
  const auto groups = compare::measured(options);
  if (!groups.ok()) return groups.status();
  std::map<std::string, Values> values;
  for (const compare::Cell& cell : groups.value().front().cells) {
    const bool wanted = options.methods.empty() || !cell.variant.label.empty();
    if (!wanted) continue;
    if (!cell.outcome.failed.empty()) return cannot(compare::label_of(cell) + ": " + cell.outcome.failed);
    values[cell.variant.label] = values_of(cell.outcome.facts.at("result"));
  }
  return values;
}

std::string words_of(const std::map<std::string, double>& types) {
  std::vector<std::string> words;
  for (const auto& [name, value] : types) words.push_back(fmt::format("{} {:.0f}", name, value));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

Finding beffio_shipping(const Setting& setting) {
  compare::BenchOptions options = options_of(setting, kShipping);
  options.methods = {"shipping"};
  const auto sets = measure_beffio(options);
  if (!sets.ok()) return not_run(sets.status().text());
  const auto value = [&](const char* set, const char* access, const char* type) {
    return sets.value().at(set).types.at(access).at(type);
  };
  bool segments_gain = true;
  std::vector<std::string> words;
  for (const char* access : {"write", "read"}) {
    segments_gain = segments_gain && value("second", access, "seg-coll") > 2 * value("baseline", access, "seg-coll");
    words.push_back(fmt::format(
        "seg-coll {} {:.0f} with shipping, {:.0f} without; scatter {} {:.0f}, {:.0f}, mixed {:.0f}", access,
        value("baseline", access, "seg-coll"), value("second", access, "seg-coll"), access,
        value("baseline", access, "scatter"), value("second", access, "scatter"), value("third", access, "scatter")));
  }
  const double mixed = sets.value().at("third").value;
  const double with = sets.value().at("baseline").value;
  const double without = sets.value().at("second").value;
  return found(segments_gain && mixed > std::max(with, without),
               fmt::format("MB/s: {}; b_eff_io {:.0f} with shipping, {:.0f} without, {:.0f} mixed",
                           fmt::join(words, "; "), with, without, mixed));
}

Finding beffio_chunks(const Setting& setting) {
  compare::BenchOptions options = options_of(setting, kChunks);
  options.hints_file = find_data_file(own_directory(), "b_eff_io/largeblock-false.hints");
  const auto sets = measure_beffio(options);
  if (!sets.ok()) return not_run(sets.status().text());
  bool holds = true;
  std::vector<std::string> words;
  for (const char* access : {"write", "read"}) {
    const auto& types = sets.value().begin()->second.smallest.at(access);
    const bool scatter_best =
        std::ranges::all_of(types, [&](const auto& type) { return type.second <= types.at("scatter"); });
    holds = holds && scatter_best && types.at("segmented") > 10 * types.at("seg-coll");
    words.push_back(fmt::format("{}: {}", access, words_of(types)));
  }
  return found(holds, fmt::format("MB/s at 1 kB a chunk, with shipping: {}", fmt::join(words, "; ")));
}

}  // namespace weir::tool::reproduce
