// Random programs of collective calls, in random ways that hints can force, against a map of the file's bytes.
#include "exec/call/collective_random.h"

#include <gtest/gtest.h>

#include "exec/collective_combination.h"
#include "exec/effort.h"
#include "layout/random_types.h"

namespace weir::exec {
namespace {

constexpr int kCalls = 6;

// One program; everything follows from the seed.
void run_program(std::uint64_t seed, std::int64_t most_bytes, std::int64_t largest_buffer_bytes) {
  std::mt19937_64 random(seed);
  const int ranks = 1 + static_cast<int>(random() % 9);
  RandomCalls source(random, ranks, most_bytes);
  CheckedFile checked(ranks, source.storage(), pattern(static_cast<std::int64_t>(random() % 3000), 90));
  const Combination way = random_combination(random, largest_buffer_bytes);
  std::vector<Call> calls;
  for (int i = 0; i < kCalls; ++i) calls.push_back(source.next());
  const hints::HintSet hints = way.hint_set();
  run_file_ranks(ranks, way.ranks_per_node, [&](Rank& rank) {
    auto file = rank.open(checked.driver(), kCreateMode, "f", hints);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const std::string text =
          "WEIR_TEST_SEED=" + std::to_string(seed) + ", call " + std::to_string(i) + "\n" + way.text();
      checked.run(rank, *file, calls[i], text);
    }
    EXPECT_TRUE(file->close().ok());
  });
}

void run_programs(std::uint64_t first_seed, int programs, std::int64_t most_bytes, std::int64_t largest_buffer_bytes) {
  for (int i = 0; i < programs; i += static_cast<int>(every_nth())) {
    run_program(first_seed + static_cast<std::uint64_t>(i), most_bytes, largest_buffer_bytes);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CollectiveRandom, SmallBuffers) { run_programs(1, 300, 500, 100); }
TEST(CollectiveRandom, MiddlingBuffers) { run_programs(1001, 150, 5000, 4000); }
TEST(CollectiveRandom, LargeRequests) { run_programs(2001, 50, 60000, 40000); }

TEST(CollectiveRandom, FreshSeed) {
  const std::uint64_t seed = layout::test_seed();
  std::printf("WEIR_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  run_programs(seed, 100, 5000, 1000);
}

}  // namespace
}  // namespace weir::exec
