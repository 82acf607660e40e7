#include "exec/call/count_pairs.h"

#include <set>
#include <vector>

namespace weir::exec {

plan::Pairs count_pairs(const Schedule& schedule) {
  plan::Pairs pairs;
  for (std::size_t i = 0; i < schedule.near.size(); ++i) {
    std::int64_t turns = 0;
    for (std::int64_t round = 0; round < schedule.rounds[schedule.near[i]]; ++round) {
      turns += schedule.near_bytes.at(i, round) > 0 ? 1 : 0;
    }
    pairs.with_bytes += turns > 0 ? 1 : 0;
    pairs.turns_with_bytes += turns;
  }
  std::set<int> peers;
  for (const std::vector<Parcel>& parcels : schedule.parcels) {
    for (const Parcel& parcel : parcels) {
      if (parcel.bytes == 0) continue;
      peers.insert(parcel.peer);
      ++pairs.turns_with_bytes;
    }
  }
  pairs.with_bytes += std::ssize(peers);
  return pairs;
}

}  // namespace weir::exec
