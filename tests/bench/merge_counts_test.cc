// How many pieces the ranks of a node have before and after they are merged at local aggregators: the counts of the TAM
// paper, from the workloads' own shares and the plan's own groups.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/workload_support.h"
#include "layout/merge.h"
#include "plan/aggregators.h"
#include "plan/served_ranks.h"
#include "workloads/views.h"

namespace bench {
namespace {

using weir::layout::Layout;
using weir::layout::PieceCounts;

constexpr int kRanksPerNode = 64;
constexpr int kLocalAggregators = 256;  // of all nodes together

// What the plan of a call has to say of its local aggregators.
weir::plan::Plan plan_of(int ranks) {
  weir::plan::Plan plan;
  std::vector<int> node_of;
  for (int rank = 0; rank < ranks; ++rank) node_of.push_back(rank / kRanksPerNode);
  plan.local_aggregators = kLocalAggregators / (ranks / kRanksPerNode);
  plan.local_aggregator_of = weir::plan::local_aggregator_of(node_of, plan.local_aggregators);
  return plan;
}

// The pieces of the first call of every access, summed up over all local aggregators.
PieceCounts count_first_calls(const Settled& workload) {
  const weir::plan::Plan plan = plan_of(workload.shape.ranks);
  const std::size_t accesses = share_of(workload, 0).accesses.size();
  PieceCounts total;
  int local_aggregators = 0;
  for (int rank = 0; rank < workload.shape.ranks; ++rank) {
    if (plan.local_aggregator_of[static_cast<std::size_t>(rank)] != rank) continue;
    ++local_aggregators;
    for (std::size_t access = 0; access < accesses; ++access) {
      std::vector<Layout> requests;
      for (const int served : weir::plan::served_with(plan, rank)) {
        requests.push_back(request_of(share_of(workload, served).accesses[access], 0));
      }
      const PieceCounts counts = weir::layout::count_pieces(requests);
      total.apart += counts.apart;
      total.together += counts.together;
    }
  }
  EXPECT_EQ(local_aggregators, kLocalAggregators);
  return total;
}

// Every call of a rank touches the same bytes as its first, moved by as much on all ranks.
void expect_equal_calls(const Settled& workload, int rank) {
  const Access access = share_of(workload, rank).accesses[0];
  const Layout first = request_of(access, 0);
  for (int call = 0; call < access.calls; ++call) {
    EXPECT_EQ(request_of(access, call), first.shifted(call * access.stride_bytes));
  }
}

struct BtioCase {
  int ranks;
  PieceCounts pieces;  // of 40 arrays
};

class BtioMerge : public testing::TestWithParam<BtioCase> {};

// TAM paper, V-B: 512^3 points of 5 doubles, 40 arrays, 64 ranks a node, 256 local aggregators.
TEST_P(BtioMerge, HasThePapersNumberOfRequests) {
  const Settled workload = settled("btio:side=512:arrays=40", GetParam().ranks, 1);
  for (int rank = 0; rank < GetParam().ranks; rank += GetParam().ranks / 64) expect_equal_calls(workload, rank);
  const PieceCounts one_array = count_first_calls(workload);
  EXPECT_EQ(40 * one_array.apart, GetParam().pieces.apart);
  EXPECT_EQ(40 * one_array.together, GetParam().pieces.together);
}

INSTANTIATE_TEST_SUITE_P(Paper, BtioMerge,
                         testing::Values(BtioCase{1024, {335544320, 84377600}}, BtioCase{4096, {671088640, 43171840}},
                                         BtioCase{16384, {1342177280, 23552000}}),
                         [](const auto& test) { return std::to_string(test.param.ranks); });

// TAM paper, V-C: 800^3 points, 327 680 000 requests on 16384 ranks. The 64 ranks of a node have all of x and two
// neighbouring blocks of y: one piece for each of 50 planes and 16 components.
TEST(S3dMerge, HasThePapersNumberOfRequests) {
  const PieceCounts counts = count_first_calls(settled("s3d:side=800", 16384, 1));
  EXPECT_EQ(counts.apart, 327680000);
  EXPECT_EQ(counts.together, 256 * 50 * 16);
}

}  // namespace
}  // namespace bench
