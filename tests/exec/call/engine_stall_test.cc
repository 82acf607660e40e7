// Sixteen ranks on four nodes whose messages need both of their ranks: one that waits for its neighbours of the node,
// and forgets what it has sent, holds up a rank of another node, which holds up the next.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include "driver/fault.h"
#include "exec/effort.h"
#include "exec/engine_run.h"

namespace weir::exec {
namespace {

constexpr int kRanks = 16;
constexpr int kRanksPerNode = 4;
constexpr std::int64_t kPieceBytes = 64;
constexpr std::int64_t kWindowBytes = 1024;
constexpr std::int64_t kFileBytes = 96 * kWindowBytes;
constexpr std::int64_t kRankBytes = kFileBytes / kRanks;

// Exchange, aggregators, local aggregators (0: the engine chooses), rounds in flight, direction.
using Way = std::tuple<std::string, int, int, int, Direction>;

hints::Pairs hints_of(const Way& way) {
  const auto& [exchange, aggregators, local_aggregators, depth, direction] = way;
  hints::Pairs pairs = {{"weir_method", "two_phase"},
                        {"weir_exchange", exchange},
                        {"weir_domains", "even"},
                        {"cb_nodes", std::to_string(aggregators)},
                        {"cb_buffer_size", std::to_string(kWindowBytes)},
                        {"weir_pipeline_depth", std::to_string(depth)}};
  if (local_aggregators > 0) pairs.emplace_back("weir_local_aggregators", std::to_string(local_aggregators));
  return pairs;
}

std::string name_of(const Way& way) {
  const auto& [exchange, aggregators, local_aggregators, depth, direction] = way;
  return exchange + "_of_" + std::to_string(aggregators) + "_local_" + std::to_string(local_aggregators) + "_depth_" +
         std::to_string(depth) + (direction == Direction::kWrite ? "_write" : "_read");
}

// Ranks that write meet in a circle only now and then.
int calls_of(const Way& way) {
  constexpr int kManyCalls = kEveryNth == 1 ? 30 : 1;
  return std::get<Direction>(way) == Direction::kWrite && std::get<std::string>(way) == "shared" ? kManyCalls : 1;
}

std::vector<int> depths() { return kEveryNth == 1 ? std::vector<int>{1, 2, 4} : std::vector<int>{2}; }

// What the rank has in a file that holds pattern(kFileBytes).
Bytes part_of(int rank) {
  const Bytes whole = pattern(kFileBytes);
  Bytes part;
  for (std::int64_t begin = rank * kPieceBytes; begin < kFileBytes; begin += kRanks * kPieceBytes) {
    part.insert(part.end(), whole.begin() + begin, whole.begin() + begin + kPieceBytes);
  }
  return part;
}

class EngineStall : public testing::TestWithParam<Way> {
 protected:
  // COLLECTIVE: some ranks have slower files than others, so that they are in different rounds.
  static void run_rank(Rank& rank, driver::FileDriver& files, const Way& way) {
    driver::FaultDriver driver(files, {.transfer_delay = std::chrono::microseconds(rank.number() * 7 % 5 * 100)});
    auto file = rank.open(driver, kCreateMode, "f", Combination{hints_of(way), kRanksPerNode}.hint_set());
    EXPECT_TRUE(file->set_view({}, interleaved_view(rank.number(), kRanks, kPieceBytes), 1).ok());
    const Direction direction = std::get<Direction>(way);
    const int calls = calls_of(way);
    const Bytes part = part_of(rank.number());
    for (int call = 0; call < calls; ++call) {
      Bytes bytes = direction == Direction::kWrite ? part : Bytes(kRankBytes);
      access(*file, direction, bytes);
      EXPECT_EQ(bytes, part);
    }
    const Counts counts = counts_of(*file);
    EXPECT_EQ(counts.of(trace::Counter::kRounds), calls * kFileBytes / kWindowBytes);
    EXPECT_GT(counts.messages(), 0);
    EXPECT_TRUE(file->close().ok());
  }
};

TEST_P(EngineStall, BlocksInTurn) {
  driver::MemoryDriver files;
  const bool writing = std::get<Direction>(GetParam()) == Direction::kWrite;
  put_file(files, writing ? Bytes(kFileBytes) : pattern(kFileBytes));
  run_file_ranks(kRanks, kRanksPerNode, [&](Rank& rank) { run_rank(rank, files, GetParam()); });
  EXPECT_EQ(files.contents("f").value(), pattern(kFileBytes));
}

INSTANTIATE_TEST_SUITE_P(Ways, EngineStall,
                         testing::Combine(testing::Values("shared", "direct", "pairwise"), testing::Values(8, 16),
                                          testing::Values(0, 2), testing::ValuesIn(depths()),
                                          testing::Values(Direction::kWrite, Direction::kRead)),
                         [](const auto& tested) { return name_of(tested.param); });

}  // namespace
}  // namespace weir::exec
