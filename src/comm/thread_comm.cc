#include "comm/thread_comm.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "comm/thread_desk.h"
#include "sys/latch.h"

namespace weir::comm {

namespace {

Status copy(std::span<const std::byte> from, std::span<std::byte> to) {
  if (from.size() != to.size()) {
    return {ErrorClass::kInternal,
            fmt::format("a message of {} bytes met a receive of {} bytes", from.size(), to.size())};
  }
  std::copy(from.begin(), from.end(), to.begin());
  return {};
}

Topology even_topology(int ranks, int ranks_per_node) {
  Topology topology;
  for (int rank = 0; rank < ranks; ++rank) {
    topology.node_of.push_back(ranks_per_node == 0 ? 0 : rank / ranks_per_node);
  }
  return topology;
}

}  // namespace

// The desks. What is laid on a desk is driven: with kEager at once, by whoever laid it there; with kRendezvous by the
// desk's own rank, in its calls.
class ThreadGroupState {
 public:
  ThreadGroupState(Topology topology, Delivery delivery)
      : delivery_(delivery),
        topology_(std::move(topology)),
        patience_(sys::patience_for(ranks())),
        desks_(topology_.node_of.size()) {}

  int ranks() const { return static_cast<int>(topology_.node_of.size()); }
  const Topology& topology() const { return topology_; }
  Delivery delivery() const { return delivery_; }

  Ticket send(int from, int to, std::span<const std::byte> data) {
    Transfer offer;
    offer.from = from;
    offer.to = to;
    offer.send = desk(from).new_ticket();
    offer.data = data;
    const Ticket ticket = offer.send;
    hand_to(to, std::move(offer));
    drive(from);
    return ticket;
  }

  Ticket receive(int from, int to, std::span<std::byte> data) {
    const Ticket ticket = desk(to).new_ticket();
    std::optional<Transfer> met = desk(to).post_receive(from, ticket, data);
    if (met) hand_to(from, std::move(*met));
    drive(to);
    return ticket;
  }

  Status wait(int rank, Ticket ticket, sys::Company* company) {
    std::optional<Status> status;
    stay(rank, company, [&] { return (status = desk(rank).take_finished(ticket)).has_value(); });
    return std::move(*status);
  }

  Result<int> receive_any(int rank, std::span<std::byte> data, sys::Company* company) {
    const Ticket ticket = desk(rank).new_ticket();
    std::optional<Transfer> met;
    stay(rank, company, [&] { return (met = desk(rank).meet_any(ticket, data)).has_value(); });
    const int from = met->from;
    hand_to(from, std::move(*met));
    Status status = wait(rank, ticket, company);
    if (!status.ok()) return status;
    return from;
  }

  // Takes every step that is to be taken at this desk; true when there was one.
  bool drive(int rank) {
    bool stepped = false;
    while (std::optional<Transfer> transfer = desk(rank).next(stepped)) {
      if (transfer->stage == Transfer::Stage::kGranted) {
        hand_to(transfer->from, std::move(*transfer));
      } else {
        transfer->status = copy(transfer->data, transfer->room);
        desk(rank).finish(transfer->send, {});
        hand_to(transfer->to, std::move(*transfer));
      }
    }
    return stepped;
  }

 private:
  Desk& desk(int rank) { return desks_[static_cast<std::size_t>(rank)]; }

  // Drives the rank's desk until `found` says true.
  template <typename Found>
  void stay(int rank, sys::Company* company, const Found& found) {
    for (;;) {
      const std::uint32_t seen = desk(rank).bell().rings();
      drive(rank);
      if (found()) return;
      desk(rank).bell().sleep(seen, {company, {"messages of other ranks"}, patience_});
    }
  }

  void hand_to(int rank, Transfer transfer) {
    desk(rank).put(std::move(transfer));
    if (delivery_ == Delivery::kEager) {
      drive(rank);
    } else {
      desk(rank).bell().ring();
    }
  }

  Delivery delivery_;
  Topology topology_;
  sys::Patience patience_;
  std::deque<Desk> desks_;
};

ThreadComm::ThreadComm(std::shared_ptr<ThreadGroupState> state, int rank) : state_(std::move(state)), rank_(rank) {}

ThreadComm::~ThreadComm() = default;

int ThreadComm::size() const { return state_->ranks(); }

const Topology& ThreadComm::topology() const { return state_->topology(); }

Ticket ThreadComm::send(int to, std::span<const std::byte> data) {
  const Traffic message{1, static_cast<std::int64_t>(data.size())};
  const std::vector<int>& node_of = topology().node_of;
  sent_ += message;
  if (node_of[static_cast<std::size_t>(to)] != node_of[static_cast<std::size_t>(rank_)]) sent_between_ += message;
  ++posted_;
  return state_->send(rank_, to, data);
}

Ticket ThreadComm::receive(int from, std::span<std::byte> data) {
  ++posted_;
  return state_->receive(from, rank_, data);
}

Status ThreadComm::wait(std::span<const Ticket> tickets) {
  Status first;
  for (const Ticket ticket : tickets) {
    Status status = state_->wait(rank_, ticket, this);
    --posted_;
    first = std::move(first).or_else(std::move(status));
  }
  return first;
}

Result<int> ThreadComm::receive_any(std::span<std::byte> data) { return state_->receive_any(rank_, data, this); }

bool ThreadComm::progress() { return state_->delivery() == Delivery::kRendezvous && state_->drive(rank_); }

ThreadGroup::ThreadGroup(int ranks, int ranks_per_node, Delivery delivery)
    : ThreadGroup(even_topology(ranks, ranks_per_node), delivery) {}

ThreadGroup::ThreadGroup(Topology topology, Delivery delivery)
    : state_(std::make_shared<ThreadGroupState>(std::move(topology), delivery)) {}

std::unique_ptr<ThreadComm> ThreadGroup::comm(int rank) const {
  return std::unique_ptr<ThreadComm>(new ThreadComm(state_, rank));
}

void run_ranks(int ranks, const std::function<void(ThreadComm&)>& body, Delivery delivery) {
  run_ranks(ranks, 0, body, delivery);
}

void run_ranks(int ranks, int ranks_per_node, const std::function<void(ThreadComm&)>& body, Delivery delivery) {
  const ThreadGroup group(ranks, ranks_per_node, delivery);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&group, &body, rank] {
      const auto comm = group.comm(rank);
      body(*comm);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::unique_ptr<Comm> self_comm() { return ThreadGroup(1).comm(0); }

}  // namespace weir::comm
