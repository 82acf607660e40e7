// The pairwise exchange the slow way: which blocks every party holds, one by one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "exec/stage/trades.h"

namespace weir::exec {

inline std::size_t reversed(std::size_t number, int bits) {
  std::size_t result = 0;
  for (int bit = 0; bit < bits; ++bit) result |= (number >> bit & 1U) << (bits - 1 - bit);
  return result;
}

// What every party has for every chunk in every round.
class TradeOracle {
 public:
  TradeOracle(std::size_t parties, std::int64_t rounds) : parties_(parties), rounds_(rounds) {}

  // A third of the blocks are empty.
  static TradeOracle random(std::size_t parties, std::int64_t rounds, std::mt19937_64& random) {
    TradeOracle oracle(parties, rounds);
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (std::size_t chunk = 0; chunk < oracle.traders(); ++chunk) {
        for (std::size_t party = 0; party < parties; ++party) {
          if (random() % 3 != 0) oracle.sizes_[{round, chunk, party}] = 1 + static_cast<std::int64_t>(random() % 20);
        }
      }
    }
    return oracle;
  }

  // In round 0.
  void set(std::size_t chunk, std::size_t party, std::int64_t bytes) { sizes_[{0, chunk, party}] = bytes; }

  std::size_t parties() const { return parties_; }
  std::int64_t rounds() const { return rounds_; }
  std::size_t traders() const { return std::bit_floor(parties_); }
  int phases() const { return std::countr_zero(traders()); }
  std::size_t trader_of(std::size_t party) const { return party % traders(); }
  std::size_t aggregator_of(std::size_t chunk) const { return reversed(chunk, phases()); }
  std::int64_t size(std::int64_t round, std::size_t chunk, std::size_t party) const {
    const auto found = sizes_.find({round, chunk, party});
    return found == sizes_.end() ? 0 : found->second;
  }

  // Whether `holder` has the block before a phase: the parties above the traders have given theirs away.
  bool holds(int phase, std::size_t holder, std::size_t chunk, std::size_t party) const {
    if (holder >= traders()) return false;
    const std::size_t low_bits = (std::size_t{1} << phase) - 1;
    return trader_of(party) >> phase == holder >> phase && ((aggregator_of(chunk) ^ holder) & low_bits) == 0;
  }

  // The chunks that it has blocks of, and the bytes of each.
  std::map<std::size_t, std::int64_t> held(int phase, std::size_t holder, std::int64_t round) const {
    std::map<std::size_t, std::int64_t> bytes;
    for (std::size_t chunk = 0; chunk < traders(); ++chunk) {
      for (std::size_t party = 0; party < parties_; ++party) {
        if (holds(phase, holder, chunk, party)) bytes[chunk] += size(round, chunk, party);
      }
    }
    return bytes;
  }

  Trades trades_of(std::size_t party) const {
    std::vector<int> ranks;
    for (std::size_t i = 0; i < parties_; ++i) ranks.push_back(static_cast<int>(i));
    Trades trades(ranks, party, rounds_);
    for (std::int64_t round = 0; round < rounds_; ++round) {
      for (std::size_t chunk = 0; chunk < traders(); ++chunk) trades.own(round)[chunk] = size(round, chunk, party);
    }
    return trades;
  }

 private:
  struct Key {
    std::int64_t round;
    std::size_t chunk;
    std::size_t party;
    auto operator<=>(const Key&) const = default;
  };

  std::size_t parties_;
  std::int64_t rounds_;
  std::map<Key, std::int64_t> sizes_;
};

}  // namespace weir::exec
