#include "exec/stage/freight.h"

#include "exec/stage/packing.h"
#include "trace/stopwatch.h"

namespace weir::exec {

std::span<const Parcel> Freight::parcels(std::int64_t round) const {
  if (round >= std::ssize(call_.schedule.freight)) return {};
  return call_.schedule.freight[static_cast<std::size_t>(round)];
}

void Freight::await_window(std::int64_t round) {
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kWaitTime, {round});
  call_.group.windows(call_.rank()).await_open(round, &call_.comm);
}

// Rank by rank. Bytes that lie behind the end of the data keep their place.
void Freight::move(std::int64_t round, const Parcel& parcel, std::byte* buffer) {
  trace::Stopwatch stopwatch(call_.counters, trace::Counter::kCopyTime, {round, parcel.bytes});
  const WindowSlot slot = call_.buffers.window(call_.rank(), call_.group.windows(call_.rank()).slot_of(round));
  const std::int64_t begin = call_.plan.region.begin;
  const plan::Window window = window_of(call_.plan, *call_.schedule.aggregator, round).moved(-begin);
  std::int64_t data_end = kNoEnd;
  if (!call_.writing()) {
    data_end = slot.header->data_end;
    set_data_end(buffer + parcel.begin, data_end);
    if (data_end != kNoEnd) data_end -= begin;
  }
  std::byte* packed = buffer + parcel.begin + Parcel::kHeaderBytes;
  for (std::size_t i = parcel.far_begin; i < parcel.far_end; ++i) {
    const std::int64_t bytes = far_movers_[i].bytes_in(window);
    const std::int64_t copied = far_movers_[i].move_packed(call_.plan.direction, window, slot, data_end, packed);
    call_.counters.add(trace::Counter::kBytesCopied, copied);
    packed += bytes;
  }
}

}  // namespace weir::exec
