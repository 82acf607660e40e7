#include "reproduce/page.h"

#include <nlohmann/json.hpp>

#include "data_file.h"
#include "report/page.h"
#include "whole_file.h"

namespace weir::tool::reproduce {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Series& series) {
  Json points = Json::array();
  for (const Point& point : series.points) points.push_back({point.x, point.y});
  return {{"name", series.name}, {"by_weir", series.by_weir}, {"points", points}};
}

Json json_of(const Chart& chart) {
  Json series = Json::array();
  for (const Series& each : chart.series) series.push_back(json_of(each));
  return {{"title", chart.title},
          {"kind", chart.kind == ChartKind::kLines ? "lines" : "stacked"},
          {"x", chart.x},
          {"y", chart.y},
          {"series", series}};
}

Json json_of(const Shown& shown) {
  const Claim& claim = *shown.claim;
  Json parts = Json::array();
  for (std::size_t i = 0; i < claim.parts.size(); ++i) {
    const Finding& finding = shown.findings[i];
    Json charts = Json::array();
    for (const Chart& chart : finding.charts) charts.push_back(json_of(chart));
    parts.push_back({{"how", name(claim.parts[i].how)},
                     {"run", claim.parts[i].run},
                     {"verdict", name(finding.verdict)},
                     {"result", finding.result},
                     {"charts", charts}});
  }
  return {{"number", claim.number},
          {"name", claim.name},
          {"paper", claim.paper},
          {"text", claim.text},
          {"agrees_when", claim.agrees_when},
          {"verdict", name(shown.verdict())},
          {"parts", parts}};
}

Result<std::string> page_template() {
  const std::string path = find_data_file(own_directory(), "report/claims.html");
  if (path.empty()) {
    return Status(ErrorClass::kNoSuchFile,
                  "the page to fill in (share/weir/report/claims.html) is not there, because npm was missing or could "
                  "not fetch its packages when weir was built.\n  Install npm, then configure and build weir again.");
  }
  return read_file(path);
}

}  // namespace

Status check_page(const std::string& path) { return check_output(path, {}).or_else(page_template().status()); }

Status write_page(const std::string& path, const std::vector<Shown>& all) {
  const auto page = page_template();
  if (!page.ok()) return page.status();
  Json claims = Json::array();
  for (const Shown& shown : all) claims.push_back(json_of(shown));
  const Json document = {{"title", "The papers' claims, shown again"}, {"ending", ending(all)}, {"claims", claims}};
  const auto filled = report::fill_in(page.value(), document);
  return filled.ok() ? replace_file(path, filled.value()) : filled.status();
}

}  // namespace weir::tool::reproduce
