#include "workloads/runs.h"

#include <algorithm>

#include "workloads/random.h"

namespace bench {
namespace {

template <typename List>
Access one_call(const List& file) {
  const std::int64_t bytes = data_bytes(TypeSpec(file));
  const Plain memory{.element = file.element, .count = bytes / file.element.bytes()};
  Access access{.displacement = 0, .file = memory, .memory = memory, .calls = 1, .stride_bytes = 0, .offsets = {}};
  if (bytes > 0) access.file = file;
  return access;
}

}  // namespace

void append_run(std::vector<Run>& runs, const Run& run) {
  if (!runs.empty() && runs.back().begin + runs.back().length == run.begin) {
    runs.back().length += run.length;
  } else {
    runs.push_back(run);
  }
}

std::vector<Run> deal_runs(const RunDeal& deal, int rank) {
  Random random(deal.seed);
  std::vector<Run> own;
  std::int64_t dealt = 0;
  for (std::int64_t begin = 0; begin < deal.points; ++dealt) {
    const std::int64_t length = std::min(1 + random.below(deal.longest), deal.points - begin);
    const std::int64_t owner = dealt < deal.ranks ? dealt : random.below(deal.ranks);
    if (owner == rank) append_run(own, {begin, length});
    begin += length;
  }
  return own;
}

std::vector<std::int64_t> deal_blocks(std::int64_t blocks, int ranks, int rank, std::int64_t seed) {
  std::vector<int> owners(static_cast<std::size_t>(blocks));
  for (std::size_t i = 0; i < owners.size(); ++i) owners[i] = static_cast<int>(i % static_cast<std::size_t>(ranks));
  Random(seed).shuffle(owners);
  std::vector<std::int64_t> own;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i] == rank) own.push_back(static_cast<std::int64_t>(i));
  }
  return own;
}

Access list_access(const Hindexed& file) { return one_call(file); }

Access list_access(const HindexedBlock& file) { return one_call(file); }

}  // namespace bench
