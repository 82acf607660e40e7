#include "repeats.h"

#include <gtest/gtest.h>

namespace beffio {
namespace {

constexpr std::int64_t kMpart = 8 * kMegabyte;

// Runs a pattern whose repeats take `repeat_seconds` each, and agreements none; the number of batches and repeats.
struct Simulated {
  int batches = 0;
  std::int64_t repeats = 0;
  double seconds = 0;
};

Simulated simulate(double repeat_seconds, double seconds, std::int64_t limit) {
  RepeatState state{.done = 0, .last_batch = 0, .elapsed = 0, .seconds = seconds, .limit = limit};
  Simulated result;
  for (std::int64_t batch = 0; (batch = next_batch(state)) > 0; ++result.batches) {
    state.done += batch;
    state.last_batch = batch;
    state.elapsed += repeat_seconds * static_cast<double>(batch);
  }
  result.repeats = state.done;
  result.seconds = state.elapsed;
  return result;
}

TEST(RepeatsTest, ManyRepeatsNeedFewLooksAtTheClock) {
  const Simulated result = simulate(1e-6, 1, 1'000'000'000);
  EXPECT_NEAR(static_cast<double>(result.repeats), 1e6, 2);
  EXPECT_LE(result.batches, 13);
}

// Section 5 of the paper: a call of 250 us, and 60 us for a barrier and a broadcast. A look at the clock after every
// call costs 19 % of the time, far from the tenth that the paper asks for; in batches that grow it costs next to
// nothing.
TEST(RepeatsTest, LookingAtTheClockCostsLittleEvenOfTheFastestCalls) {
  constexpr double kCall = 250e-6;
  constexpr double kLook = 60e-6;
  EXPECT_GT(kLook / (kCall + kLook), 0.19);
  const double seconds = 300.0 / 64;  // T = 15 minutes, one time unit
  const Simulated result = simulate(kCall, seconds, 1'000'000'000);
  EXPECT_LE(result.batches * kLook / seconds, 0.0005) << result.batches << " looks";
}

TEST(RepeatsTest, TheFirstBatchIsOneRepeat) {
  EXPECT_EQ(next_batch({.done = 0, .last_batch = 0, .elapsed = 0, .seconds = 100, .limit = 50}), 1);
  EXPECT_EQ(simulate(10, 1, 50).repeats, 1) << "longer than its time: executed once";
  EXPECT_EQ(simulate(10, 0, 50).repeats, 1);
}

TEST(RepeatsTest, NoBatchRunsFarPastTheTime) {
  for (const double repeat_seconds : {0.001, 0.03, 0.09, 0.11, 0.6, 0.9}) {
    const Simulated result = simulate(repeat_seconds, 1, 1'000'000);
    EXPECT_LE(result.seconds, 1 + repeat_seconds / 2 + 1e-9) << repeat_seconds;
    EXPECT_GE(result.seconds, 1 - repeat_seconds) << repeat_seconds;
  }
}

TEST(RepeatsTest, TheLimitIsMetExactly) {
  EXPECT_EQ(simulate(1e-6, 1, 77).repeats, 77);
  EXPECT_EQ(simulate(1e-6, 1, 1).repeats, 1);
  EXPECT_EQ(simulate(1e-6, 1, 0).repeats, 0);
}

TEST(RepeatsTest, ACallThatTakesNoTimeStillEnds) { EXPECT_EQ(simulate(0, 1, 1'000'000).repeats, 1'000'000); }

TEST(RepeatsTest, WithoutATimeLimitAllRepeatsAreMadeHoweverLongTheyTake) {
  const Simulated result = simulate(1000, kNoTimeLimit, 1'000'000);
  EXPECT_EQ(result.repeats, 1'000'000);
  EXPECT_LE(result.batches, 12);
}

Pattern find(Type type, Chunk chunk, std::int64_t memory_bytes) {
  for (const Pattern& pattern : patterns_of(type, kMpart)) {
    if (pattern.chunk == chunk && pattern.memory_bytes == memory_bytes && pattern.units > 0) return pattern;
  }
  ADD_FAILURE() << "no such pattern";
  return {};
}

TEST(AmountsTest, SegmentsTakeWhatTypes0To2MovedPerUnit) {
  Amounts amounts;
  // 1 MB chunks of type 0: 20 MB in 4 units and 40 MB in 4 units; of types 1 and 2: 5 and 11 MB in 2 units each.
  amounts.add(find(Type::kScatter, Chunk::kOneMegabyte, 2 * kMegabyte), 10);
  amounts.add(find(Type::kScatter, Chunk::kOneMegabyte, kMegabyte), 40);
  amounts.add(find(Type::kShared, Chunk::kOneMegabyte, kMegabyte), 5);
  amounts.add(find(Type::kSeparate, Chunk::kOneMegabyte, kMegabyte), 11);
  // 76 MB in 12 units: 12 MB in the 2 units of type 3.
  EXPECT_EQ(amounts.repeats_for(find(Type::kSegmented, Chunk::kOneMegabyte, kMegabyte)), 12);
  EXPECT_EQ(amounts.repeats_for(find(Type::kSegmented, Chunk::kOneKilobyte, kKilobyte)), std::nullopt);
}

TEST(AmountsTest, WarmingUpIsOneRepeatAndCountsNothing) {
  const Pattern warm_up = patterns_of(Type::kSegmented, kMpart).front();
  Amounts amounts;
  amounts.add(patterns_of(Type::kScatter, kMpart).front(), 1);
  EXPECT_EQ(amounts.repeats_for(find(Type::kSegmented, Chunk::kOneMegabyte, kMegabyte)), std::nullopt);
  EXPECT_EQ(amounts.repeats_for(warm_up), 1);
}

TEST(AmountsTest, AtLeastOneRepeat) {
  Amounts amounts;
  amounts.add(find(Type::kScatter, Chunk::kMpart, kMpart), 1);  // 2 MB per unit: half of a chunk in 2 units
  EXPECT_EQ(amounts.repeats_for(find(Type::kSegmented, Chunk::kMpart, kMpart)), 1);
}

TEST(SegmentTest, RoundsUpToAMegabyteAndToALargerStripingUnit) {
  const std::vector<Pattern> patterns = {{.memory_bytes = kMegabyte}, {.memory_bytes = 1032}};
  const std::vector<std::int64_t> repeats = {3, 1};
  EXPECT_EQ(segment_bytes(patterns, repeats, 0), 4 * kMegabyte);
  EXPECT_EQ(segment_bytes(patterns, repeats, 64 * kKilobyte), 4 * kMegabyte);
  EXPECT_EQ(segment_bytes(patterns, repeats, 16 * kMegabyte), 16 * kMegabyte);
  EXPECT_EQ(segment_bytes(patterns, std::vector<std::int64_t>{3, 0}, 0), 3 * kMegabyte);
}

}  // namespace
}  // namespace beffio
