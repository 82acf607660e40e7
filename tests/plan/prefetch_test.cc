// The prefetching policy, played against every answer that a system can give, beside a list of what became of each
// range.
#include "plan/prefetch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::plan {
namespace {

enum class Fate : std::uint8_t { kUntouched, kHeld, kAccessed };

// The slow, obvious answer: the rules as they were published, on a list of all ranges.
struct Ranges {
  std::vector<Fate> fates;

  std::int64_t count(Fate fate) const { return std::count(fates.begin(), fates.end(), fate); }
  // Turns the first `number` ranges of one fate into another.
  void turn(Fate from, Fate to, std::int64_t number) {
    for (Fate& fate : fates) {
      if (number > 0 && fate == from) {
        fate = to;
        --number;
      }
    }
  }
  std::int64_t left() const { return count(Fate::kUntouched) + count(Fate::kHeld); }
  void access_next() {
    const auto next = std::find_if(fates.begin(), fates.end(), [](Fate fate) { return fate != Fate::kAccessed; });
    *next = Fate::kAccessed;
  }
};

// One read of so many ranges. `excess` is how many ranges an access may touch beyond what the policy says, as a request
// does that is larger than a block.
struct Game {
  std::int64_t max_acc;
  std::int64_t excess;
  std::int64_t games = 0;

  void play(PrefetchPolicy policy, const Ranges& ranges, const std::string& past) {
    if (testing::Test::HasFailure()) return;
    if (ranges.left() == 0) {
      EXPECT_EQ(policy.held(), 0) << past;
      ++games;
      return;
    }
    // As many as fill up what the system holds to 2 * max_acc, and at first just that many or all.
    const std::int64_t held = ranges.count(Fate::kHeld);
    ASSERT_EQ(policy.to_ask(), 2 * max_acc - held) << past;
    const std::int64_t asked = std::min(policy.to_ask(), ranges.count(Fate::kUntouched));
    for (std::int64_t taken = 0; taken <= asked; ++taken) {
      PrefetchPolicy answered = policy;
      Ranges after = ranges;
      answered.took(taken);
      after.turn(Fate::kUntouched, Fate::kHeld, taken);
      access(answered, after, past + " took " + std::to_string(taken) + " of " + std::to_string(asked));
    }
  }

  void access(const PrefetchPolicy& policy, const Ranges& ranges, const std::string& past) {
    const std::int64_t held = ranges.count(Fate::kHeld);
    ASSERT_EQ(policy.held(), held) << past;
    ASSERT_LE(held, 2 * max_acc) << past;
    ASSERT_EQ(policy.to_access(), held == 0 ? 1 : std::min(held, max_acc)) << past;
    for (std::int64_t more = 0; more <= excess; ++more) {
      const std::int64_t accessed = std::min(policy.to_access() + more, ranges.left());
      PrefetchPolicy gone = policy;
      Ranges after = ranges;
      for (std::int64_t i = 0; i < accessed; ++i) after.access_next();
      ASSERT_EQ(gone.accessed(accessed), held - after.count(Fate::kHeld)) << past;
      play(gone, after, past + ", accessed " + std::to_string(accessed) + ",");
    }
  }
};

void play_all(std::int64_t max_acc, std::int64_t ranges, std::int64_t excess) {
  Game game{max_acc, excess};
  game.play(PrefetchPolicy(max_acc), {std::vector<Fate>(static_cast<std::size_t>(ranges), Fate::kUntouched)},
            "max_acc " + std::to_string(max_acc) + ", " + std::to_string(ranges) + " ranges:");
  EXPECT_GT(game.games, 0);
}

TEST(PrefetchPolicy, FollowsTheRulesWhateverTheSystemAnswers) {
  for (std::int64_t max_acc = 1; max_acc <= 5; ++max_acc) {
    for (std::int64_t ranges = 0; ranges <= 9; ++ranges) play_all(max_acc, ranges, 0);
  }
}

TEST(PrefetchPolicy, BearsAccessesThatReachFurther) {
  for (std::int64_t max_acc = 1; max_acc <= 3; ++max_acc) {
    for (std::int64_t ranges = 1; ranges <= 6; ++ranges) play_all(max_acc, ranges, 2);
  }
}

// What a system is asked for that always takes `taken` of what it is asked for, or all.
std::vector<std::int64_t> asked_of(std::int64_t taken, std::int64_t max_acc, std::int64_t ranges) {
  PrefetchPolicy policy(max_acc);
  std::vector<std::int64_t> asked;
  while (ranges > 0) {
    asked.push_back(std::min(policy.to_ask(), ranges - policy.held()));
    policy.took(std::min(taken, asked.back()));
    const std::int64_t accessed = std::min(policy.to_access(), ranges);
    ranges -= accessed;
    policy.accessed(accessed);
  }
  return asked;
}

TEST(PrefetchPolicy, KeepsMaxAccRangesOnTheirWayWhileItAccessesOthers) {
  EXPECT_EQ(asked_of(99, 2, 9), (std::vector<std::int64_t>{4, 2, 2, 1, 0}));
  EXPECT_EQ(asked_of(99, 1, 4), (std::vector<std::int64_t>{2, 1, 1, 0}));
  EXPECT_EQ(asked_of(99, 8, 5), (std::vector<std::int64_t>{5}));
}

TEST(PrefetchPolicy, AsksASystemThatTakesNothingAgainForEveryRange) {
  EXPECT_EQ(asked_of(0, 2, 6), (std::vector<std::int64_t>{4, 4, 4, 3, 2, 1}));
}

}  // namespace
}  // namespace weir::plan
