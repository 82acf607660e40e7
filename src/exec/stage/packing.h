// Packing: how ranks put their bytes into the parcels of their local aggregator, and get them out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "exec/stage/mover.h"
#include "exec/stage/planned_call.h"

namespace weir::exec {

// Parcels of a round lie in a slot of the local aggregator's ring. It opens the round: writing, when the slot is free
// again; reading, when the parcels are there. Then its ranks pack, and it waits for them.
class Packing {
 public:
  // `mover` walks this rank's own request. Both outlive this.
  Packing(const PlannedCall& call, Mover& mover);

  // As one of a local aggregator's ranks, both directions.
  void pack(std::int64_t round);
  // Reading: the lowest file offset at which this rank saw data end.
  std::int64_t data_end() const { return data_end_; }

  bool is_local_aggregator() const { return call_.local_aggregator() == call_.rank(); }
  // What follows is for local aggregators.
  std::span<const Parcel> parcels(std::int64_t round) const;
  std::byte* buffer(std::int64_t round) const;  // that they lie in
  void open(std::int64_t round) { ring_.open(round); }
  void await_packed(std::int64_t round);  // writing
  void await_free(std::int64_t round);    // reading: the slot of this round
  bool is_free(std::int64_t round);       // as await_free() if that returns at once; else false, and nothing happened
  void await_all_free();                  // reading: after the last round

 private:
  bool takes_part(std::int64_t round) const;
  std::int64_t copy(const plan::Window& window, std::byte* packed, std::int64_t data_end);
  void await_users(std::int64_t round);

  const PlannedCall& call_;
  Mover& mover_;
  comm::SlotRing& ring_;  // of this rank's local aggregator
  std::int64_t data_end_ = kNoEnd;
};

// Where in the file the data of a parcel ends; it stands in front of it.
std::int64_t data_end_in(const std::byte* parcel);
void set_data_end(std::byte* parcel, std::int64_t data_end);

}  // namespace weir::exec
