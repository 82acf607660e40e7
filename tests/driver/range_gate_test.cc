#include "driver/range_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "sys/asleep.h"

namespace weir::driver {
namespace {

// The obvious answer: byte by byte.
std::list<Extent> slow_uncovered(Extent range, const std::list<Extent>& taken) {
  std::list<Extent> parts;
  for (std::int64_t at = range.begin; at < range.end; ++at) {
    bool free = true;
    for (Extent cut : taken) free = free && !cut.contains(at);
    if (!free) continue;
    if (parts.empty() || parts.back().end != at) parts.push_back({at, at});
    parts.back().end = at + 1;
  }
  return parts;
}

TEST(RangeGate, UncoveredMatchesByteByByte) {
  constexpr int kEnd = 6;
  std::vector<Extent> all;
  for (int begin = 0; begin <= kEnd; ++begin) {
    for (int end = begin; end <= kEnd; ++end) all.push_back({begin, end});
  }
  for (Extent range : all) {
    for (Extent a : all) {
      for (Extent b : all) {
        std::list<Extent> merged;  // neighbours joined, as the slow answer gives them
        for (Extent part : uncovered(range, {a, b})) {
          if (!merged.empty() && merged.back().end == part.begin) {
            merged.back().end = part.end;
          } else {
            merged.push_back(part);
          }
        }
        ASSERT_EQ(merged, slow_uncovered(range, {a, b}));
      }
    }
  }
}

TEST(RangeGate, LeavingFreesOnlyWhatNobodyElseHolds) {
  RangeGate gate;
  RangeGate::Ticket a = gate.enter({0, 100}, LockKind::kShared);
  RangeGate::Ticket b = gate.enter({40, 60}, LockKind::kShared);
  std::vector<Extent> freed;
  auto note = [&](Extent part) { freed.push_back(part); };
  gate.leave(a, note);
  EXPECT_EQ(freed, (std::vector<Extent>{{0, 40}, {60, 100}}));
  freed.clear();
  gate.leave(b, note);
  EXPECT_EQ(freed, (std::vector<Extent>{{40, 60}}));
}

TEST(RangeGate, AWriterIsNotStarvedByLaterReaders) {
  RangeGate gate;
  RangeGate::Ticket reader = gate.enter({0, 10}, LockKind::kShared);
  std::atomic<bool> written = false;
  sys::Sleeper first;
  std::jthread writer([&] {
    first.announce();
    RangeGate::Ticket ticket = gate.enter({0, 10}, LockKind::kExclusive);
    written = true;
    gate.leave(ticket);
  });
  first.wait_until_asleep();
  sys::Sleeper second;
  std::jthread late_reader([&] {
    second.announce();
    RangeGate::Ticket ticket = gate.enter({5, 10}, LockKind::kShared);
    EXPECT_TRUE(written);
    gate.leave(ticket);
  });
  second.wait_until_asleep();
  EXPECT_FALSE(written);
  gate.leave(reader);
}

TEST(RangeGate, ExclusiveRangesNeverOverlap) {
  RangeGate gate;
  std::vector<std::int64_t> owned(10, 0);  // plain: a missed exclusion is a data race
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i) {
          Extent range = {(t + i) % 7, (t + i) % 7 + 3};
          RangeGate::Ticket ticket = gate.enter(range, LockKind::kExclusive);
          for (std::int64_t at = range.begin; at < range.end; ++at) ++owned[static_cast<std::size_t>(at)];
          gate.leave(ticket);
        }
      });
    }
  }
  std::int64_t total = 0;
  for (std::int64_t count : owned) total += count;
  EXPECT_EQ(total, 4 * 200 * 3);
}

}  // namespace
}  // namespace weir::driver
