// Tables 2 and 3 of the paper on b_eff_io: bandwidths with three sets of hints on an SP, in MB/s.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "values.h"

namespace beffio {

// A row of Table 2: types 0 to 4, and the weighted average printed beside them.
struct PaperRow {
  std::array<double, 5> types;
  double average;

  std::vector<TypeValue> values() const;
  double mean() const { return mean_of_types(values()); }
};

// A set of hints, with its bottom row and its value in Table 3.
struct PaperSet {
  const char* name;
  PaperRow write;
  PaperRow rewrite;
  PaperRow read;
  PaperRow average;
  double release_20;
};

// Data shipping everywhere, nowhere, and by pattern.
std::span<const PaperSet> paper_sets();

}  // namespace beffio
