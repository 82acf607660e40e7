#include "exec/stage/parcel_ship.h"

#include "trace/stopwatch.h"

namespace weir::exec {

namespace {

std::span<std::byte> bytes_of(const Parcel& parcel, std::byte* buffer) {
  return {buffer + parcel.begin, static_cast<std::size_t>(Parcel::kHeaderBytes + parcel.bytes)};
}

}  // namespace

ParcelShip::ParcelShip(const PlannedCall& call, Mover& mover)
    : call_(call),
      packing_(call, mover),
      freight_(call),
      parcel_sends_(static_cast<std::size_t>(call.plan.depth)),
      freight_tickets_(kFreightRounds) {}

void ParcelShip::exchange(std::int64_t round) {
  if (call_.writing()) {
    open_for_packing(round);
    packing_.pack(round);
    send_parcels(round);
    receive_freight(round);
  } else {
    send_freight(round);
    receive_parcels(round);
    packing_.pack(round);
    // One round in flight: its messages have left before the next one is read.
    if (call_.plan.depth == 1) wait(tickets_of(freight_tickets_, round));
  }
}

void ParcelShip::finish() {
  for (auto& tickets : parcel_sends_) wait(tickets);
  for (auto& tickets : freight_tickets_) wait(tickets);
  if (!call_.writing() && packing_.is_local_aggregator()) packing_.await_all_free();
  data_end_ = packing_.data_end();
}

// A slot is free again when the messages of the round that used it have left.
void ParcelShip::open_for_packing(std::int64_t round) {
  if (!packing_.is_local_aggregator()) return;
  wait(tickets_of(parcel_sends_, round));
  packing_.open(round);
}

void ParcelShip::send_parcels(std::int64_t round) {
  if (!packing_.is_local_aggregator()) return;
  packing_.await_packed(round);
  std::byte* buffer = packing_.buffer(round);
  for (const Parcel& parcel : packing_.parcels(round)) {
    set_data_end(buffer + parcel.begin, kNoEnd);
    tickets_of(parcel_sends_, round).push_back(call_.comm.send(parcel.peer, bytes_of(parcel, buffer)));
    count_message(call_, parcel.peer, parcel.bytes);
  }
}

void ParcelShip::receive_parcels(std::int64_t round) {
  if (!packing_.is_local_aggregator()) return;
  packing_.await_free(round);
  for (const Parcel& parcel : packing_.parcels(round)) {
    parcel_receives_.push_back(call_.comm.receive(parcel.peer, bytes_of(parcel, packing_.buffer(round))));
  }
  wait(parcel_receives_);
  packing_.open(round);
}

std::byte* ParcelShip::freight_buffer(std::int64_t round) {
  return call_.stores.freight.data() + static_cast<std::size_t>(round) % kFreightRounds *
                                           static_cast<std::size_t>(call_.schedule.freight_buffer_bytes);
}

void ParcelShip::post_freight(std::int64_t round) {
  if (round < freight_posted_) return;
  freight_posted_ = round + 1;
  for (const Parcel& parcel : freight_.parcels(round)) {
    tickets_of(freight_tickets_, round)
        .push_back(call_.comm.receive(parcel.peer, bytes_of(parcel, freight_buffer(round))));
  }
}

// The next round's messages may arrive while this one's are unpacked.
void ParcelShip::receive_freight(std::int64_t round) {
  post_freight(round);
  if (call_.plan.depth > 1) post_freight(round + 1);
  wait(tickets_of(freight_tickets_, round));
  if (freight_.parcels(round).empty()) return;
  freight_.await_window(round);
  for (const Parcel& parcel : freight_.parcels(round)) freight_.move(round, parcel, freight_buffer(round));
}

void ParcelShip::send_freight(std::int64_t round) {
  if (freight_.parcels(round).empty()) return;
  wait(tickets_of(freight_tickets_, round));
  freight_.await_window(round);
  std::byte* buffer = freight_buffer(round);
  for (const Parcel& parcel : freight_.parcels(round)) {
    freight_.move(round, parcel, buffer);
    tickets_of(freight_tickets_, round).push_back(call_.comm.send(parcel.peer, bytes_of(parcel, buffer)));
    count_message(call_, parcel.peer, parcel.bytes);
  }
}

void ParcelShip::wait(std::vector<comm::Ticket>& tickets) {
  if (tickets.empty()) return;
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kExchangeTime);
  status_ = std::move(status_).or_else(call_.comm.wait(tickets));
  tickets.clear();
}

}  // namespace weir::exec
