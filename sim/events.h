// EventQueue: what happens when. The heart of the simulation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace weir::sim {

// Times are microseconds since the simulation began.
using Micros = double;

// Actions in the order of their times; of equal times, in the order in which they were asked for. So the same input has
// the same course on every machine.
class EventQueue {
 public:
  using Action = std::function<void()>;  // a pointer and a number fit in without memory of its own

  Micros now() const { return now_; }
  std::int64_t happened() const { return happened_; }

  // REQUIRES: time >= now().
  void at(Micros time, Action action);
  void after(Micros delay, Action action) { at(now_ + delay, std::move(action)); }

  // Lets the next action happen; false when there is none.
  bool step();

 private:
  struct Entry {
    Micros time;
    std::uint64_t order;
    std::size_t slot;

    bool later_than(const Entry& other) const { return time != other.time ? time > other.time : order > other.order; }
  };

  std::vector<Entry> heap_;
  std::vector<Action> actions_;  // by slot
  std::vector<std::size_t> free_slots_;
  Micros now_ = 0;
  std::uint64_t orders_ = 0;
  std::int64_t happened_ = 0;
};

}  // namespace weir::sim
