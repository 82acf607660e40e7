#include "comm/by_node.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "comm/collectives.h"
#include "comm/places.h"
#include "comm/ranks.h"

namespace weir::comm {
namespace {

// Runs `body` on every rank of a place, without a board; returns what all of them sent to other nodes.
std::int64_t run_at(const std::vector<int>& node_of, const std::function<void(ThreadComm&)>& body) {
  SCOPED_TRACE(text_of_place(node_of));
  std::atomic<std::int64_t> between = 0;
  const ThreadGroup group(Topology{node_of}, tested_delivery());
  run_tested_ranks(static_cast<int>(node_of.size()), [&](ThreadComm& channel) {
    const auto comm = group.comm(channel.rank());
    body(*comm);
    between += comm->sent_between().messages;
  });
  return between;
}

std::vector<std::int64_t> run_at_places(const std::function<void(ThreadComm&)>& body) {
  std::vector<std::int64_t> between;
  for (const std::vector<int>& node_of : places()) between.push_back(run_at(node_of, body));
  return between;
}

std::vector<std::int64_t> of_each_place(const std::function<std::int64_t(const Topology&)>& expected) {
  std::vector<std::int64_t> all;
  for (const std::vector<int>& node_of : places()) all.push_back(expected(Topology{node_of}));
  return all;
}

TEST(ByNode, OnlyWhereSeveralNodesHaveRanksTogether) {
  EXPECT_FALSE(goes_by_node(Topology{{0}}));
  EXPECT_FALSE(goes_by_node(Topology{{0, 0, 0}}));
  EXPECT_FALSE(goes_by_node(Topology{{0, 1, 2}}));
  EXPECT_TRUE(goes_by_node(Topology{{0, 1, 0}}));
}

TEST(ByNode, ReductionsCountEveryRankOnce) {
  const auto between = run_at_places([](ThreadComm& comm) {
    std::vector<std::int64_t> values = {comm.rank() + 1, 1};
    ASSERT_TRUE(reduce_all(comm, Reduction::kSum, values).ok());
    EXPECT_EQ(values, (std::vector<std::int64_t>{comm.size() * (comm.size() + 1) / 2, comm.size()}));
  });
  EXPECT_EQ(between, of_each_place([](const Topology& topology) {
              return std::int64_t{topology.node_count()} * steps_of(topology.node_count());
            }));
}

TEST(ByNode, BroadcastsFromEveryRoot) {
  const auto between = run_at_places([](ThreadComm& comm) {
    for (int root = 0; root < comm.size(); ++root) {
      std::vector<int> data(5, comm.rank() == root ? 100 + root : -1);
      ASSERT_TRUE(broadcast(comm, root, std::as_writable_bytes(std::span(data))).ok());
      EXPECT_EQ(data, std::vector<int>(5, 100 + root));
    }
  });
  EXPECT_EQ(between, of_each_place([](const Topology& topology) {
              return static_cast<std::int64_t>(topology.node_of.size()) * (topology.node_count() - 1);
            }));
}

TEST(ByNode, NobodyLeavesABarrierBeforeAllHaveCome) {
  for (const std::vector<int>& node_of : places()) {
    std::atomic<int> arrived = 0;
    run_at(node_of, [&](ThreadComm& comm) {
      for (int round = 1; round <= 3; ++round) {
        ++arrived;
        ASSERT_TRUE(barrier(comm).ok());
        EXPECT_GE(arrived.load(), round * comm.size());
      }
    });
  }
}

}  // namespace
}  // namespace weir::comm
