// Every way through the collective engine that hints can force.
#pragma once

#include <cstddef>
#include <random>
#include <string>

#include "hints/hint_set.h"

namespace weir::exec {

// Hints that force one way, and how the ranks lie on nodes.
struct Combination {
  hints::Pairs hints;
  int ranks_per_node = 0;  // 0: all on one node

  // Fails the test when a pair is not taken as it is.
  hints::HintSet hint_set() const;
  std::string text() const;  // e.g. "weir_domains=even cb_nodes=2, 2 ranks per node"
};

// All combinations of domains, exchange, pipeline depth, collective buffers of a few bytes and numbers of aggregators,
// the other hints and the nodes changing from one to the next.
inline constexpr std::size_t kCombinationCount = 4 * 3 * 3 * 4 * 4;
// REQUIRES: index < kCombinationCount.
Combination combination(std::size_t index);

// The same with odd collective buffers of up to `largest_buffer_bytes`.
Combination random_combination(std::mt19937_64& random, std::int64_t largest_buffer_bytes);

}  // namespace weir::exec
