#include "trace/counters.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

namespace weir::trace {
namespace {

TEST(Counters, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kCounters; ++i) {
    const auto counter = static_cast<Counter>(i);
    EXPECT_FALSE(name(counter).empty());
    EXPECT_EQ(name(counter).ends_with("_seconds"), is_time(counter)) << name(counter);
    names.insert(name(counter));
  }
  EXPECT_EQ(names.size(), kCounters);
}

TEST(Counters, LoseNothingBetweenThreads) {
  Counters counters;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 1000; ++j) counters.add(Counter::kBytesRead, 3);
      });
    }
  }
  EXPECT_EQ(value_of(counters.values(), Counter::kBytesRead), 12000);
  EXPECT_EQ(value_of(counters.values(), Counter::kBytesWritten), 0);
}

TEST(Counters, AreChosenByDirection) {
  EXPECT_EQ(by_direction(Direction::kRead, Counter::kList, Counter::kSieve), Counter::kList);
  EXPECT_EQ(by_direction(Direction::kWrite, Counter::kList, Counter::kSieve), Counter::kSieve);
}

}  // namespace
}  // namespace weir::trace
