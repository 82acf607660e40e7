// Reading workload specs.

#include <algorithm>

#include "hints/suggest.h"
#include "workloads/sizes.h"
#include "workloads/workload.h"

namespace bench {
namespace {

// ", did you mean X?" for the nearest of `named`; else the list of all names.
template <typename Named>
std::string help_with(std::string_view word, std::span<const Named> named) {
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3 + 1);
  std::string all;
  for (const Named& candidate : named) {
    all += (all.empty() ? "" : ", ") + std::string(candidate.name);
    const std::size_t mistakes = weir::hints::distance(word, candidate.name);
    if (mistakes >= fewest) continue;
    fewest = mistakes;
    best = candidate.name;
  }
  if (!best.empty()) return "; did you mean '" + std::string(best) + "'?";
  return all.empty() ? "; it has none" : "; there are " + all;
}

weir::Result<std::int64_t> number_in(std::string_view text, const Parameter& parameter) {
  const std::string name(parameter.name);
  const std::optional<std::int64_t> value = whole_number(text);
  if (!value) return refused(name + "=" + std::string(text) + " is not a whole number, or too large");
  if (*value < parameter.least) {
    return refused(name + "=" + std::string(text) + " is too small: use " + std::to_string(parameter.least) +
                   " or more");
  }
  return *value;
}

weir::Status take_parameter(WorkloadSpec& spec, std::string_view word) {
  const std::size_t sign = word.find('=');
  if (sign == word.npos) return refused("a parameter is KEY=VALUE, not '" + std::string(word) + "'");
  const std::string_view key = word.substr(0, sign);
  const std::string_view value = word.substr(sign + 1);
  const auto parameters = spec.workload->parameters;
  const auto row = std::ranges::find(parameters, key, &Parameter::name);
  if (row == parameters.end()) return refused("no parameter '" + std::string(key) + "'" + help_with(key, parameters));
  if (row->kind == ParameterKind::kPath) {
    spec.path = value;
    auto decomposition = read_decomposition(spec.path);
    if (!decomposition.ok()) return decomposition.status();
    spec.decomposition = std::make_shared<const Decomposition>(std::move(decomposition).value());
    return {};
  }
  const auto number = number_in(value, *row);
  if (!number.ok()) return number.status();
  if (!spec.given.emplace(key, number.value()).second) return refused(std::string(key) + " is given twice");
  return {};
}

}  // namespace

weir::Result<WorkloadSpec> parse_spec(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  WorkloadSpec spec{.workload = find_workload(name), .given = {}, .path = {}, .decomposition = nullptr};
  if (spec.workload == nullptr) {
    return refused("no workload '" + std::string(name) + "'" + help_with(name, all_workloads()));
  }
  for (std::size_t colon = name.size(); colon < text.size();) {
    const std::size_t next = std::min(text.find(':', colon + 1), text.size());
    const weir::Status status = take_parameter(spec, text.substr(colon + 1, next - colon - 1));
    if (!status.ok()) return refused(std::string(name) + ": " + status.text());
    colon = next;
  }
  return spec;
}

}  // namespace bench
