#include "report/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "whole_file.h"

namespace weir::tool::report {

namespace {

// Deeper than any results are; documents are walked by recursion.
constexpr int kDeepest = 32;

Status wrong(const std::string& path, const std::string& what) {
  return {ErrorClass::kArgument, fmt::format("{}: {}", path, what)};
}

std::string line_and_column(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t last_break = before.rfind('\n');
  const std::size_t column = last_break == std::string_view::npos ? position : position - last_break - 1;
  return fmt::format("line {}, column {}", line, column);
}

Status not_json(const std::string& path, std::string_view text, std::size_t position) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (position > last + 1) return wrong(path, "is cut off: the JSON in it has no end");
  return wrong(path, fmt::format("is not JSON: see {}", line_and_column(text, position)));
}

Result<Json> parse_json(const std::string& path, const std::string& text) {
  bool too_deep = false;
  const auto watch_depth = [&too_deep](int depth, Json::parse_event_t, const Json&) {
    too_deep = too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  try {
    Json document = Json::parse(text, watch_depth);
    if (too_deep) return wrong(path, fmt::format("is nested more than {} deep: no results of weir bench", kDeepest));
    return document;
  } catch (const Json::parse_error& error) {
    return not_json(path, text, error.byte);
  } catch (const Json::out_of_range&) {
    return wrong(path, "has a number that is too large");
  }
}

Status check_schema(const std::string& path, const Json& document) {
  const auto schema = document.is_object() ? document.find("schema") : document.end();
  if (schema == document.end() || !schema->is_string())
    return wrong(path, "is JSON, but no results of weir bench: it has no \"schema\"");
  const auto& found = schema->get_ref<const std::string&>();
  if (found == kSchema) return {};
  if (found.starts_with("weir-bench/"))
    return wrong(path, fmt::format("has results of the form {}; this weir reads {}", found, kSchema));
  return wrong(path, fmt::format("is of the schema '{}', not {}", found, kSchema));
}

bool is_measurement(const std::string& key) { return key == "cells" || key == "b_eff_io"; }

Json source_of(const Results& results) {
  Json source = {{"path", results.path}};
  for (const auto& [key, value] : results.document.items())
    if (!is_measurement(key)) source[key] = value;
  return source;
}

std::string title_of(const Json& sources) {
  std::vector<std::string> hosts;
  for (const Json& source : sources) {
    const std::string host = source.value("/machine/host"_json_pointer, std::string());
    if (!host.empty() && std::find(hosts.begin(), hosts.end(), host) == hosts.end()) hosts.push_back(host);
  }
  return hosts.empty() ? "weir bench" : fmt::format("weir bench on {}", fmt::join(hosts, ", "));
}

}  // namespace

Result<Results> parse_results(const std::string& path, const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return wrong(path, "is empty");
  Result<Json> document = parse_json(path, text);
  if (!document.ok()) return document.status();
  const Status schema = check_schema(path, document.value());
  if (!schema.ok()) return schema;
  const std::string fault = first_fault(document.value());
  if (!fault.empty()) return wrong(path, fault);
  return Results{path, std::move(document).value()};
}

Result<Results> read_results(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text.ok()) return text.status();
  return parse_results(path, text.value());
}

Json merge(const std::vector<Results>& all, const std::string& title) {
  Json merged = {{"title", title}, {"sources", Json::array()}, {"cells", Json::array()}, {"b_eff_io", Json::array()}};
  for (const Results& results : all) {
    const std::size_t number = merged["sources"].size();
    merged["sources"].push_back(source_of(results));
    for (const char* list : {"cells", "b_eff_io"}) {
      for (Json measurement : results.document[list]) {
        measurement["source"] = number;
        merged[list].push_back(std::move(measurement));
      }
    }
  }
  if (title.empty()) merged["title"] = title_of(merged["sources"]);
  return merged;
}

}  // namespace weir::tool::report
