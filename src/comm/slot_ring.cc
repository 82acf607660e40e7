#include "comm/slot_ring.h"

namespace weir::comm {

void SlotRing::await_users(std::int64_t round, int users) {
  const std::size_t slot = slot_of(round);
  arrived_[slot] += static_cast<std::uint32_t>(users);
  words_->arrived[slot].wait_for(arrived_[slot], looks_);
}

}  // namespace weir::comm
