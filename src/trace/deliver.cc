#include "trace/deliver.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>

#include "trace/report_file.h"
#include "trace/report_json.h"

namespace weir::trace {

namespace {

template <std::size_t kWords>
bool is_one_of(std::string_view word, const std::array<std::string_view, kWords>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool report_wanted(std::string_view where) {
  return !is_one_of(where, std::array<std::string_view, 5>{"", "0", "no", "off", "false"});
}

Status deliver(const FileReport& report, const std::string& where) {
  try {
    if (is_one_of(where, std::array<std::string_view, 4>{"1", "yes", "on", "true"})) {
      std::fputs(print(report).c_str(), stderr);
      return {};
    }
    return add_to_report_file(where, to_json(report));
  } catch (const std::exception& problem) {
    return {ErrorClass::kInternal, problem.what()};
  }
}

}  // namespace weir::trace
