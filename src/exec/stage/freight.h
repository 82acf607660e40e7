// Freight: between parcels of other groups and the window that this rank keeps as aggregator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/stage/mover.h"
#include "exec/stage/planned_call.h"

namespace weir::exec {

class Freight {
 public:
  // The call outlives this.
  explicit Freight(const PlannedCall& call) : call_(call), far_movers_(*call.schedule.far_movers) {}

  // The parcels of a round; none where this rank keeps no window.
  std::span<const Parcel> parcels(std::int64_t round) const;
  // Returns when the window may be used. REQUIRES parcels in that round, as all that follows.
  void await_window(std::int64_t round);
  // Copies between the window and a parcel in `buffer`; reading, also where in the file the data ends.
  void move(std::int64_t round, const Parcel& parcel, std::byte* buffer);

 private:
  const PlannedCall& call_;
  std::vector<Mover>& far_movers_;  // of the schedule's far ranks
};

}  // namespace weir::exec
