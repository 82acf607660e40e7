// TradeShip: the pairwise exchange. In phase k a rank trades with the partner whose number differs in bit k: each keeps
// what is for aggregators with its own bit and gives the rest away. After the last phase a rank holds what is for
// itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/ship.h"

namespace weir::exec {

// Aggregators are the ranks below the greatest power of two; a rank above hands its bytes to the one that much below it
// before the first phase. Reading, everything runs backwards.
//
// Before phase k, rank r holds the blocks of all origins that agree with it in bits k and above, for all aggregators
// that agree with it in the bits below k: ordered by aggregator, then by origin.
class TradeShip final : public Ship {
 public:
  TradeShip(const PlannedCall& call, Mover& mover);

  void exchange(std::int64_t round) override;
  void finish() override {}

 private:
  // What one rank has for one aggregator in a round. Before the bytes stands where in the file the data ends.
  struct Block {
    int aggregator = 0;
    int origin = 0;
    std::int64_t bytes = 0;  // with the header; 0 when there is no data
    std::int64_t begin = 0;
  };
  using Blocks = std::vector<Block>;

  int core_of(int rank) const { return rank < cores_ ? rank : rank - cores_; }
  std::int64_t block_bytes(int origin, int aggregator, std::int64_t round) const;
  // What `rank` holds before `phase`.
  void list(int phase, int rank, std::int64_t round, Blocks& blocks) const;
  void list_given(int phase, int from, int to, std::int64_t round, Blocks& blocks) const;
  static std::int64_t total(const Blocks& blocks) {
    return blocks.empty() ? 0 : blocks.back().begin + blocks.back().bytes;
  }

  void fold(std::int64_t round);  // the ranks above the power of two
  void trade(int phase, std::int64_t round);
  void pack_own(std::int64_t round);  // between this rank's memory and what it holds before the first phase
  void deliver(std::int64_t round);   // between what it holds after the last phase and its window
  void copy_blocks(const Blocks& from, const std::byte* source, const Blocks& to, std::byte* target) const;
  void swap_messages(int partner, std::int64_t send_bytes, std::int64_t receive_bytes);
  std::int64_t most_held() const;

  const PlannedCall& call_;
  Mover& mover_;
  const int cores_;
  const int phases_;
  std::vector<std::size_t> number_of_;  // of each aggregator's rank
  std::vector<Mover> far_movers_;
  std::vector<std::byte> held_, next_, outgoing_, incoming_;
  Blocks before_, after_, given_, taken_;
};

}  // namespace weir::exec
