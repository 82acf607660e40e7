// weir doctor: what weir finds on this machine, and what to do about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::tool::doctor {

enum class Level : std::uint8_t { kOk, kWarn, kFail };

// One line of the report; `advice` says what to do, and is given at least where the level is not kOk.
struct Finding {
  Level level = Level::kOk;
  std::string text;
  std::string advice = {};
};

struct Section {
  std::string title;
  std::vector<Finding> findings;
};

// Each tries things out for real, in children or on files that have no name any more; nothing is
// left behind.
Section examine_mpis();
Section examine_directory(const std::string& directory);
Section examine_machine();
// Of a directory that files can be made in: io_uring and O_DIRECT (weir_io).
std::vector<Finding> examine_ways(const std::string& directory);

// Prints all sections. The exit code: 1 when something fails, else 0.
int examine(const std::string& directory);

}  // namespace weir::tool::doctor
