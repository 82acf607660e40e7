#include "comm/slot_ring.h"

namespace weir::comm {

void SlotRing::await_users(std::int64_t round, int users, sys::Company* company) {
  const std::size_t slot = slot_of(round);
  arrived_[slot] += static_cast<std::uint32_t>(users);
  const sys::Step step{"the ranks that use this rank's buffer", sys::Step::kNoPeer, round};
  words_->arrived[slot].wait_for(arrived_[slot], {company, step, patience_});
}

bool SlotRing::users_came(std::int64_t round, int users) {
  std::uint32_t& arrived = arrived_[slot_of(round)];
  const std::uint32_t target = arrived + static_cast<std::uint32_t>(users);
  if (!words_->arrived[slot_of(round)].reached(target)) return false;
  arrived = target;
  return true;
}

void SlotRing::await_open(std::int64_t round, sys::Company* company) {
  words_->opened.wait_for(number_of(round), {company, {"the buffer of an aggregator", keeper_, round}, patience_});
}

}  // namespace weir::comm
