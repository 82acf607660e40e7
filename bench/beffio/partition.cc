#include "partition.h"

#include <cmath>

namespace beffio {
namespace {

int power_of_two_near(int ranks, double part) { return 1 << static_cast<int>(std::lround(std::log2(ranks) * part)); }

}  // namespace

Partition whole(int ranks) { return {ranks, "large"}; }

std::vector<Partition> three_partitions(int ranks) {
  const int small = ranks == 3 ? 1 : power_of_two_near(ranks, 0.35);
  const int medium = ranks == 4 ? 3 : power_of_two_near(ranks, 0.70);
  std::vector<Partition> partitions;
  if (small < medium) partitions.push_back({small, "small"});
  if (medium < ranks) partitions.push_back({medium, "medium"});
  partitions.push_back(whole(ranks));
  return partitions;
}

std::vector<Partition> chosen_partitions(const std::vector<int>& sizes, int ranks) {
  std::vector<Partition> partitions;
  for (const int size : sizes) {
    partitions.push_back(size == ranks ? whole(ranks) : Partition{size, std::to_string(size) + " ranks"});
  }
  return partitions;
}

}  // namespace beffio
