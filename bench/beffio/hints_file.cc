#include "hints_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace beffio {
namespace {

using weir::ErrorClass;
using weir::Result;
using weir::Status;

Status wrong(std::string text) { return {ErrorClass::kArgument, std::move(text)}; }

template <typename Names>
std::string list_of(const Names& values) {
  std::string text;
  for (const auto value : values) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(value));
  return text;
}

// The value of this name; nothing for "*". Types may be numbers.
template <typename Value, std::size_t kCount>
Result<std::optional<Value>> find_name(const std::string& word, const std::array<Value, kCount>& values,
                                       std::string_view what) {
  if (word == "*") return std::optional<Value>();
  for (const Value value : values) {
    if (word == name(value)) return std::optional<Value>(value);
    if constexpr (std::is_same_v<Value, Type>) {
      if (word == std::to_string(number_of(value))) return std::optional<Value>(value);
    }
  }
  return wrong(fmt::format("no {} called '{}': use * or one of {}", what, word, list_of(values)));
}

Result<Hints> parse_hints(std::string_view text) {
  Hints hints;
  std::istringstream stream{std::string(text)};
  for (std::string hint; std::getline(stream, hint, ';');) {
    if (hint.empty()) continue;
    const std::size_t sign = hint.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == hint.size()) {
      return wrong(fmt::format("a hint is KEY=VALUE, not '{}'", hint));
    }
    hints.emplace_back(hint.substr(0, sign), hint.substr(sign + 1));
  }
  if (hints.empty()) return wrong("no hints");
  return hints;
}

void set(Hints& hints, const std::pair<std::string, std::string>& hint) {
  const auto found =
      std::find_if(hints.begin(), hints.end(), [&](const auto& other) { return other.first == hint.first; });
  if (found == hints.end()) {
    hints.push_back(hint);
  } else {
    found->second = hint.second;
  }
}

}  // namespace

Result<HintsFile::Rule> HintsFile::parse_rule(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string type, method, chunk, hints, more;
  if (!(words >> type >> method >> chunk >> hints) || words >> more) {
    return wrong("a line is TYPE METHOD CHUNK KEY=VALUE[;KEY=VALUE]..., four words");
  }
  Rule rule;
  const auto found_type = find_name(type, kAllTypes, "type");
  if (!found_type.ok()) return found_type.status();
  const auto found_method = find_name(method, kAllMethods, "method");
  if (!found_method.ok()) return found_method.status();
  rule.open_only = chunk == "open";
  const auto found_chunk = find_name(rule.open_only ? "*" : chunk, kAllChunks, "chunk size (nor \"open\")");
  if (!found_chunk.ok()) return found_chunk.status();
  auto found_hints = parse_hints(hints);
  if (!found_hints.ok()) return found_hints.status();
  rule.type = found_type.value();
  rule.method = found_method.value();
  rule.chunk = found_chunk.value();
  rule.hints = std::move(found_hints).value();
  return rule;
}

Result<HintsFile> HintsFile::parse(std::string_view text) {
  HintsFile file;
  std::istringstream stream{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    line.resize(std::min(line.size(), line.find('#')));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto rule = parse_rule(line);
    if (!rule.ok()) return wrong(fmt::format("line {}: {}", number, rule.status().text()));
    file.rules_.push_back(std::move(rule).value());
  }
  return file;
}

template <typename Matches>
Hints HintsFile::collect(Type type, Method method, Matches matches) const {
  Hints hints;
  for (const Rule& rule : rules_) {
    if (rule.type.value_or(type) != type || rule.method.value_or(method) != method || !matches(rule)) continue;
    for (const auto& hint : rule.hints) set(hints, hint);
  }
  return hints;
}

Hints HintsFile::at_open(Type type, Method method) const {
  return collect(type, method, [](const Rule& rule) { return !rule.chunk; });
}

Hints HintsFile::for_chunk(Type type, Method method, Chunk chunk) const {
  return collect(type, method,
                 [chunk](const Rule& rule) { return !rule.open_only && rule.chunk.value_or(chunk) == chunk; });
}

std::string text_of(const Hints& hints) {
  std::string text;
  for (const auto& [key, value] : hints) text += fmt::format("{}{}={}", text.empty() ? "" : ";", key, value);
  return text;
}

}  // namespace beffio
