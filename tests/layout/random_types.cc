#include "layout/random_types.h"

#include <cstdlib>

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t pick(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

SizedLayout native(const TypeTree& type) { return build(*type, Representation::native()).value(); }

Numbers random_numbers(std::mt19937_64& random, std::size_t how_many, std::int64_t low, std::int64_t high) {
  Numbers numbers(how_many);
  for (std::int64_t& number : numbers) number = pick(random, low, high);
  return numbers;
}

// Displacements for blocks of the given lengths; ascending and apart when `ascending`.
Numbers random_displacements(std::mt19937_64& random, const Numbers& lengths, std::int64_t unit, bool ascending) {
  Numbers displacements;
  std::int64_t next = pick(random, 0, 3);
  for (const std::int64_t length : lengths) {
    displacements.push_back(ascending ? next : pick(random, -10, 20));
    next += length * unit + pick(random, 0, 2);
  }
  return displacements;
}

BasicKind random_kind(std::mt19937_64& random) {
  return static_cast<BasicKind>(pick(random, 0, static_cast<std::int64_t>(kBasicKinds) - 1));
}

Subarray random_subarray(std::mt19937_64& random, const TypeTree& child) {
  Subarray shape{{}, {}, {}, pick(random, 0, 1) == 0 ? ArrayOrder::kC : ArrayOrder::kFortran, child};
  const std::int64_t dimensions = pick(random, 1, 3);
  for (std::int64_t i = 0; i < dimensions; ++i) {
    shape.sizes.push_back(pick(random, 1, 4));
    shape.subsizes.push_back(pick(random, 1, shape.sizes.back()));
    shape.starts.push_back(pick(random, 0, shape.sizes.back() - shape.subsizes.back()));
  }
  return shape;
}

Darray random_darray(std::mt19937_64& random, const TypeTree& child) {
  Darray shape{1, 0, {}, {}, {}, pick(random, 0, 1) == 0 ? ArrayOrder::kC : ArrayOrder::kFortran, child};
  const std::int64_t dimensions = pick(random, 1, 2);
  for (std::int64_t i = 0; i < dimensions; ++i) {
    shape.sizes.push_back(pick(random, 1, 7));
    shape.process_sizes.push_back(pick(random, 1, 3));
    shape.process_count *= shape.process_sizes.back();
    const bool cyclic = pick(random, 0, 1) == 0;
    shape.distributions.push_back({cyclic ? Distribution::Kind::kCyclic : Distribution::Kind::kBlock,
                                   cyclic ? pick(random, 1, 3) : Distribution::kDefaultArgument});
  }
  shape.rank = pick(random, 0, shape.process_count - 1);
  return shape;
}

Struct random_struct(std::mt19937_64& random, int depth, bool for_file) {
  Struct shape;
  const auto members = static_cast<std::size_t>(pick(random, 1, 4));
  shape.block_lengths = random_numbers(random, members, 0, 2);
  std::int64_t next = 0;
  for (std::size_t i = 0; i < members; ++i) {
    shape.children.push_back(random_type(random, depth - 1, for_file));
    shape.displacement_bytes.push_back(for_file ? next : pick(random, -40, 60));
    const SizedLayout sized = native(shape.children.back());
    next += sized.ub + shape.block_lengths[i] * sized.extent() + pick(random, 0, 5);
  }
  return shape;
}

Resized random_resized(std::mt19937_64& random, const TypeTree& child, bool for_file) {
  const SizedLayout sized = native(child);
  if (for_file) return {0, std::max(sized.ub, sized.layout.span().end) + pick(random, 0, 5), child};
  return {pick(random, -8, 8), pick(random, -8, 40), child};
}

}  // namespace

