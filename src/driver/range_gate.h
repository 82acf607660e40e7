// RangeGate: byte-range locks between the threads of one process.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>

#include "base/extent.h"
#include "driver/file_driver.h"

namespace weir::driver {

// Lets overlapping ranges in one at a time, shared ones together. First come, first served: nobody starves.
class RangeGate {
 public:
  using Ticket = std::uint64_t;

  // Waits until every earlier conflicting holder or waiter has left. `owner` is whoever held_by_other() asks for.
  // REQUIRES: the calling thread holds nothing that overlaps `range`.
  Ticket enter(Extent range, LockKind kind, const void* owner = nullptr);

  // Gives back what enter() granted. `freed` (may be empty) is called for each part of the range that no other holder
  // covers, before anyone else is let in: an operating-system lock on that part can be dropped there.
  void leave(Ticket ticket, const std::function<void(Extent)>& freed = {});

  // Whether another owner is inside with a range that overlaps this one.
  bool held_by_other(Extent range, const void* owner);

 private:
  struct Entry {
    Ticket ticket;
    Extent range;
    LockKind kind;
    const void* owner;
    bool inside;
  };
  using Entries = std::list<Entry>;

  bool may_enter(Entries::const_iterator candidate) const;

  std::mutex mutex_;
  std::atomic<std::uint32_t> leavings_ = 0;
  Entries entries_;  // in order of arrival
  Ticket next_ticket_ = 0;
};

// The parts of `range` that `taken` does not cover, in order; `taken` in any order.
std::list<Extent> uncovered(Extent range, const std::list<Extent>& taken);

}  // namespace weir::driver
