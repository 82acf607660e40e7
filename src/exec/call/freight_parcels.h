// The parcels of one round that an aggregator exchanges with local aggregators of other groups.
#pragma once

#include <span>
#include <vector>

#include "exec/stage/schedule.h"

namespace weir::exec {

// One for each local aggregator whose ranks have bytes; `shares` are those of the far ranks, which stand together by
// local aggregator. The parcels have no place in a buffer yet.
std::vector<Parcel> parcels_with_bytes(std::span<const FarRank> far_ranks, std::span<const Share> shares);

// One for each of `parties`, in their order: those given, and empty ones for the others.
std::vector<Parcel> parcels_of_all(std::span<const int> parties, std::span<const Parcel> with_bytes);

}  // namespace weir::exec
