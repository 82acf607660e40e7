#include "exec/stage/trades.h"

#include <algorithm>
#include <bit>

namespace weir::exec {

namespace {

bool has_bit(int rank, int bit) { return (rank >> bit & 1) != 0; }

}  // namespace

Trades::Trades(const plan::Plan& plan, const Schedule& schedule)
    : plan_(plan),
      schedule_(schedule),
      ranks_(static_cast<int>(plan.sharing_of.size())),
      traders_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks_)))),
      phases_(std::countr_zero(static_cast<unsigned>(traders_))),
      number_of_(static_cast<std::size_t>(traders_)) {
  for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
    number_of_[static_cast<std::size_t>(plan.aggregators[a])] = a;
  }
}

std::int64_t Trades::most_held(int rank) const {
  std::int64_t most = 0;
  Blocks blocks;
  for (std::int64_t round = 0; round < plan_.rounds; ++round) {
    for (int phase = 0; phase <= phases_; ++phase) {
      list(phase, trader_of(rank), round, blocks);
      most = std::max(most, total(blocks));
      if (phase == phases_ || rank >= traders_) continue;
      list_given(phase, rank ^ (1 << phase), rank, round, blocks);
      most = std::max(most, total(blocks));
    }
  }
  return most;
}

// A rank's bytes for its own window do not travel.
std::int64_t Trades::block_bytes(int origin, int aggregator, std::int64_t round) const {
  if (origin == aggregator) return 0;
  const std::size_t row = static_cast<std::size_t>(origin) * plan_.aggregators.size() + number_of(aggregator);
  const std::int64_t bytes = schedule_.everyone.at(row, round);
  return bytes > 0 ? kHeaderBytes + bytes : 0;
}

void Trades::list(int phase, int rank, std::int64_t round, Blocks& blocks) const {
  blocks.clear();
  std::int64_t begin = 0;
  const int low_bits = (1 << phase) - 1;
  for (int aggregator = 0; aggregator < traders_; ++aggregator) {
    if (((aggregator ^ rank) & low_bits) != 0) continue;
    for (int origin = 0; origin < ranks_; ++origin) {
      if (trader_of(origin) >> phase != rank >> phase) continue;
      const std::int64_t bytes = block_bytes(origin, aggregator, round);
      blocks.push_back({aggregator, origin, bytes, begin});
      begin += bytes;
    }
  }
}

void Trades::list_given(int phase, int from, int to, std::int64_t round, Blocks& blocks) const {
  list(phase, from, round, blocks);
  std::erase_if(blocks, [&](const Block& block) { return has_bit(block.aggregator, phase) != has_bit(to, phase); });
  std::int64_t begin = 0;
  for (Block& block : blocks) {
    block.begin = begin;
    begin += block.bytes;
  }
}

}  // namespace weir::exec
