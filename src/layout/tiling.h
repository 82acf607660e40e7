// Tiling: the proof that pieces cover a window exactly once, from one number per rank.
#pragma once

#include <cstdint>
#include <vector>

#include "base/extent.h"
#include "layout/layout.h"

namespace weir::layout {

// Sums up byte ranges as the sum over all pieces of g^(end - origin) - g^(begin - origin), modulo the prime
// p = 2^61 - 1, where the base g follows from the seed.
//
// Law: pieces within [lo, hi), of any number of ranks that share seed and origin, tile [lo, hi) exactly once if and
// only if their sums add up to the sum of [lo, hi). Proof: the difference of both sums is (g - 1) times the polynomial
// whose coefficient at x - origin is how often byte x is covered, minus one. When the pieces tile, it is zero; when
// they do not, it is a polynomial of degree below hi - origin that is not zero, and has less than hi - origin roots.
//
// Error: pieces that do not tile are taken for a tiling with probability below (hi - origin) / p over the choice of the
// seed, at most 2^-31 for a window of 1 GiB at its origin; pieces that tile are never refused.
class Tiling {
 public:
  explicit Tiling(std::uint64_t seed);

  // The sum of one extent; 0 when it is empty. REQUIRES: origin <= bytes.begin.
  std::uint64_t of(Extent bytes, std::int64_t origin) const;
  // The sum of the data bytes [data.begin, data.end) of a layout. Runs and repeats cost O(log count) however many
  // pieces they have; lists cost O(entries in the range).
  // REQUIRES: layout.is_ascending(); data within [0, data_bytes()]; origin <= the first offset of these bytes.
  std::uint64_t of(const Layout& layout, Extent data, std::int64_t origin) const;

  // a + b modulo p. REQUIRES: both are sums.
  static std::uint64_t add(std::uint64_t a, std::uint64_t b);

 private:
  // All that follows counts exponents from the first byte of the node.
  std::uint64_t power(std::int64_t exponent) const;
  template <typename ExponentAt>
  std::uint64_t power_sum(std::int64_t from, std::int64_t to, const ExponentAt& exponent_at) const;
  std::uint64_t displacement_sum(const Node& node, std::int64_t from, std::int64_t to) const;
  std::uint64_t sequence_sum(const Node& node, std::int64_t from, std::int64_t to) const;
  std::uint64_t entries_sum(const Node& node, std::int64_t from, std::int64_t to) const;
  std::uint64_t entry_part(const Node& node, std::int64_t index, Extent data) const;
  std::uint64_t part_sum(const Node& node, Extent data) const;

  std::vector<std::uint64_t> powers_;   // g^i
  std::vector<std::uint64_t> strides_;  // g^(i * powers_.size())
  std::vector<std::uint64_t> squares_;  // g^(2^i)
};

}  // namespace weir::layout
