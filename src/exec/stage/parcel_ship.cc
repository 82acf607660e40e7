#include "exec/stage/parcel_ship.h"

#include <algorithm>

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
      freight_tickets_(freight_rounds(call.plan)),
      parcel_receives_(static_cast<std::size_t>(call.plan.depth)) {}

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
    if (call_.plan.depth == 1) wait(round, tickets_of(freight_tickets_, round));
  }
}

void ParcelShip::finish() {
  for (auto& tickets : parcel_sends_) wait(trace::kUnsaid, tickets);
  for (auto& tickets : freight_tickets_) wait(trace::kUnsaid, tickets);
  if (!call_.writing() && packing_.is_local_aggregator()) packing_.await_all_free();
  data_end_ = packing_.data_end();
}

// A slot is free again when the messages of the round that used it have left.
void ParcelShip::open_for_packing(std::int64_t round) {
  if (!packing_.is_local_aggregator()) return;
  wait(round, tickets_of(parcel_sends_, round));
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
  if (parcels_posted_ == round) {
    packing_.await_free(round);
    post_parcels(round);
  }
  // Messages of later rounds may arrive as well, where nobody needs the slot any more.
  const std::int64_t end = std::min(round + call_.plan.depth, call_.plan.rounds);
  while (parcels_posted_ < end && packing_.is_free(parcels_posted_)) post_parcels(parcels_posted_);
  wait(round, tickets_of(parcel_receives_, round));
  packing_.open(round);
}

void ParcelShip::post_parcels(std::int64_t round) {
  parcels_posted_ = round + 1;
  for (const Parcel& parcel : packing_.parcels(round)) {
    tickets_of(parcel_receives_, round)
        .push_back(call_.comm.receive(parcel.peer, bytes_of(parcel, packing_.buffer(round))));
  }
}

std::byte* ParcelShip::freight_buffer(std::int64_t round) {
  return call_.stores.freight.data() + static_cast<std::size_t>(round) % freight_rounds(call_.plan) *
                                           static_cast<std::size_t>(call_.schedule.freight_buffer_bytes);
}

void ParcelShip::post_freight(std::int64_t round) {
  freight_posted_ = round + 1;
  for (const Parcel& parcel : freight_.parcels(round)) {
    tickets_of(freight_tickets_, round)
        .push_back(call_.comm.receive(parcel.peer, bytes_of(parcel, freight_buffer(round))));
  }
}

// Messages of as many rounds as there are in flight may arrive meanwhile.
void ParcelShip::receive_freight(std::int64_t round) {
  while (freight_posted_ < round + call_.plan.depth) post_freight(freight_posted_);
  wait(round, tickets_of(freight_tickets_, round));
  if (freight_.parcels(round).empty()) return;
  freight_.await_window(round);
  for (const Parcel& parcel : freight_.parcels(round)) freight_.move(round, parcel, freight_buffer(round));
}

void ParcelShip::send_freight(std::int64_t round) {
  if (freight_.parcels(round).empty()) return;
  wait(round, tickets_of(freight_tickets_, round));
  freight_.await_window(round);
  std::byte* buffer = freight_buffer(round);
  for (const Parcel& parcel : freight_.parcels(round)) {
    freight_.move(round, parcel, buffer);
    tickets_of(freight_tickets_, round).push_back(call_.comm.send(parcel.peer, bytes_of(parcel, buffer)));
    count_message(call_, parcel.peer, parcel.bytes);
  }
}

void ParcelShip::wait(std::int64_t round, std::vector<comm::Ticket>& tickets) {
  if (tickets.empty()) return;
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kExchangeTime, {round});
  status_ = std::move(status_).or_else(call_.comm.wait(tickets));
  tickets.clear();
}

}  // namespace weir::exec
