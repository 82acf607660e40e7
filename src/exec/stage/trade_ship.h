// TradeShip: the pairwise exchange. In phase k a rank trades with the partner whose number differs in bit k: each keeps
// what is for aggregators with its own bit and gives the rest away. After the last phase a rank holds what is for
// itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/stage/ship.h"
#include "exec/stage/trades.h"

namespace weir::exec {

// What is held, given and taken is Trades's. Reading, everything runs backwards.
class TradeShip final : public Ship {
 public:
  // Of the schedule's freight_buffer_bytes each.
  static constexpr std::size_t kBuffers = 4;

  TradeShip(const PlannedCall& call, Mover& mover);

  void exchange(std::int64_t round) override;
  void finish() override {}

 private:
  using Block = Trades::Block;
  using Blocks = Trades::Blocks;

  void fold(std::int64_t round);  // the ranks above the power of two
  void trade(int phase, std::int64_t round);
  void pack_own(std::int64_t round);  // between this rank's memory and what it holds before the first phase
  void deliver(std::int64_t round);   // between what it holds after the last phase and its window
  void copy_blocks(const Blocks& from, const std::byte* source, const Blocks& to, std::byte* target) const;
  void swap_messages(int partner, std::int64_t send_bytes, std::int64_t receive_bytes);

  const PlannedCall& call_;
  Mover& mover_;
  const Trades trades_;
  std::vector<Mover>& far_movers_;
  std::span<std::byte> held_, next_, outgoing_, incoming_;
  Blocks before_, after_, given_, taken_;
};

}  // namespace weir::exec
