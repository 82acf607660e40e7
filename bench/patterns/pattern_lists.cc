// Patterns made of blocks dealt to the ranks, and of contiguous shares.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "pattern_kinds.h"

namespace bench {
namespace {

constexpr std::uint64_t kSeed = 20;

// A small generator (splitmix64) that gives the same numbers on every rank and machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // A number in [0, bound).
  std::int64_t below(std::int64_t bound) {
    std::uint64_t x = (state_ += 0x9E3779B97F4A7C15u);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return static_cast<std::int64_t>((x ^ (x >> 31)) % static_cast<std::uint64_t>(bound));
  }

 private:
  std::uint64_t state_;
};

Plain plain(const Element& element, std::int64_t bytes) {
  return {.element = element, .count = bytes / element.bytes()};
}

Workload one_access(std::int64_t displacement, TypeSpec file, const Element& element, std::int64_t file_bytes) {
  const std::int64_t bytes = data_bytes(file);
  Access access{.displacement = displacement,
                .file = std::move(file),
                .memory = plain(element, bytes),
                .calls = 1,
                .stride_bytes = 0};
  return {.accesses = {std::move(access)}, .file_bytes = file_bytes, .collective = true, .note = {}};
}

Workload cyclic(const Shape& shape, int rank, int block_bytes) {
  const Element element = element_of(Basic::kInt);
  const int block = block_bytes / static_cast<int>(element.bytes());
  const std::int64_t blocks = std::max<std::int64_t>(1, shape.bytes / block_bytes / shape.ranks);
  const Vector file{
      .count = static_cast<int>(blocks), .block = block, .stride = block * shape.ranks, .element = element};
  return one_access(std::int64_t{rank} * block_bytes, file, element, blocks * block_bytes * shape.ranks);
}

// An equal share per rank, rounded up to whole ints.
Workload shares(const Shape& shape, int rank) {
  const Element element = element_of(Basic::kInt);
  const std::int64_t ints = (shape.bytes + element.bytes() * shape.ranks - 1) / (element.bytes() * shape.ranks);
  const std::int64_t share = std::max<std::int64_t>(1, ints) * element.bytes();
  return one_access(rank * share, plain(element, share), element, share * shape.ranks);
}

}  // namespace

Workload cyclic_64(const Shape& shape, int rank) { return cyclic(shape, rank, 64); }

Workload cyclic_4(const Shape& shape, int rank) { return cyclic(shape, rank, 4); }

// Every rank gets equally many blocks.
Workload random_1k(const Shape& shape, int rank) {
  constexpr int kBlockBytes = 1024;
  const Element element = element_of(Basic::kByte);
  const std::int64_t blocks = std::max<std::int64_t>(1, shape.bytes / kBlockBytes / shape.ranks) * shape.ranks;
  std::vector<int> owners(static_cast<std::size_t>(blocks));
  for (std::size_t i = 0; i < owners.size(); ++i) owners[i] = static_cast<int>(i) % shape.ranks;
  Random random(kSeed);
  for (std::size_t i = owners.size(); i > 1; --i) {
    std::swap(owners[i - 1], owners[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  }
  HindexedBlock file{.length = kBlockBytes, .displacements = {}, .element = element};
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i] == rank) file.displacements.push_back(static_cast<std::int64_t>(i) * kBlockBytes);
  }
  return one_access(0, std::move(file), element, blocks * kBlockBytes);
}

// Every rank gets at least one run: the first ones are dealt in turn.
Workload irregular(const Shape& shape, int rank) {
  constexpr std::int64_t kLongestRun = 16;
  const Element element = element_of(Basic::kInt);
  const std::int64_t file_ints = std::max<std::int64_t>(shape.bytes / element.bytes(), shape.ranks * kLongestRun);
  Random random(kSeed);
  Hindexed file{.lengths = {}, .displacements = {}, .element = element};
  std::int64_t runs = 0;
  for (std::int64_t begin = 0; begin < file_ints; ++runs) {
    const std::int64_t length = std::min(1 + random.below(kLongestRun), file_ints - begin);
    const std::int64_t owner = runs < shape.ranks ? runs : random.below(shape.ranks);
    if (owner == rank) {
      file.lengths.push_back(static_cast<int>(length));
      file.displacements.push_back(begin * element.bytes());
    }
    begin += length;
  }
  return one_access(0, std::move(file), element, file_ints * element.bytes());
}

Workload flash(const Shape& shape, int rank) {
  constexpr int kVariables = 24;
  constexpr std::int64_t kBlockBytes = 8 * 8 * 8 * 8;
  const auto unscaled = [](int r) { return 80 + r % 3; };
  double all_unscaled = 0;
  for (int r = 0; r < shape.ranks; ++r) all_unscaled += unscaled(r);
  const double scale = static_cast<double>(shape.bytes) / static_cast<double>(kVariables * kBlockBytes) / all_unscaled;
  std::int64_t before = 0;
  std::int64_t own = 0;
  std::int64_t all = 0;
  for (int r = 0; r < shape.ranks; ++r) {
    const std::int64_t blocks = std::max<std::int64_t>(1, std::llround(scale * unscaled(r)));
    if (r < rank) before += blocks;
    if (r == rank) own = blocks;
    all += blocks;
  }
  const Plain share = plain(element_of(Basic::kDouble), own * kBlockBytes);
  const Access access{.displacement = before * kBlockBytes,
                      .file = share,
                      .memory = share,
                      .calls = kVariables,
                      .stride_bytes = all * kBlockBytes};
  return {.accesses = {access}, .file_bytes = kVariables * all * kBlockBytes, .collective = true, .note = {}};
}

Workload contiguous(const Shape& shape, int rank) { return shares(shape, rank); }

Workload block_io(const Shape& shape, int rank) {
  Workload workload = shares(shape, rank);
  workload.collective = false;
  return workload;
}

}  // namespace bench
