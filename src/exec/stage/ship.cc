#include "exec/stage/ship.h"

#include "exec/stage/parcel_ship.h"
#include "exec/stage/trade_ship.h"

namespace weir::exec {

void count_message(const PlannedCall& call, int to, std::int64_t bytes) {
  const std::vector<int>& node_of = call.comm.topology().node_of;
  const bool inside = node_of[static_cast<std::size_t>(to)] == node_of[static_cast<std::size_t>(call.rank())];
  call.counters.add(inside ? trace::Counter::kMessagesInside : trace::Counter::kMessagesBetween);
  call.counters.add(inside ? trace::Counter::kBytesInside : trace::Counter::kBytesBetween, bytes);
}

std::unique_ptr<Ship> make_ship(const PlannedCall& call, Mover& mover) {
  if (call.group.ranks().size() == call.plan.sharing_of.size()) return nullptr;
  if (call.plan.exchange == plan::Exchange::kPairwise) return std::make_unique<TradeShip>(call, mover);
  return std::make_unique<ParcelShip>(call, mover);
}

}  // namespace weir::exec
