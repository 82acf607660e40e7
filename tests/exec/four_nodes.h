// Sixteen ranks on four nodes, with an aggregator on each node that has six windows of 1024 bytes.
#pragma once

#include <cstdint>
#include <string>

#include "exec/engine_run.h"

namespace weir::exec {

inline constexpr int kNodes = 4;
inline constexpr int kRanksPerNode = 4;
inline constexpr int kRanks = kNodes * kRanksPerNode;
inline constexpr std::int64_t kWindow = 1024;
inline constexpr std::int64_t kRoundsEach = 6;
inline constexpr std::int64_t kFileBytes = kNodes * kRoundsEach * kWindow;
inline constexpr std::int64_t kMine = kFileBytes / kRanks;
inline constexpr std::int64_t kBlock = 16;

// The hints that make it so, and others.
inline hints::Pairs four_aggregators(const hints::Pairs& more) {
  hints::Pairs pairs = {
      {"weir_domains", "even"}, {"cb_nodes", std::to_string(kNodes)}, {"cb_buffer_size", std::to_string(kWindow)}};
  pairs.insert(pairs.end(), more.begin(), more.end());
  return pairs;
}
inline hints::Pairs with_local_aggregators(int number) { return {{"weir_local_aggregators", std::to_string(number)}}; }

// The plan of the last call.
inline plan::Plan last_plan(OpenFile& file, Direction direction) {
  return file.report().value().calls.of(direction).last_plan().value();
}

// Each rank writes blocks in turn with all others.
inline layout::FileView blocks_in_turn(int rank) { return interleaved_view(rank, kRanks, kBlock); }

}  // namespace weir::exec
