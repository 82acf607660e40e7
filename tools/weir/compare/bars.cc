#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare/numbers.h"
#include "compare/table.h"

namespace weir::tool::compare {

namespace {

constexpr double kLongest = 44;  // characters

struct Bar {
  std::string label;
  double seconds = 0;
  std::string failed;
};

std::string drawn(double seconds, double longest) {
  const auto characters = static_cast<std::size_t>(std::max(1.0, std::round(kLongest * seconds / longest)));
  std::string text;
  for (std::size_t i = 0; i < characters; ++i) text += "█";
  return text;
}

std::string time_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.1f} ms", 1e3 * seconds) : fmt::format("{:.2f} s", seconds);
}

std::vector<Bar> bars_of(const Group& group) {
  std::vector<Bar> found;
  std::vector<double> block;
  for (const Cell& cell : group.cells) {
    const Outcome& outcome = cell.outcome;
    if (outcome.seconds.empty() && outcome.failed.empty()) continue;
    const std::string label = cell.variant.comparison.empty() ? cell.peer.title : label_of(cell);
    found.push_back({label, outcome.usable() ? median(outcome.seconds) : 0, outcome.failed});
    block.insert(block.end(), outcome.block_seconds.begin(), outcome.block_seconds.end());
  }
  if (!block.empty()) found.push_back({"Block I/O (limit)", median(block), ""});
  return found;
}

std::string drawn(const Group& group) {
  const std::vector<Bar> all = bars_of(group);
  if (all.empty()) return "";
  double longest = 0;
  std::size_t widest = 0;
  for (const Bar& bar : all) {
    longest = std::max(longest, bar.seconds);
    widest = std::max(widest, bar.label.size());
  }
  const Cell& cell = group.first();
  const std::string ranks = cell.ranks > 0 ? fmt::format(", {} ranks", cell.ranks) : "";
  std::string text =
      fmt::format("\n{} {}, {}{}: time, shorter is better\n", cell.workload, cell.direction, cell.host.version, ranks);
  for (const Bar& bar : all) {
    text += fmt::format("  {:<{}}  {}\n", bar.label, widest,
                        bar.failed.empty() ? drawn(bar.seconds, longest) + " " + time_text(bar.seconds) : bar.failed);
  }
  return text;
}

}  // namespace

std::string bars(const std::vector<Group>& groups) {
  std::string text;
  for (const Group& group : groups) text += drawn(group);
  return text;
}

}  // namespace weir::tool::compare
