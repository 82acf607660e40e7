#include "exec/collective_combination.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "hints/apply.h"

namespace weir::exec {

namespace {

constexpr std::array<std::string_view, 4> kDomains = {"even", "aligned", "static_cyclic", "group_cyclic"};
constexpr std::array<std::string_view, 3> kExchanges = {"shared", "direct", "pairwise"};
constexpr std::array<std::string_view, 3> kDepths = {"1", "2", "3"};
constexpr std::array<std::string_view, 4> kBufferBytes = {"1", "3", "7", "4096"};
constexpr std::array<std::string_view, 4> kAggregators = {"1", "2", "3", "9"};
constexpr std::array<std::string_view, 3> kLocalAggregators = {"1", "2", "4"};
constexpr std::array<std::string_view, 3> kMerge = {"true", "auto", "false"};
constexpr std::array<std::string_view, 3> kSparse = {"auto", "true", "false"};

// The digit of a number whose digits have different bases; takes it off the number.
template <typename Values>
std::string take(std::size_t& number, const Values& values) {
  const std::size_t digit = number % values.size();
  number /= values.size();
  return std::string(values[digit]);
}

// weir's own hint for the method, or ROMIO's.
void force_two_phase(hints::Pairs& pairs, bool by_romio_hints) {
  if (!by_romio_hints) {
    pairs.emplace_back("weir_method", "two_phase");
    return;
  }
  pairs.emplace_back("romio_cb_read", "enable");
  pairs.emplace_back("romio_cb_write", "enable");
}

// Without the number of local aggregators, the engine chooses.
void add_minor_hints(Combination& combination, std::size_t number) {
  combination.ranks_per_node = static_cast<int>(number % 4);
  force_two_phase(combination.hints, number % 5 == 0);
  if (number % 2 == 0) combination.hints.emplace_back("weir_local_aggregators", kLocalAggregators[number / 2 % 3]);
  if (number / 4 % 4 != 3) combination.hints.emplace_back("weir_merge", kMerge[number / 4 % 4]);
  if (number % 3 != 0) combination.hints.emplace_back("weir_sparse", kSparse[number / 3 % 3]);
}

}  // namespace

hints::HintSet Combination::hint_set() const {
  hints::HintSet set;
  for (const hints::Change& change : hints::apply(set, hints, hints::When::kOpen)) {
    EXPECT_EQ(change.outcome, hints::Outcome::kAccepted) << hints::sentence(change);
  }
  return set;
}

std::string Combination::text() const {
  std::string text;
  for (const auto& [name, value] : hints) text.append(name).append("=").append(value).append(" ");
  return text + "with " + (ranks_per_node == 0 ? "all" : std::to_string(ranks_per_node)) + " ranks per node";
}

Combination combination(std::size_t index) {
  std::size_t rest = index;
  Combination made;
  made.hints.emplace_back("weir_domains", take(rest, kDomains));
  made.hints.emplace_back("weir_exchange", take(rest, kExchanges));
  made.hints.emplace_back("weir_pipeline_depth", take(rest, kDepths));
  made.hints.emplace_back("cb_buffer_size", take(rest, kBufferBytes));
  made.hints.emplace_back("cb_nodes", take(rest, kAggregators));
  add_minor_hints(made, index * 7 + index / 5);  // in another rhythm than the digits above
  return made;
}

Combination random_combination(std::mt19937_64& random, std::int64_t largest_buffer_bytes) {
  Combination made = combination(random() % kCombinationCount);
  const auto buffer_bytes = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(largest_buffer_bytes)) | 1;
  for (auto& [name, value] : made.hints) {
    if (name == "cb_buffer_size") value = std::to_string(buffer_bytes);
  }
  return made;
}

}  // namespace weir::exec
