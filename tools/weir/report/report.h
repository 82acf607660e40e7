// weir report: results of `weir bench` as one HTML page.
#pragma once

#include <string>
#include <vector>

namespace weir::tool::report {

struct ReportOptions {
  std::vector<std::string> inputs;     // results files; several are shown together
  std::string output = "report.html";  // replaced when it is there already, unless it is one of the inputs
  std::string title;                   // empty: made from the results
};

// Reads all inputs, writes the page and prints where it is. The exit code: 0; 2 when anything is wrong, after saying
// what on standard error, and with nothing written.
int report(const ReportOptions& options);

}  // namespace weir::tool::report
