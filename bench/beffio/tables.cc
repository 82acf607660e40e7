#include "tables.h"

#include <fmt/format.h>

#include <optional>

#include "judge.h"
#include "values.h"

namespace beffio {
namespace {

constexpr const char* kNothing = "-";

std::string number(std::optional<double> value) { return value ? fmt::format("{:.1f}", *value) : kNothing; }

std::string cell(std::optional<double> value) { return fmt::format("{:>11}", number(value)); }

const TypeResult* find_type(const MethodResult& method, Type type) {
  for (const TypeResult& result : method.types) {
    if (result.type == type) return &result;
  }
  return nullptr;
}

// The bandwidth of the type's measured pattern of this label.
std::optional<double> pattern_value(const TypeResult* type, const std::string& pattern_label) {
  if (type == nullptr) return std::nullopt;
  for (const PatternResult& result : type->patterns) {
    if (result.pattern.units > 0 && label(result.pattern) == pattern_label) {
      return bandwidth(result.bytes, result.seconds);
    }
  }
  return std::nullopt;
}

std::string column_heads(const char* first) {
  std::string line = fmt::format("  {:<12}", first);
  for (const Type type : kAllTypes) line += fmt::format("{:>11}", name(type));
  return line;
}

std::string chunk_line(const MethodResult& method, const std::string& pattern_label) {
  std::string line = fmt::format("  {:<12}", pattern_label);
  for (const Type type : kAllTypes) line += cell(pattern_value(find_type(method, type), pattern_label));
  return line + "\n";
}

std::string type_values_line(const MethodResult& method, const char* first) {
  std::string line = fmt::format("  {:<12}", first);
  for (const Type type : kAllTypes) {
    const TypeResult* result = find_type(method, type);
    line += cell(result != nullptr ? std::optional(value_of(*result)) : std::nullopt);
  }
  return line;
}

std::string hints_lines(const MethodResult& method) {
  std::string text;
  for (const TypeResult& type : method.types) {
    if (!type.hints.empty()) text += fmt::format("  hints of {} at open: {}\n", name(type.type), type.hints);
    for (const PatternResult& result : type.patterns) {
      if (result.hints.empty() || result.hints == type.hints) continue;
      text += fmt::format("  hints of {}, {}: {}\n", name(type.type), label(result.pattern), result.hints);
    }
  }
  return text;
}

std::string method_table(const MethodResult& method, std::int64_t mpart_bytes) {
  std::string text = fmt::format("{}\n", column_heads(std::string(name(method.method)).c_str()));
  for (const Pattern& pattern : patterns_of(Type::kScatter, mpart_bytes)) {
    if (pattern.units > 0) text += chunk_line(method, label(pattern));
  }
  text += type_values_line(method, "open-close") + "\n";
  return text + hints_lines(method) + "\n";
}

std::string partition_tables(const PartitionResult& partition, const Settings& settings) {
  std::string text = fmt::format("Partition {}: {} ranks, MB/s by chunk size and pattern type\n\n",
                                 partition.partition.name, partition.partition.ranks);
  for (const MethodResult& method : partition.methods) text += method_table(method, settings.mpart_bytes);
  text += column_heads("access") + fmt::format("{:>11}\n", "weighted");
  for (const MethodResult& method : partition.methods) {
    text += type_values_line(method, std::string(name(method.method)).c_str()) + cell(value_of(method)) + "\n";
  }
  const PartitionValue value = value_of(partition, settings.release);
  text += fmt::format("\n  writing {} MB/s, reading {} MB/s, b_eff_io of this partition {} MB/s\n\n",
                      number(value.write), number(value.read), number(value.both));
  return text;
}

std::string yes_no(bool value) { return value ? "yes" : "no"; }

std::string settings_lines(const Settings& s) {
  const auto megabytes = [](std::int64_t bytes) { return bytes / kMegabyte; };
  std::string text = fmt::format("b_eff_io, release {}, T = {:g} s, {}\n", name(s.release), s.seconds, s.date);
  text += fmt::format("  {} ranks on {} node(s), up to {} on one, memory of a node {} MB, MPART {} MB{}\n", s.ranks,
                      s.nodes, s.ranks_per_node, megabytes(s.memory_of_node_bytes), megabytes(s.mpart_bytes),
                      s.mpart_chosen ? " (by hand)" : "");
  text += fmt::format("  files in {} ({}), at most {} MB together, striping unit {}\n", s.directory, s.file_system,
                      megabytes(s.space_bytes), s.striping_unit > 0 ? std::to_string(s.striping_unit) : "not known");
  text += fmt::format("  sync in the timed part: {}; all types rewritten: {}; data verified: {}\n", yes_no(s.sync),
                      yes_no(s.release == Release::kOne || s.rewrite_all), yes_no(s.verify));
  return text + fmt::format("  {}\n  {}\n  sizes: 1 MB = 1048576 bytes; bandwidth: MB/s = 10^6 bytes per second\n\n",
                            s.mpi, s.system);
}

std::string verdict_lines(const Report& report) {
  std::string text;
  for (const std::string& warning : warnings(report)) text += fmt::format("  warning: {}\n", warning);
  const std::vector<std::string> reasons = not_comparable_because(report);
  const PartitionResult* best = best_partition(report);
  if (best == nullptr) {
    text += "  b_eff_io: no value, because it needs both writing and reading";
  } else {
    text += fmt::format("  b_eff_io = {:.3f} MB/s on {} ranks, T = {:g} s", *value_of(report), best->partition.ranks,
                        report.settings.seconds);
  }
  text += reasons.empty() ? "\n" : "  *** NOT COMPARABLE ***\n";
  for (const std::string& reason : reasons) text += fmt::format("    not comparable: {}\n", reason);
  return text;
}

}  // namespace

std::string tables(const Report& report) {
  std::string text = settings_lines(report.settings);
  for (const PartitionResult& partition : report.partitions) text += partition_tables(partition, report.settings);
  return text + "Largest value of all partitions\n\n" + verdict_lines(report);
}

}  // namespace beffio
