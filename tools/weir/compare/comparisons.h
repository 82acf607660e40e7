// --methods: the papers' comparisons of ways to do the same access, as data. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "words.h"

namespace weir::tool::compare {

// One way of doing it.
struct Variant {
  std::string comparison;       // name of the comparison; empty: weir as it is
  std::string label;            // what the way is called
  std::optional<double> x;      // where it stands on a numeric axis, for comparisons that have one
  Words hints;                  // "key=value" each, for weir
  Words parameters;             // "key=value" each, for the workload
  int ranks_per_node = 0;       // 0: as the launcher does it
  std::string hints_file = {};  // b_eff_io: its hints by pattern, in share/weir
};

struct Comparison {
  std::string_view name;
  std::string_view text;           // one line for people
  std::string_view only_workload;  // empty: any
  bool only_reads = false;
  std::vector<Variant> (*variants)(int ranks_per_node);
};

std::span<const Comparison> all_comparisons();

// Null if there is none of that name.
const Comparison* find_comparison(std::string_view name);

}  // namespace weir::tool::compare
