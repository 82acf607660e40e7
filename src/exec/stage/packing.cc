#include "exec/stage/packing.h"

#include <algorithm>
#include <cstring>

#include "trace/stopwatch.h"

namespace weir::exec {

std::int64_t data_end_in(const std::byte* parcel) {
  std::int64_t data_end = 0;
  std::memcpy(&data_end, parcel, sizeof(data_end));
  return data_end;
}

void set_data_end(std::byte* parcel, std::int64_t data_end) { std::memcpy(parcel, &data_end, sizeof(data_end)); }

Packing::Packing(const PlannedCall& call, Mover& mover)
    : call_(call), mover_(mover), ring_(call.group.parcels(call.local_aggregator())) {}

bool Packing::takes_part(std::int64_t round) const {
  if (!call_.schedule.dense) return !call_.schedule.visits.of(round).empty();
  return call_.schedule.near.size() < call_.plan.aggregators.size();
}

void Packing::pack(std::int64_t round) {
  if (!takes_part(round)) return;
  {
    trace::Stopwatch stopwatch(call_.counters, trace::Counter::kWaitTime, {round});
    ring_.await_open(round, &call_.comm);
  }
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kCopyTime, {round});
  std::byte* parcels = call_.buffers.parcels(call_.local_aggregator(), ring_.slot_of(round));
  std::int64_t copied = 0;
  for (const Visit& visit : call_.schedule.visits.of(round)) {
    const std::int64_t data_end = call_.writing() ? kNoEnd : data_end_in(parcels + visit.place.parcel);
    data_end_ = std::min(data_end_, data_end);
    const plan::Window window = window_of(call_.plan, visit.aggregator, round);
    copied += copy(window, parcels + visit.place.mine, data_end);
  }
  stopwatch.set_bytes(copied);
  call_.counters.add(trace::Counter::kBytesCopied, copied);
  ring_.arrive(round);
}

std::int64_t Packing::copy(const plan::Window& window, std::byte* packed, std::int64_t data_end) {
  const Direction direction = call_.plan.direction;
  if (!call_.schedule.merged) return mover_.pack(direction, window, packed, data_end);
  return mover_.pack_merged(direction, window, {*call_.schedule.merged, call_.plan.region.begin, packed}, data_end);
}

std::span<const Parcel> Packing::parcels(std::int64_t round) const {
  return call_.schedule.parcels[static_cast<std::size_t>(round)];
}

std::byte* Packing::buffer(std::int64_t round) const {
  return call_.buffers.parcels(call_.rank(), ring_.slot_of(round));
}

void Packing::await_users(std::int64_t round) {
  ring_.await_users(round, call_.schedule.parcel_users[static_cast<std::size_t>(round)], &call_.comm);
}

void Packing::await_packed(std::int64_t round) {
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kWaitTime, {round});
  await_users(round);
}

void Packing::await_free(std::int64_t round) {
  if (round >= call_.plan.depth) await_users(round - call_.plan.depth);
}

bool Packing::is_free(std::int64_t round) {
  if (round < call_.plan.depth) return true;
  const std::int64_t before = round - call_.plan.depth;
  return ring_.users_came(before, call_.schedule.parcel_users[static_cast<std::size_t>(before)]);
}

void Packing::await_all_free() {
  const std::int64_t rounds = call_.plan.rounds;
  for (std::int64_t round = std::max<std::int64_t>(0, rounds - call_.plan.depth); round < rounds; ++round) {
    await_users(round);
  }
}

}  // namespace weir::exec
