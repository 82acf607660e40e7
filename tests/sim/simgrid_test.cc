// The exchange of one round, played here and by SimGrid: the same platform, the same messages, times within 20 %.
// SimGrid shares links among messages that pass at once, where we let one pass after the other: so the cases are those
// in which links take longer by far than the receivers' cores.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "bench/workload_support.h"
#include "plan/plan.h"
#include "sim/network.h"
#include "sim/rounds.h"
#include "sim/store.h"
#include "sim/traffic.h"
#include "workloads/views.h"

namespace weir::sim {
namespace {

namespace s4u = simgrid::s4u;

constexpr double kFast = std::numeric_limits<double>::infinity();
constexpr int kNodes = 16;
constexpr double kMicro = 1e-6;

model::MachineModel make_machine() {
  model::MachineModel machine;
  machine.nodes = {.count = kNodes, .ranks_per_node = 16, .cores_per_node = 16};
  machine.network = {
      .latency_us = 5, .link_mb_s = 1000, .core_mb_s = kFast, .send_us = 1, .receive_us = 2, .waiting_us = 0};
  machine.memory = {.copy_mb_s = kFast, .node_copy_mb_s = kFast, .piece_us = 0, .sleep_us = 0};
  machine.storage.behind_network = false;
  machine.storage.cache_mb_s = kFast;  // only the exchange takes time
  machine.storage.block_bytes = 1 << 20;
  return machine;
}

const model::MachineModel& machine() {
  static const model::MachineModel one = make_machine();
  return one;
}

// Sixteen nodes, each with a link in each direction to a switch that never is in the way.
class SimGrid {
 public:
  static SimGrid& instance() {
    static SimGrid one;
    return one;
  }

  // Seconds that the messages take. Senders send theirs one after the other, receivers take theirs so.
  double play(const std::vector<Message>& messages, int ranks_per_node) {
    std::map<int, std::vector<Message>> of_sender;
    std::map<int, int> to_receiver;
    for (const Message& message : messages) {
      of_sender[message.from].push_back(message);
      ++to_receiver[message.to];
    }
    ++runs_;
    const double begin = s4u::Engine::get_clock();
    double end = begin;
    for (const auto& [from, own] : of_sender) {
      s4u::Actor::create(fmt::format("s{}", from), hosts_[static_cast<std::size_t>(from / ranks_per_node)],
                         [this, own] { send(own); });
    }
    for (const auto& [to, count] : to_receiver) {
      s4u::Actor::create(fmt::format("r{}", to), hosts_[static_cast<std::size_t>(to / ranks_per_node)],
                         [this, to = to, count = count, &end] { end = std::max(end, receive(to, count)); });
    }
    engine_.run();
    return end - begin;
  }

 private:
  SimGrid() : engine_(&argument_count_, arguments_) {
    s4u::Engine::set_config("network/model:CM02");
    s4u::Engine::set_config("network/TCP-gamma:0");
    s4u::Engine::set_config("network/crosstraffic:0");
    s4u::NetZone* zone = s4u::create_star_zone("nodes");
    const model::Network network = machine().network;
    for (int node = 0; node < kNodes; ++node) {
      s4u::Host* host = zone->create_host(fmt::format("node{}", node), 1e9);
      const s4u::Link* link = zone->create_split_duplex_link(fmt::format("link{}", node), network.link_mb_s * 1e6)
                                  ->set_latency(network.latency_us / 2 * kMicro)
                                  ->seal();
      zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {{link, s4u::LinkInRoute::Direction::UP}}, true);
      hosts_.push_back(host);
    }
    zone->seal();
  }

  s4u::Mailbox* mailbox(int rank) const { return s4u::Mailbox::by_name(fmt::format("{}-{}", runs_, rank)); }

  void send(const std::vector<Message>& own) const {
    std::vector<s4u::CommPtr> under_way;
    for (const Message& message : own) {
      s4u::this_actor::sleep_for(machine().network.send_us * kMicro);
      under_way.push_back(
          mailbox(message.to)->put_async(new int(message.from), static_cast<std::uint64_t>(message.bytes)));
    }
    for (const s4u::CommPtr& comm : under_way) comm->wait();
  }

