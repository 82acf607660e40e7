#include "bench/cell.h"

#include <fmt/format.h>

namespace weir::tool::bench {

std::string spec_of(const Cell& cell) {
  std::string spec = cell.workload;
  for (const std::string& parameter : cell.variant.parameters) spec += ":" + parameter;
  return spec;
}

std::string label_of(const Cell& cell) {
  if (cell.variant.comparison.empty()) return cell.peer.name;
  return fmt::format("{} {}", cell.variant.comparison, cell.variant.label);
}

}  // namespace weir::tool::bench
