// Trades: what ranks hold, give and take in the phases of the pairwise exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/stage/schedule.h"
#include "plan/plan.h"

namespace weir::exec {

// Aggregators are the ranks below the greatest power of two; a rank above hands its bytes to the one that much below it
// before the first phase.
//
// Before phase k, rank r holds the blocks of all origins that agree with it in bits k and above, for all aggregators
// that agree with it in the bits below k: ordered by aggregator, then by origin.
class Trades {
 public:
  static constexpr std::int64_t kHeaderBytes = Parcel::kHeaderBytes;
  // What one rank has for one aggregator in a round. Before the bytes stands where in the file the data ends.
  struct Block {
    int aggregator = 0;
    int origin = 0;
    std::int64_t bytes = 0;  // with the header; 0 when there is no data
    std::int64_t begin = 0;
  };
  using Blocks = std::vector<Block>;

  // REQUIRES the bytes of every rank in the schedule. Plan and schedule outlive this.
  Trades(const plan::Plan& plan, const Schedule& schedule);

  // The greatest power of two of ranks; the others give what they have to one of these.
  int traders() const { return traders_; }
  int phases() const { return phases_; }
  int trader_of(int rank) const { return rank < traders_ ? rank : rank - traders_; }
  std::size_t number_of(int aggregator) const { return number_of_[static_cast<std::size_t>(aggregator)]; }

  // What `rank` holds before `phase`.
  void list(int phase, int rank, std::int64_t round, Blocks& blocks) const;
  // Of that, the part for aggregators on the side of `to`.
  void list_given(int phase, int from, int to, std::int64_t round, Blocks& blocks) const;
  static std::int64_t total(const Blocks& blocks) {
    return blocks.empty() ? 0 : blocks.back().begin + blocks.back().bytes;
  }
  // The most bytes that `rank` has in one buffer, in any phase and round.
  std::int64_t most_held(int rank) const;

 private:
  std::int64_t block_bytes(int origin, int aggregator, std::int64_t round) const;

  const plan::Plan& plan_;
  const Schedule& schedule_;
  const int ranks_;
  const int traders_;
  const int phases_;
  std::vector<std::size_t> number_of_;  // of each aggregator's rank
};

}  // namespace weir::exec