  // All receives are posted at once, as aggregators do.
  double receive(int rank, int count) const {
    std::vector<int*> received(static_cast<std::size_t>(count));
    std::vector<s4u::CommPtr> expected;
    for (int*& one : received) expected.push_back(mailbox(rank)->get_async(&one));
    while (!expected.empty()) {
      const ssize_t first = s4u::Comm::wait_any(expected);
      expected.erase(expected.begin() + first);
      s4u::this_actor::sleep_for(machine().network.receive_us * kMicro);
    }
    for (const int* one : received) delete one;
    return s4u::Engine::get_clock();
  }

  int argument_count_ = 1;
  char name_[8] = "simgrid";
  char* arguments_[2] = {name_, nullptr};
  s4u::Engine engine_;
  std::vector<s4u::Host*> hosts_;
  int runs_ = 0;
};

struct Case {
  std::string workload;
  int ranks;
  std::int64_t bytes;
  plan::Exchange exchange;
};

class Exchanges : public testing::TestWithParam<Case> {};

TEST_P(Exchanges, TakeAsLongAsInSimGrid) {
  const Case& one = GetParam();
  const int ranks_per_node = one.ranks / kNodes;
  const bench::Settled workload = bench::settled(one.workload, one.ranks, one.bytes);
  const Requests requests = [&](int rank) { return bench::request_of(bench::share_of(workload, rank).accesses[0], 0); };
  plan::Facts facts;
  facts.direction = Direction::kWrite;
  facts.machine = plan::Machine::evenly(one.ranks, ranks_per_node);
  facts.machine.cores_per_node = ranks_per_node;
  facts.storage = {1 << 20, kNodes, LockProtocol::kNone, true};
  facts.wishes.method = plan::Method::kTwoPhase;
  facts.wishes.exchange = one.exchange;
  facts.wishes.local_aggregators = 1;
  facts.wishes.aggregators = kNodes;
  facts.wishes.most_window_bytes = one.bytes;
  facts.wishes.window_asked = true;
  std::vector<plan::AccessSummary> summaries;
  for (int rank = 0; rank < one.ranks; ++rank) summaries.push_back(plan::summary_of(requests(rank)));
  plan::Plan plan = plan::make_plan(facts, summaries);
  const Traffic traffic = traffic_of(plan, requests, 1);
  ASSERT_EQ(traffic.of_round.size(), 1U);

  std::vector<Message> messages;
  for (const Parcel& parcel : traffic.of_round[0]) {
    const int to = plan.aggregators[static_cast<std::size_t>(parcel.aggregator)];
    // SimGrid's ranks of one node have no link between them either.
    if (parcel.party / ranks_per_node != to / ranks_per_node)
      messages.push_back({.from = parcel.party, .to = to, .bytes = parcel.bytes});
  }
  ASSERT_FALSE(messages.empty());
  EventQueue events;
  Network network(machine(), one.ranks, ranks_per_node, events);
  Store store(machine(), kNodes, events);
  RoundPlayer rounds({machine(), events, network, store}, plan, traffic, 0);
  rounds.start();
  while (events.step()) {
  }
  const double own = events.now() * kMicro;
  const double theirs = SimGrid::instance().play(messages, ranks_per_node);
  RecordProperty("seconds", fmt::format("{}", own));
  RecordProperty("simgrid_seconds", fmt::format("{}", theirs));
  fmt::print("{} ranks, {} messages: {:.0f} us, SimGrid {:.0f} us\n", one.ranks, messages.size(), own / kMicro,
             theirs / kMicro);
  EXPECT_NEAR(own / theirs, 1, 0.2);
}

constexpr std::int64_t kMiB = 1 << 20;

INSTANTIATE_TEST_SUITE_P(All, Exchanges,
                         testing::Values(Case{"cyclic:block=4096", 64, 64 * kMiB, plan::Exchange::kDirect},
                                         Case{"cyclic:block=4096", 256, 64 * kMiB, plan::Exchange::kDirect},
                                         Case{"cyclic:block=4096", 256, 64 * kMiB, plan::Exchange::kShared},
                                         Case{"btio:side=64:arrays=1", 256, 10 * kMiB, plan::Exchange::kShared},
                                         Case{"coll_perf:side=256", 64, 64 * kMiB, plan::Exchange::kShared}));

}  // namespace
}  // namespace weir::sim