std::vector<TypeTree> wrappings(const TypeTree& child) {
  const std::int64_t bytes = native(child).extent();
  return {
      make_type(Contiguous{0, child}),
      make_type(Contiguous{1, child}),
      make_type(Contiguous{3, child}),
      make_type(Vector{2, 2, 3, child}),
      make_type(Vector{3, 1, -2, child}),
      make_type(Vector{2, 0, 1, child}),
      make_type(Vector{2, 3, 3, child}),
      make_type(Hvector{3, 1, bytes + 1, child}),
      make_type(Hvector{2, 2, 1, child}),
      make_type(Indexed{{2, 0, 1}, {3, 9, 1}, child}),
      make_type(Indexed{{1, 1, 1}, {0, 2, 4}, child}),
      make_type(Indexed{{4, 1, 7}, {0, 5, 9}, child}),
      make_type(Hindexed{{1, 2}, {bytes + 3, -1}, child}),
      make_type(Hindexed{{1, 2, 1}, {0, bytes, 3 * bytes}, child}),
      make_type(IndexedBlock{1, {0, 3, 4}, child}),
      make_type(IndexedBlock{2, {5, 1, -3}, child}),
      make_type(HindexedBlock{1, {0, bytes, 2 * bytes + 1}, child}),
      make_type(Struct{{1, 1, 1}, {0, bytes, 3 * bytes + 2}, {child, make_type(BasicKind::kInt), child}}),
      make_type(Struct{{2, 0, 3}, {4, 0, -bytes}, {child, child, make_type(BasicKind::kChar)}}),
      make_type(Subarray{{3, 4}, {2, 2}, {1, 1}, ArrayOrder::kC, child}),
      make_type(Subarray{{3, 4}, {2, 4}, {0, 0}, ArrayOrder::kFortran, child}),
      make_type(Darray{2, 1, {7}, {{Distribution::Kind::kCyclic, 2}}, {2}, ArrayOrder::kC, child}),
      make_type(Resized{-2, bytes + 5, child}),
      make_type(Resized{0, 1, child}),
  };
}

std::vector<TypeTree> small_types(int depth) {
  std::vector<TypeTree> level = {make_type(BasicKind::kByte), make_type(BasicKind::kShortInt),
                                 make_type(BasicKind::kDouble)};
  std::vector<TypeTree> all = level;
  for (int i = 0; i < depth; ++i) {
    std::vector<TypeTree> next;
    for (const TypeTree& child : level) {
      for (TypeTree& type : wrappings(child)) next.push_back(std::move(type));
    }
    all.insert(all.end(), next.begin(), next.end());
    level = std::move(next);
  }
  return all;
}

TypeTree random_type(std::mt19937_64& random, int depth, bool for_file) {
  if (depth == 0) return make_type(random_kind(random));
  const std::int64_t constructor = pick(random, 0, 10);
  if (constructor == 0) return make_type(random_struct(random, depth, for_file));
  const TypeTree child = random_type(random, static_cast<int>(pick(random, 0, depth - 1)), for_file);
  const std::int64_t count = pick(random, 0, 3);
  const Numbers lengths = random_numbers(random, static_cast<std::size_t>(pick(random, 0, 5)), 0, 3);
  const std::int64_t length = pick(random, 0, 2);
  const Numbers equal_lengths(lengths.size(), length);
  const std::int64_t bytes = native(child).extent();
  const std::int64_t low = for_file ? length : -3;
  switch (constructor) {
    case 1:
      return make_type(Contiguous{count, child});
    case 2:
      return make_type(Vector{count, length, pick(random, low, 4), child});
    case 3:
      return make_type(Hvector{count, length, for_file ? length * bytes + count : pick(random, -20, 30), child});
    case 4:
      return make_type(Indexed{lengths, random_displacements(random, lengths, 1, for_file), child});
    case 5:
      return make_type(Hindexed{lengths, random_displacements(random, lengths, bytes, for_file), child});
    case 6:
      return make_type(IndexedBlock{length, random_displacements(random, equal_lengths, 1, for_file), child});
    case 7: {
      return make_type(HindexedBlock{length, random_displacements(random, equal_lengths, bytes, for_file), child});
    }
    case 8:
      return make_type(random_subarray(random, child));
    case 9:
      return make_type(random_darray(random, child));
    default:
      return make_type(random_resized(random, child, for_file));
  }
}

std::uint64_t test_seed() {
  if (const char* given = std::getenv("WEIR_TEST_SEED")) return std::strtoull(given, nullptr, 10);
  return std::random_device()();
}

}  // namespace weir::layout
