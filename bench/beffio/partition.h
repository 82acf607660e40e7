// Partitions: the numbers of ranks that are measured, each starting from rank 0.
#pragma once

#include <string>
#include <vector>

namespace beffio {

struct Partition {
  int ranks = 0;
  std::string name;  // "small", "medium", "large", or "N ranks" where chosen by hand

  bool operator==(const Partition&) const = default;
};

// The three partitions of release 2.0 for a system of `ranks` ranks, smallest first. Where two of them are the same
// number of ranks (1 or 2 ranks in all) it is measured once, under the larger one's name. REQUIRES ranks > 0.
std::vector<Partition> three_partitions(int ranks);

// All ranks together.
Partition whole(int ranks);

// Partitions chosen by hand, in the order given.
std::vector<Partition> chosen_partitions(const std::vector<int>& sizes, int ranks);

}  // namespace beffio
