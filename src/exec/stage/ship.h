// Ship: the exchange between ranks and aggregators that share no memory.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "exec/stage/mover.h"
#include "exec/stage/planned_call.h"

namespace weir::exec {

// Writing, this rank's bytes leave for aggregators of other groups, and those of other groups' ranks arrive in the
// window this rank keeps; reading, the reverse. A failure changes nothing in what is sent and waited for.
class Ship {
 public:
  virtual ~Ship() = default;

  // One round. REQUIRES ascending rounds, all of them, on all ranks.
  virtual void exchange(std::int64_t round) = 0;
  // After the last round: everything has arrived.
  virtual void finish() = 0;

  const Status& status() const { return status_; }
  // After finish(), reading: the lowest file offset at which this rank saw data end.
  std::int64_t data_end() const { return data_end_; }

 protected:
  Status status_;
  std::int64_t data_end_ = kNoEnd;
};

// Counts a data message of this rank.
void count_message(const PlannedCall& call, int to, std::int64_t bytes);

// The ship of the call's plan; null when all ranks share memory. `mover` walks this rank's own request.
std::unique_ptr<Ship> make_ship(const PlannedCall& call, Mover& mover);

}  // namespace weir::exec
