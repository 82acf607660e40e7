#include "exec/call/freight_parcels.h"

#include <algorithm>

namespace weir::exec {

std::vector<Parcel> parcels_with_bytes(std::span<const FarRank> far_ranks, std::span<const Share> shares) {
  std::vector<Parcel> parcels;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].bytes == 0) continue;
    const int peer = far_ranks[i].local_aggregator;
    if (parcels.empty() || parcels.back().peer != peer) parcels.push_back({peer, 0, 0, i, i});
    parcels.back().bytes += shares[i].bytes;
    parcels.back().far_end = i + 1;
  }
  return parcels;
}

std::vector<Parcel> parcels_of_all(std::span<const int> parties, std::span<const Parcel> with_bytes) {
  std::vector<Parcel> parcels;
  for (const int party : parties) {
    const auto found = std::ranges::find(with_bytes, party, &Parcel::peer);
    parcels.push_back(found != with_bytes.end() ? *found : Parcel{party});
  }
  return parcels;
}

}  // namespace weir::exec
