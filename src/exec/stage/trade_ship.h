// TradeShip: the pairwise exchange. Local aggregators hand on their ranks' parcels in trades of halves; after the last
// one an aggregator holds the parcels of all others for its window.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exec/stage/freight.h"
#include "exec/stage/packing.h"
#include "exec/stage/ship.h"
#include "exec/stage/trader.h"

namespace weir::exec {

// Three steps in a round: ranks pack their bytes in their local aggregator's buffer, local aggregators trade, and
// aggregators place what they end with in their window. Reading, the steps come in the reverse order.
class TradeShip final : public Ship {
 public:
  // Of the schedule's freight_buffer_bytes each.
  static constexpr std::size_t kBuffers = Trader::kBuffers;

  TradeShip(const PlannedCall& call, Mover& mover);

  void exchange(std::int64_t round) override;
  void finish() override;

 private:
  void place_freight(std::int64_t round);

  const PlannedCall& call_;
  Packing packing_;
  Freight freight_;
  Trader trader_;
};

}  // namespace weir::exec
