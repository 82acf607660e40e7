#include "compare/hint_sets.h"

#include <fmt/format.h>

#include <array>
#include <map>

namespace weir::tool::compare {

namespace {

using nlohmann::json;

constexpr const char* kComparison = "shipping";
constexpr std::array kTypes = {"scatter", "shared", "separate", "segmented", "seg-coll"};
constexpr std::array kMethods = {"write", "rewrite", "read"};

struct Set {
  const char* name;        // as the paper calls it
  const char* largeblock;  // IBM_largeblock_io
};

constexpr std::array kSets = {Set{"baseline", "false"}, Set{"second", "true"}, Set{"third", "mixed"}};

using Values = std::map<std::string, double>;  // MB/s by type, and as "weighted"

Values values_of(const json& method) {
  Values values;
  for (const json& type : method.at("types")) values[type.at("name")] = type.at("value");
  if (method.contains("value")) values["weighted"] = method.at("value");
  return values;
}

// ((write + rewrite) / 2 + read) / 2, where all three are known.
Values average(const std::map<std::string, Values>& methods) {
  Values values;
  for (const auto& [column, write] : methods.at("write")) {
    if (!methods.at("rewrite").contains(column) || !methods.at("read").contains(column)) continue;
    values[column] = ((write + methods.at("rewrite").at(column)) / 2 + methods.at("read").at(column)) / 2;
  }
  return values;
}

// The rows of one set: by access method, and "average". `result` is that of a run with one partition.
std::map<std::string, Values> rows_of(const json& result) {
  std::map<std::string, Values> rows;
  for (const char* method : kMethods) rows[method] = {};
  for (const json& method : result.at("partitions").front().at("methods"))
    rows[method.at("method")] = values_of(method);
  rows["average"] = average(rows);
  return rows;
}

std::string cell_text(const Values& values, const char* column) {
  const auto found = values.find(column);
  return fmt::format("{:>11}", found == values.end() ? "-" : fmt::format("{:.0f}", found->second));
}

std::string line(const char* access, const Set& set, const Values& values) {
  std::string text = fmt::format("  {:<9}{:<10}{:<19}", access, set.name, set.largeblock);
  for (const char* type : kTypes) text += cell_text(values, type);
  return text + cell_text(values, "weighted") + "\n";
}

const json* result_of(const Group& group, const Set& set) {
  for (const Cell& cell : group.cells) {
    if (cell.variant.comparison == kComparison && cell.variant.label == set.name &&
        cell.outcome.facts.contains("result"))
      return &cell.outcome.facts.at("result");
  }
  return nullptr;
}

std::string table_2(const std::vector<std::pair<Set, const json*>>& results) {
  std::string text = fmt::format("  {:<9}{:<10}{:<19}", "access", "hints", "IBM_largeblock_io");
  for (const char* type : kTypes) text += fmt::format("{:>11}", type);
  text += fmt::format("{:>11}\n", "weighted");
  for (const char* access : {"write", "rewrite", "read", "average"}) {
    for (const auto& [set, result] : results) text += line(access, set, rows_of(*result).at(access));
  }
  return text;
}

std::string table_3(const std::vector<std::pair<Set, const json*>>& results) {
  std::string text = fmt::format("  {:<10}{:<19}{:>11}\n", "hints", "IBM_largeblock_io", "b_eff_io");
  for (const auto& [set, result] : results) {
    text += fmt::format("  {:<10}{:<19}{:>11.1f}{}\n", set.name, set.largeblock, result->value("value", 0.0),
                        result->value("comparable", false) ? "" : "  (not comparable)");
  }
  return text;
}

}  // namespace

std::vector<Variant> hint_sets() {
  std::vector<Variant> variants;
  for (const Set& set : kSets) {
    variants.push_back({.comparison = kComparison,
                        .label = set.name,
                        .x = std::nullopt,
                        .hints = {},
                        .parameters = {},
                        .ranks_per_node = 0,
                        .hints_file = fmt::format("b_eff_io/largeblock-{}.hints", set.largeblock)});
  }
  return variants;
}

std::string hint_set_tables(const Group& group) {
  std::vector<std::pair<Set, const json*>> results;
  for (const Set& set : kSets) {
    if (const json* result = result_of(group, set)) results.emplace_back(set, result);
  }
  if (results.empty()) return "";
  const Cell& cell = group.first();
  return fmt::format("\n{}, {} ranks, weir: the effect of hints, MB/s (the paper's tables 2 and 3)\n\n{}\n{}",
                     cell.host.version, cell.ranks, table_2(results), table_3(results));
}

}  // namespace weir::tool::compare
