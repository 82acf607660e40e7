// What the tests of comm have in common.
#pragma once

#include <vector>

namespace weir::comm {

// Every size up to 17, and two large ones.
inline std::vector<int> tested_sizes() {
  std::vector<int> sizes;
  for (int ranks = 1; ranks <= 17; ++ranks) sizes.push_back(ranks);
  sizes.push_back(32);
  sizes.push_back(64);
  return sizes;
}

}  // namespace weir::comm
