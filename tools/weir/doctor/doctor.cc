#include "doctor/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>

namespace weir::tool::doctor {

namespace {

const char* mark(Level level) {
  if (level == Level::kOk) return "ok";
  return level == Level::kWarn ? "warn" : "FAIL";
}

void print(const Section& section) {
  fmt::print("{}\n", section.title);
  for (const Finding& finding : section.findings) {
    fmt::print("  {:<5} {}\n", mark(finding.level), finding.text);
    if (!finding.advice.empty()) fmt::print("        -> {}\n", finding.advice);
  }
  std::fflush(stdout);
}

bool fails(const Section& section) {
  return std::any_of(section.findings.begin(), section.findings.end(),
                     [](const Finding& finding) { return finding.level == Level::kFail; });
}

}  // namespace

int examine(const std::string& directory) {
  bool failed = false;
  for (const auto& section_of :
       {std::function<Section()>(examine_mpis), std::function<Section()>([&] { return examine_directory(directory); }),
        std::function<Section()>(examine_machine)}) {
    const Section section = section_of();
    print(section);
    failed = failed || fails(section);
  }
  return failed ? 1 : 0;
}

}  // namespace weir::tool::doctor
