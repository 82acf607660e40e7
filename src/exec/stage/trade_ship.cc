#include "exec/stage/trade_ship.h"

namespace weir::exec {

TradeShip::TradeShip(const PlannedCall& call, Mover& mover)
    : call_(call),
      packing_(call, mover),
      freight_(call),
      trader_(
          call.comm, call.schedule.trades,
          std::span(call.stores.freight).first(kBuffers * static_cast<std::size_t>(call.schedule.freight_buffer_bytes)),
          call.counters, [&call](int to, std::int64_t bytes) { count_message(call, to, bytes); }) {}

void TradeShip::exchange(std::int64_t round) {
  const bool trades = packing_.is_local_aggregator();
  if (call_.writing()) {
    if (trades) packing_.open(round);
    packing_.pack(round);
    if (trades) {
      packing_.await_packed(round);
      for (const Parcel& parcel : packing_.parcels(round)) set_data_end(packing_.buffer(round) + parcel.begin, kNoEnd);
      trader_.carry(Direction::kWrite, round, packing_.buffer(round));
    }
    place_freight(round);
  } else {
    place_freight(round);
    if (trades) {
      packing_.await_free(round);
      trader_.carry(Direction::kRead, round, packing_.buffer(round));
      packing_.open(round);
    }
    packing_.pack(round);
  }
}

void TradeShip::finish() {
  if (!call_.writing() && packing_.is_local_aggregator()) packing_.await_all_free();
  status_ = trader_.status();
  data_end_ = packing_.data_end();
}

void TradeShip::place_freight(std::int64_t round) {
  if (freight_.parcels(round).empty()) return;
  freight_.await_window(round);
  for (const Parcel& parcel : freight_.parcels(round)) freight_.move(round, parcel, trader_.bundle());
}

}  // namespace weir::exec
