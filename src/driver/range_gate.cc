#include "driver/range_gate.h"

#include <algorithm>

#include "sys/waiting.h"

namespace weir::driver {

namespace {

bool conflict(LockKind a, LockKind b) { return a == LockKind::kExclusive || b == LockKind::kExclusive; }

}  // namespace

std::list<Extent> uncovered(Extent range, const std::list<Extent>& taken) {
  std::list<Extent> left = {range};
  for (Extent cut : taken) {
    std::list<Extent> rest;
    for (Extent part : left) {
      if (intersection(part, cut).empty()) {
        rest.push_back(part);
        continue;
      }
      if (part.begin < cut.begin) rest.push_back({part.begin, cut.begin});
      if (cut.end < part.end) rest.push_back({cut.end, part.end});
    }
    left = std::move(rest);
  }
  left.remove_if([](Extent part) { return part.empty(); });
  return left;
}

bool RangeGate::may_enter(Entries::const_iterator candidate) const {
  return std::none_of(entries_.begin(), candidate, [&](const Entry& earlier) {
    return conflict(earlier.kind, candidate->kind) && !intersection(earlier.range, candidate->range).empty();
  });
}

RangeGate::Ticket RangeGate::enter(Extent range, LockKind kind, const void* owner) {
  std::unique_lock guard(mutex_);
  auto entry = entries_.insert(entries_.end(), Entry{next_ticket_++, range, kind, owner, false});
  // Who is inside accesses the file and needs nobody.
  sys::Wait wait({nullptr, {"another thread that has locked the same bytes"}});
  while (!may_enter(entry)) {
    const std::uint32_t seen = leavings_.load();
    guard.unlock();
    wait.pause(leavings_, seen);
    guard.lock();
  }
  entry->inside = true;
  return entry->ticket;
}

bool RangeGate::held_by_other(Extent range, const void* owner) {
  std::lock_guard guard(mutex_);
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    return entry.inside && entry.owner != owner && !intersection(entry.range, range).empty();
  });
}

void RangeGate::leave(Ticket ticket, const std::function<void(Extent)>& freed) {
  std::lock_guard guard(mutex_);
  auto entry = std::find_if(entries_.begin(), entries_.end(),
                            [&](const Entry& candidate) { return candidate.ticket == ticket; });
  Extent range = entry->range;
  entries_.erase(entry);
  if (freed) {
    std::list<Extent> held;
    for (const Entry& other : entries_) {
      if (other.inside) held.push_back(other.range);
    }
    for (Extent part : uncovered(range, held)) freed(part);
  }
  leavings_.fetch_add(1);
  sys::wake_all(leavings_);
}

}  // namespace weir::driver
