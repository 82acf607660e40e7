#include "exec/stage/parcel_ship.h"

#include <algorithm>
#include <cstring>

#include "trace/stopwatch.h"

namespace weir::exec {

namespace {

std::span<std::byte> bytes_of(const Parcel& parcel, std::byte* buffer) {
  return {buffer + parcel.begin, static_cast<std::size_t>(Parcel::kHeaderBytes + parcel.bytes)};
}

std::int64_t data_end_in(const std::byte* parcel) {
  std::int64_t data_end = 0;
  std::memcpy(&data_end, parcel, sizeof(data_end));
  return data_end;
}

}  // namespace

ParcelShip::ParcelShip(const PlannedCall& call, Mover& mover)
    : call_(call),
      mover_(mover),
      ring_(call.group.parcels(call.local_aggregator())),
      far_movers_(*call.schedule.far_movers),
      parcel_sends_(static_cast<std::size_t>(call.plan.depth)),
      freight_tickets_(kFreightRounds) {}

void ParcelShip::exchange(std::int64_t round) {
  if (call_.writing()) {
    open_for_packing(round);
    pack(round);
    send_parcels(round);
    receive_freight(round);
  } else {
    send_freight(round);
    receive_parcels(round);
    pack(round);
    // One round in flight: its messages have left before the next one is read.
    if (call_.plan.depth == 1) wait(tickets_of(freight_tickets_, round));
  }
}

void ParcelShip::finish() {
  for (auto& tickets : parcel_sends_) wait(tickets);
  for (auto& tickets : freight_tickets_) wait(tickets);
  if (call_.writing() || !is_local_aggregator()) return;
  const std::int64_t rounds = call_.plan.rounds;
  for (std::int64_t round = std::max<std::int64_t>(0, rounds - call_.plan.depth); round < rounds; ++round) {
    ring_.await_users(round, call_.schedule.parcel_users[static_cast<std::size_t>(round)], &call_.comm);
  }
}

bool ParcelShip::takes_part(std::int64_t round) const {
  if (call_.plan.sparse) return !call_.schedule.visits.of(round).empty();
  return call_.schedule.near.size() < call_.plan.aggregators.size();
}

void ParcelShip::pack(std::int64_t round) {
  if (!takes_part(round)) return;
  {
    trace::Stopwatch stopwatch(call_.counters, trace::Counter::kWaitTime);
    ring_.await_open(round, &call_.comm);
  }
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kCopyTime);
  std::byte* buffer = call_.buffers.parcels(call_.local_aggregator(), ring_.slot_of(round));
  for (const Visit& visit : call_.schedule.visits.of(round)) {
    const std::int64_t data_end = call_.writing() ? kNoEnd : data_end_in(buffer + visit.place.parcel);
    data_end_ = std::min(data_end_, data_end);
    const plan::Window window = window_of(call_.plan, visit.aggregator, round);
    const std::int64_t copied = mover_.pack(call_.plan.direction, window, buffer + visit.place.mine, data_end);
    call_.counters.add(trace::Counter::kBytesCopied, copied);
  }
  ring_.arrive(round);
}

// A slot is free again when the messages of the round that used it have left.
void ParcelShip::open_for_packing(std::int64_t round) {
  if (!is_local_aggregator()) return;
  wait(tickets_of(parcel_sends_, round));
  ring_.open(round);
}

void ParcelShip::send_parcels(std::int64_t round) {
  if (!is_local_aggregator()) return;
  {
    trace::Stopwatch stopwatch(call_.counters, trace::Counter::kWaitTime);
    ring_.await_users(round, call_.schedule.parcel_users[static_cast<std::size_t>(round)], &call_.comm);
  }
  std::byte* buffer = call_.buffers.parcels(call_.rank(), ring_.slot_of(round));
  for (const Parcel& parcel : call_.schedule.parcels[static_cast<std::size_t>(round)]) {
    std::memcpy(buffer + parcel.begin, &kNoEnd, sizeof(kNoEnd));
    tickets_of(parcel_sends_, round).push_back(call_.comm.send(parcel.peer, bytes_of(parcel, buffer)));
    count_message(call_, parcel.peer, parcel.bytes);
  }
}

