#include "report/report.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "data_file.h"
#include "report/page.h"
#include "report/results.h"
#include "whole_file.h"

namespace weir::tool::report {

namespace {

constexpr int kRefused = 2;

int refuse(const Status& status) {
  fmt::print(stderr, "weir report: {}\n", status.text());
  return kRefused;
}

// All inputs; or, after a line on standard error for each one that is no good, none of them.
std::vector<Results> read_all(const std::vector<std::string>& paths) {
  std::vector<Results> all;
  bool good = true;
  for (const std::string& path : paths) {
    Result<Results> results = read_results(path);
    if (results.ok()) {
      all.push_back(std::move(results).value());
    } else {
      refuse(results.status());
      good = false;
    }
  }
  return good ? all : std::vector<Results>();
}

Result<std::string> page_template() {
  const std::string path = find_data_file(own_directory(), "report/page.html");
  if (path.empty()) {
    return Status(
        ErrorClass::kNoSuchFile,
        "the page to fill in (share/weir/report/page.html) is not there, because npm was missing or could not "
        "fetch its packages when weir was built.\n  Install npm, then configure and build weir again.");
  }
  return read_file(path);
}

}  // namespace

int report(const ReportOptions& options) {
  if (options.inputs.empty()) return refuse({ErrorClass::kArgument, "no results given\n  See: weir report --help"});
  Status status = check_distinct(options.inputs).or_else(check_output(options.output, options.inputs));
  if (!status.ok()) return refuse(status);
  const std::vector<Results> results = read_all(options.inputs);
  if (results.empty()) return kRefused;
  const Result<std::string> page = page_template();
  if (!page.ok()) return refuse(page.status());
  const Result<std::string> filled = fill_in(page.value(), merge(results, options.title));
  if (!filled.ok()) return refuse(filled.status());
  status = replace_file(options.output, filled.value());
  if (!status.ok()) return refuse(status);
  fmt::print("{}\n", options.output);
  return 0;
}

}  // namespace weir::tool::report
