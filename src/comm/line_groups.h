// LineGroups: a line between ranks as threads.
#pragma once

#include <array>
#include <functional>

#include "comm/line.h"
#include "comm/thread_comm.h"

namespace weir::comm {

class LineGroups {
 public:
  LineGroups(ThreadGroup questions, ThreadGroup answers) : groups_{std::move(questions), std::move(answers)} {}

  // What makes the ends of a rank.
  std::function<Line()> of(int rank) const {
    return [groups = groups_, rank] { return Line::of([&](std::size_t which) { return groups[which].comm(rank); }); };
  }

 private:
  std::array<ThreadGroup, 2> groups_;
};

}  // namespace weir::comm
