#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "exec/stage/trades.h"
#include "reproduce/exact/exact.h"

namespace weir::tool::reproduce {

namespace {

using exec::Trades;

// All parties of a vector of `length` elements, dealt out in turn, each with equally many for every chunk; told
// everything that partners tell each other.
std::vector<Trades> all_parties(std::size_t parties, std::int64_t length) {
  std::vector<int> ranks(parties);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<Trades> all;
  for (std::size_t party = 0; party < parties; ++party) {
    Trades& trades = all.emplace_back(ranks, party, 1);
    std::ranges::fill(trades.own(0), length / static_cast<std::int64_t>(parties * parties));
  }
  const std::size_t phases = all.front().steps().size();
  for (std::size_t phase = 0; phase < phases; ++phase) {
    std::vector<std::vector<std::int64_t>> told;
    for (const Trades& trades : all) {
      trades.tell(phase, told.emplace_back(trades.told_numbers(phase)));
    }
    for (Trades& trades : all) {
      trades.hear(phase, told[static_cast<std::size_t>(trades.steps()[phase].partner)]);
    }
  }
  return all;
}

// The chunk that a party holds in the end.
std::size_t last_chunk(const Trades& trades, std::size_t parties) {
  std::size_t begin = 0;
  std::size_t count = parties;
  for (const Trades::Step& step : trades.steps()) {
    begin += step.kept.begin;
    count = step.kept.count();
  }
  return count == 1 ? begin : parties;
}

}  // namespace

Finding pairwise_phases(const Setting&) {
  bool holds = true;
  for (const std::size_t parties : {std::size_t{2}, std::size_t{4}, std::size_t{16}, std::size_t{64}}) {
    const auto length = static_cast<std::int64_t>(parties * parties * 4);
    const auto phases = static_cast<std::size_t>(std::bit_width(parties - 1));
    for (const Trades& trades : all_parties(parties, length)) {
      holds = holds && trades.steps().size() == phases;
      for (std::size_t phase = 0; phase < trades.steps().size(); ++phase) {
        holds = holds && trades.load(phase, 0).given == length / static_cast<std::int64_t>(2 * parties);
      }
    }
  }
  constexpr std::int64_t kLength = 16;
  constexpr std::size_t kParties = 4;
  std::vector<std::int64_t> offsets;
  for (const Trades& trades : all_parties(kParties, kLength)) {
    offsets.push_back(static_cast<std::int64_t>(last_chunk(trades, kParties)) * kLength /
                      static_cast<std::int64_t>(kParties));
  }
  return found(holds && offsets == std::vector<std::int64_t>{0, 8, 4, 12},
               fmt::format("log2 P phases of N_x / 2P at P = 2, 4, 16, 64; P = 4, N_x = 16: offsets {}",
                           fmt::join(offsets, ", ")));
}

}  // namespace weir::tool::reproduce
