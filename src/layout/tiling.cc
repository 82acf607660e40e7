#include "layout/tiling.h"

#include <algorithm>
#include <bit>

#include "layout/node.h"

namespace weir::layout {
namespace {

constexpr unsigned kPrimeBits = 61;
constexpr std::uint64_t kPrime = (std::uint64_t{1} << kPrimeBits) - 1;
constexpr unsigned kPowerBits = 11;  // the low bits of an exponent, looked up in powers_
constexpr unsigned kTableBits = 23;  // with those above them, looked up in strides_
constexpr std::int64_t kTableReach = std::int64_t{1} << kTableBits;

__extension__ using Wide = unsigned __int128;

// 2^61 is 1 modulo the prime: the high part is added to the low one.
std::uint64_t reduced(Wide value) {
  const Wide once = (value & kPrime) + (value >> kPrimeBits);
  const auto twice = static_cast<std::uint64_t>((once & kPrime) + (once >> kPrimeBits));
  return twice >= kPrime ? twice - kPrime : twice;
}

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  const Wide product = static_cast<Wide>(a) * b;
  const auto sum = (static_cast<std::uint64_t>(product) & kPrime) + static_cast<std::uint64_t>(product >> kPrimeBits);
  return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a >= b ? a - b : a + kPrime - b; }

// A base in [2, p - 2]: the seed with its bits mixed.
std::uint64_t base_of(std::uint64_t seed) {
  std::uint64_t state = seed + 0x9E3779B97F4A7C15U;
  state = (state ^ (state >> 30U)) * 0xBF58476D1CE4E5B9U;
  state = (state ^ (state >> 27U)) * 0x94D049BB133111EBU;
  return 2 + (state ^ (state >> 31U)) % (kPrime - 3);
}

// base^0 ... base^(how_many - 1). No power waits for the one before it.
std::vector<std::uint64_t> powers_of(std::uint64_t base, std::size_t how_many) {
  std::vector<std::uint64_t> powers(how_many, 1);
  powers[1] = base;
  for (std::size_t i = 2; i < how_many; ++i) powers[i] = times(powers[i / 2], powers[i - i / 2]);
  return powers;
}

// 1 + ratio + ... + ratio^(terms - 1), by doubling: the sum of 2n terms is that of n, times 1 + ratio^n.
std::uint64_t geometric_sum(std::uint64_t ratio, std::int64_t terms) {
  const auto bits = static_cast<std::uint64_t>(terms);
  std::uint64_t sum = 0;
  std::uint64_t power = 1;  // ratio^(terms summed)
  for (std::uint64_t bit = std::bit_floor(bits); bit != 0; bit >>= 1U) {
    sum = times(sum, Tiling::add(1, power));
    power = times(power, power);
    if ((bits & bit) != 0) {
      sum = Tiling::add(times(sum, ratio), 1);
      power = times(power, ratio);
    }
  }
  return sum;
}

}  // namespace

std::uint64_t Tiling::add(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum >= kPrime ? sum - kPrime : sum;
}

Tiling::Tiling(std::uint64_t seed) : powers_(powers_of(base_of(seed), std::size_t{1} << kPowerBits)) {
  strides_ = powers_of(times(powers_.back(), powers_[1]), std::size_t{1} << (kTableBits - kPowerBits));
  squares_.push_back(powers_[1]);
  while (squares_.size() < 64) squares_.push_back(times(squares_.back(), squares_.back()));
}

// A negative exponent stands for the inverse: g^(p - 1) is 1.
std::uint64_t Tiling::power(std::int64_t exponent) const {
  constexpr auto kOrder = static_cast<std::int64_t>(kPrime - 1);
  const auto bits = static_cast<std::uint64_t>(exponent >= 0 ? exponent : exponent % kOrder + kOrder);
  const std::uint64_t in_tables = bits % kTableReach;
  std::uint64_t result = times(powers_[in_tables % powers_.size()], strides_[in_tables >> kPowerBits]);
  for (std::size_t i = kTableBits; bits >> i != 0; ++i) {
    if ((bits >> i & 1U) != 0) result = times(result, squares_[i]);
  }
  return result;
}

