#include "sim/events.h"

#include <algorithm>
#include <utility>

namespace weir::sim {

void EventQueue::at(Micros time, Action action) {
  std::size_t slot = actions_.size();
  if (free_slots_.empty()) {
    actions_.push_back(std::move(action));
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
    actions_[slot] = std::move(action);
  }
  heap_.push_back({std::max(time, now_), orders_++, slot});
  std::ranges::push_heap(heap_, [](const Entry& a, const Entry& b) { return a.later_than(b); });
}

bool EventQueue::step() {
  if (heap_.empty()) return false;
  std::ranges::pop_heap(heap_, [](const Entry& a, const Entry& b) { return a.later_than(b); });
  const Entry entry = heap_.back();
  heap_.pop_back();
  now_ = entry.time;
  ++happened_;
  const Action action = std::move(actions_[entry.slot]);
  free_slots_.push_back(entry.slot);
  action();
  return true;
}

}  // namespace weir::sim
