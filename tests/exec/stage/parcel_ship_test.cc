// How far ahead a ship of parcels posts its receives: as many rounds as are in flight.
#include "exec/stage/parcel_ship.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "comm/ranks.h"
#include "exec/small_plans.h"

namespace weir::exec {
namespace {

// Counts the receives that are posted and not waited for.
class CountingComm final : public comm::Comm {
 public:
  explicit CountingComm(comm::Comm& comm) : comm_(comm) {}

  int rank() const override { return comm_.rank(); }
  int size() const override { return comm_.size(); }
  const comm::Topology& topology() const override { return comm_.topology(); }
  comm::Ticket send(int to, std::span<const std::byte> data) override { return comm_.send(to, data); }
  comm::Ticket receive(int from, std::span<std::byte> data) override {
    const comm::Ticket ticket = comm_.receive(from, data);
    receives_.insert(ticket);
    most_ = std::max(most_, receives_.size());
    return ticket;
  }
  Status wait(std::span<const comm::Ticket> tickets) override {
    Status status = comm_.wait(tickets);
    for (const comm::Ticket ticket : tickets) receives_.erase(ticket);
    return status;
  }
  Result<int> receive_any(std::span<std::byte> data) override { return comm_.receive_any(data); }
  bool progress() override { return comm_.progress(); }
  bool busy() const override { return comm_.busy(); }

  void start_anew() { most_ = receives_.size(); }
  // The most at a time since then.
  std::size_t most() const { return most_; }

 private:
  comm::Comm& comm_;
  std::set<comm::Ticket> receives_;
  std::size_t most_ = 0;
};

constexpr int kNodes = 3;
constexpr int kRanksPerNode = 2;
constexpr int kRanks = kNodes * kRanksPerNode;
constexpr std::int64_t kWindow = kRanks;
constexpr std::int64_t kRounds = 7;

// An aggregator on each node; every rank has one byte in every window.
SmallPlan plan_of(Direction direction, int depth) {
  plan::Facts facts;
  facts.direction = direction;
  for (int rank = 0; rank < kRanks; ++rank) facts.machine.node_of.push_back(rank / kRanksPerNode);
  facts.machine.sharing_of = facts.machine.node_of;
  facts.machine.most_per_node.assign(kNodes, 1);
  facts.wishes.method = plan::Method::kTwoPhase;
  facts.wishes.exchange = plan::Exchange::kShared;
  facts.wishes.domains = plan::DomainKind::kEven;
  facts.wishes.aggregators = kNodes;
  facts.wishes.most_window_bytes = kWindow;
  facts.wishes.depth = depth;
  std::vector<SmallPlan::Offsets> offsets(kRanks);
  for (std::int64_t offset = 0; offset < kNodes * kRounds * kWindow; ++offset) {
    offsets[static_cast<std::size_t>(offset % kRanks)].push_back(offset);
  }
  return {facts, std::move(offsets)};
}

// The most receives that a rank has posted at a time while its ship sails.
std::size_t most_receives(CountingComm& comm, const SmallPlan& planned) {
  std::vector<std::byte> memory(planned.offsets(comm.rank()).size());
  SmallRank rank(comm, planned, layout::Memory::of(memory.data(), std::ssize(memory)));
  const Schedule schedule = rank.inspect().value();
  const plan::Plan& plan = planned.plan();
  const PlannedCall call{
      plan,          schedule,
      rank.requests, comm,
      *rank.group,   Buffers::make(comm, *rank.group, plan, schedule.berths, schedule.parcel_buffer_bytes).value(),
      rank.stores,   rank.counters};
  for (const int member : rank.group->ranks()) {
    rank.group->windows(member).begin_call(plan.depth);
    rank.group->parcels(member).begin_call(plan.depth);
  }
  Mover mover(rank.requests);
  ParcelShip ship(call, mover);
  comm.start_anew();
  for (std::int64_t round = 0; round < plan.rounds; ++round) {
    if (schedule.aggregator) {
      comm::SlotRing& ring = rank.group->windows(comm.rank());
      *call.buffers.window(comm.rank(), ring.slot_of(round)).header = {kNoEnd, 0};
      ring.open(round);
    }
    ship.exchange(round);
  }
  ship.finish();
  EXPECT_TRUE(ship.status().ok());
  return comm.most();
}

// Writing, aggregators receive from two other nodes; reading, local aggregators from two aggregators. These are the
// first ranks of the nodes.
TEST(ParcelShip, ReceivesArePostedAsManyRoundsAheadAsAreInFlight) {
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    for (const int depth : {1, 2, 3, 5, 7, 12}) {
      const SmallPlan planned = plan_of(direction, depth);
      EXPECT_EQ(planned.plan().rounds, kRounds);
      comm::run_tested_ranks(kRanks, kRanksPerNode, [&](comm::ThreadComm& thread_comm) {
        CountingComm comm(thread_comm);
        const auto rounds = static_cast<std::size_t>(std::min<std::int64_t>(depth, kRounds));
        const std::size_t expected = comm.rank() % kRanksPerNode == 0 ? rounds * (kNodes - 1) : 0;
        EXPECT_EQ(most_receives(comm, planned), expected) << "depth " << depth << ", rank " << comm.rank();
      });
    }
  }
}

}  // namespace
}  // namespace weir::exec