// The sum of g^exponent_at(i) for i in [from, to). REQUIRES: exponents ascend.
template <typename ExponentAt>
std::uint64_t Tiling::power_sum(std::int64_t from, std::int64_t to, const ExponentAt& exponent_at) const {
  constexpr std::int64_t kGroup = 32;  // so many products of two numbers below 2^61 fit 128 bits
  std::uint64_t total = 0;
  while (from < to) {
    const std::int64_t origin = exponent_at(from);
    std::uint64_t in_reach = 0;
    while (from < to && exponent_at(from) - origin < kTableReach) {
      Wide group = 0;
      for (const std::int64_t stop = std::min(to, from + kGroup); from < stop; ++from) {
        const auto exponent = static_cast<std::uint64_t>(exponent_at(from) - origin);
        if (exponent >= kTableReach) break;
        group += static_cast<Wide>(powers_[exponent & ((1U << kPowerBits) - 1)]) * strides_[exponent >> kPowerBits];
      }
      in_reach = add(in_reach, reduced(group));
    }
    total = add(total, times(in_reach, power(origin)));
  }
  return total;
}

// The sum of g^displacement of the entries [from, to) of a run, a repeat or a list.
std::uint64_t Tiling::displacement_sum(const Node& node, std::int64_t from, std::int64_t to) const {
  if (from >= to) return 0;
  if (node.kind == NodeKind::kRun || node.kind == NodeKind::kRepeat) {
    const std::int64_t stride = node.kind == NodeKind::kRun ? as<RunNode>(node).stride : as<RepeatNode>(node).stride;
    return times(power(from * stride), geometric_sum(power(stride), to - from));
  }
  const std::int64_t* const displacements = displacements_of(node).data();
  return power_sum(from, to, [=](std::int64_t i) { return displacements[i]; });
}

std::uint64_t Tiling::sequence_sum(const Node& node, std::int64_t from, std::int64_t to) const {
  const Node* summed = nullptr;  // neighbours often share their node
  std::uint64_t child_sum = 0;
  std::uint64_t total = 0;
  for (std::int64_t i = from; i < to; ++i) {
    const Node* child = entry_child(node, i);
    if (child != summed) child_sum = entries_sum(*child, 0, entry_count(*child));
    summed = child;
    total = add(total, times(child_sum, power(entry_offset(node, i))));
  }
  return total;
}

// The sum of the entries [from, to) of the node, whole.
std::uint64_t Tiling::entries_sum(const Node& node, std::int64_t from, std::int64_t to) const {
  if (from >= to) return 0;
  if (node.kind == NodeKind::kSequence) return sequence_sum(node, from, to);
  if (node.kind == NodeKind::kBlocks) {
    const std::int64_t* const displacements = as<BlocksNode>(node).displacements.data();
    const std::int64_t* const prefix = as<BlocksNode>(node).prefix.data();
    const auto end_of = [=](std::int64_t i) { return displacements[i] + (prefix[i + 1] - prefix[i]); };
    return minus(power_sum(from, to, end_of), displacement_sum(node, from, to));
  }
  // Equal entries: the sum of the first one, moved to where each is.
  const Node* child = entry_child(node, 0);
  const std::uint64_t entry =
      child ? entries_sum(*child, 0, entry_count(*child)) : minus(power(entry_bytes(node, 0)), 1);
  return times(entry, displacement_sum(node, from, to));
}

// The sum of the part `data` of entry `index`; `data` is relative to the node and may reach beyond the entry.
std::uint64_t Tiling::entry_part(const Node& node, std::int64_t index, Extent data) const {
  const std::int64_t begin = entry_begin(node, index);
  const Extent part = intersection({data.begin - begin, data.end - begin}, {0, entry_bytes(node, index)});
  const Node* child = entry_child(node, index);
  const std::uint64_t sum = child ? part_sum(*child, part) : minus(power(part.end), power(part.begin));
  return times(sum, power(entry_offset(node, index)));
}

// REQUIRES: data is not empty.
std::uint64_t Tiling::part_sum(const Node& node, Extent data) const {
  if (data.begin <= 0 && data.end >= node.data_bytes) return entries_sum(node, 0, entry_count(node));
  const std::int64_t first = entry_at(node, data.begin);
  const std::int64_t last = entry_at(node, data.end - 1);
  if (first == last) return entry_part(node, first, data);
  const std::uint64_t ends = add(entry_part(node, first, data), entry_part(node, last, data));
  return add(ends, entries_sum(node, first + 1, last));
}

std::uint64_t Tiling::of(Extent bytes, std::int64_t origin) const {
  if (bytes.empty()) return 0;
  return minus(power(bytes.end - origin), power(bytes.begin - origin));
}

std::uint64_t Tiling::of(const Layout& layout, Extent data, std::int64_t origin) const {
  if (data.empty() || layout.empty()) return 0;
  return times(part_sum(*layout.root(), data), power(layout.first() - origin));
}

}  // namespace weir::layout
