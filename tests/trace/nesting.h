// Whether the events of a timeline are ones that a viewer can draw.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "trace/timeline.h"

namespace weir::trace {

// Events of one track lie within each other or apart; none ends before it begins.
inline void expect_nesting(const RankTimeline& rank) {
  std::map<int, std::vector<Event>> of_track;
  for (const Event& event : rank.events) of_track[event.track].push_back(event);
  for (auto& [track, events] : of_track) {
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return std::tuple(a.begin, -a.end) < std::tuple(b.begin, -b.end); });
    std::vector<Nanoseconds> open_until;
    for (const Event& event : events) {
      EXPECT_LE(event.begin, event.end);
      while (!open_until.empty() && open_until.back() <= event.begin) open_until.pop_back();
      if (!open_until.empty()) {
        EXPECT_LE(event.end, open_until.back()) << rank.names[static_cast<std::size_t>(event.name)];
      }
      open_until.push_back(event.end);
    }
  }
}

}  // namespace weir::trace