void ParcelShip::receive_parcels(std::int64_t round) {
  if (!is_local_aggregator()) return;
  const std::int64_t before = round - call_.plan.depth;
  if (before >= 0) {
    ring_.await_users(before, call_.schedule.parcel_users[static_cast<std::size_t>(before)], &call_.comm);
  }
  std::byte* buffer = call_.buffers.parcels(call_.rank(), ring_.slot_of(round));
  for (const Parcel& parcel : call_.schedule.parcels[static_cast<std::size_t>(round)]) {
    parcel_receives_.push_back(call_.comm.receive(parcel.peer, bytes_of(parcel, buffer)));
  }
  wait(parcel_receives_);
  ring_.open(round);
}

std::byte* ParcelShip::freight_buffer(std::int64_t round) {
  return call_.stores.freight.data() + static_cast<std::size_t>(round) % kFreightRounds *
                                           static_cast<std::size_t>(call_.schedule.freight_buffer_bytes);
}

void ParcelShip::post_freight(std::int64_t round) {
  if (round >= std::ssize(call_.schedule.freight) || round < freight_posted_) return;
  freight_posted_ = round + 1;
  for (const Parcel& parcel : call_.schedule.freight[static_cast<std::size_t>(round)]) {
    tickets_of(freight_tickets_, round)
        .push_back(call_.comm.receive(parcel.peer, bytes_of(parcel, freight_buffer(round))));
  }
}

// The next round's messages may arrive while this one's are unpacked.
void ParcelShip::receive_freight(std::int64_t round) {
  if (round >= std::ssize(call_.schedule.freight)) return;
  post_freight(round);
  if (call_.plan.depth > 1) post_freight(round + 1);
  wait(tickets_of(freight_tickets_, round));
  if (call_.schedule.freight[static_cast<std::size_t>(round)].empty()) return;
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kCopyTime);
  comm::SlotRing& windows = call_.group.windows(call_.rank());
  windows.await_open(round, &call_.comm);
  const WindowSlot slot = call_.buffers.window(call_.rank(), windows.slot_of(round));
  const plan::Window window = window_of(call_.plan, *call_.schedule.aggregator, round).moved(-call_.plan.region.begin);
  for (const Parcel& parcel : call_.schedule.freight[static_cast<std::size_t>(round)]) {
    move_parcel(window, slot, parcel, freight_buffer(round), kNoEnd);
  }
}

void ParcelShip::send_freight(std::int64_t round) {
  if (round >= std::ssize(call_.schedule.freight)) return;
  if (call_.schedule.freight[static_cast<std::size_t>(round)].empty()) return;
  wait(tickets_of(freight_tickets_, round));
  comm::SlotRing& windows = call_.group.windows(call_.rank());
  {
    trace::Stopwatch stopwatch(call_.counters, trace::Counter::kWaitTime);
    windows.await_open(round, &call_.comm);
  }
  const WindowSlot slot = call_.buffers.window(call_.rank(), windows.slot_of(round));
  const std::int64_t data_end = slot.header->data_end;
  const std::int64_t begin = call_.plan.region.begin;
  const plan::Window window = window_of(call_.plan, *call_.schedule.aggregator, round).moved(-begin);
  for (const Parcel& parcel : call_.schedule.freight[static_cast<std::size_t>(round)]) {
    std::byte* buffer = freight_buffer(round);
    std::memcpy(buffer + parcel.begin, &data_end, sizeof(data_end));
    {
      trace::Stopwatch stopwatch(call_.counters, trace::Counter::kCopyTime);
      move_parcel(window, slot, parcel, buffer, data_end == kNoEnd ? kNoEnd : data_end - begin);
    }
    tickets_of(freight_tickets_, round).push_back(call_.comm.send(parcel.peer, bytes_of(parcel, buffer)));
    count_message(call_, parcel.peer, parcel.bytes);
  }
}

// Between a parcel and the window, rank by rank. Bytes that lie behind the end of the data keep their place.
void ParcelShip::move_parcel(const plan::Window& window, const WindowSlot& slot, const Parcel& parcel,
                             std::byte* buffer, std::int64_t data_end) {
  std::byte* packed = buffer + parcel.begin + Parcel::kHeaderBytes;
  for (std::size_t i = parcel.far_begin; i < parcel.far_end; ++i) {
    const std::int64_t bytes = far_movers_[i].bytes_in(window);
    const std::int64_t copied = far_movers_[i].move_packed(call_.plan.direction, window, slot, data_end, packed);
    call_.counters.add(trace::Counter::kBytesCopied, copied);
    packed += bytes;
  }
}

void ParcelShip::wait(std::vector<comm::Ticket>& tickets) {
  if (tickets.empty()) return;
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kExchangeTime);
  status_ = std::move(status_).or_else(call_.comm.wait(tickets));
  tickets.clear();
}

}  // namespace weir::exec
