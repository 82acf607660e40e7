#include "agent/ship_gathered.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "agent/packed_requests.h"
#include "base/guarded.h"
#include "comm/agree.h"

namespace weir::agent {

namespace {

using comm::Ticket;
using driver::IoRequest;

// Nodes that a rank exchanges shipments with at a time: buffers are for these.
constexpr int kNodesAtATime = 4;

// Before each shipment: the bytes and requests that it has, none where there is none, and whether another one follows.
struct Head {
  std::int64_t bytes = 0;
  std::int64_t requests = 0;
  std::int64_t more = 0;
};

// After it: whether the agent holds all of it.
struct Receipt {
  std::int64_t held = 0;
};

template <typename T>
std::span<std::byte> bytes_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

// What one rank has for one agent: blocks, in as many shipments as they need.
class Outbound {
 public:
  Outbound(int to, std::vector<std::int64_t> numbers) : agent(to), numbers_(std::move(numbers)) {}

  const int agent;
  Head head = {0, 0, 1};
  Receipt receipt;
  std::vector<std::byte> payload;
  std::int64_t file_bytes = 0;  // in it

  bool active() const { return head.more != 0; }

  // Makes the next shipment. After a failure it is empty, and the last.
  Status next(BlockTable& away, std::size_t room) {
    head = {};
    receipt = {};
    complete_.clear();
    payload.clear();
    Status status = guarded([&] {
      std::vector<IoRequest> requests;
      fill(away, room, requests);
      pack(requests, payload);
      file_bytes = driver::bytes_of(requests);
      head = {std::ssize(payload), std::ssize(requests), done() ? 0 : 1};
      return Status();
    });
    if (!status.ok()) payload.clear();
    return status;
  }

  // With the receipt: lets blocks go that the agent has all of.
  void settle(BlockTable& away) {
    all_held_ = all_held_ && receipt.held != 0;
    if (!all_held_) return;
    for (const std::int64_t number : complete_) away.hand_over(number);
  }

 private:
  bool done() const { return taken_ == runs_.size() && next_ == numbers_.size(); }

  void fill(BlockTable& away, std::size_t room, std::vector<IoRequest>& requests) {
    for (std::size_t bytes = 0;;) {
      if (taken_ == runs_.size()) {
        if (next_ == numbers_.size()) return;
        runs_ = away.written_runs(numbers_[next_]);
        taken_ = 0;
      }
      const auto now = fitting(std::span(runs_).subspan(taken_), bytes, room);
      bytes += packed_bytes(now);
      requests.insert(requests.end(), now.begin(), now.end());
      taken_ += now.size();
      if (taken_ < runs_.size()) return;
      complete_.push_back(numbers_[next_++]);
    }
  }

  std::vector<std::int64_t> numbers_;
  std::size_t next_ = 0;                // of the numbers: the first block that is not all in a shipment
  std::vector<IoRequest> runs_;         // of that block
  std::size_t taken_ = 0;               // of the runs, those in shipments
  std::vector<std::int64_t> complete_;  // blocks whose last run is in this shipment
  bool all_held_ = true;                // that was shipped before
};

// What comes to one agent from one node.
struct Inbound {
  int sender = 0;
  Head head = {0, 0, 1};
  Receipt receipt = {};
  std::byte* room = nullptr;

  bool active() const { return head.more != 0; }
  std::span<std::byte> payload() const { return {room, static_cast<std::size_t>(head.bytes)}; }
};

// Requests of one block go to the table together.
Status hold(BlockTable& home, std::int64_t block_bytes, const Inbound& inbound) {
  return guarded([&] {
    const std::vector<IoRequest> requests = unpack(inbound.head.requests, inbound.payload());
    Status status;
    for (auto begin = requests.begin(); begin != requests.end() && status.ok();) {
      const auto end = std::find_if(begin, requests.end(), [&](const IoRequest& request) {
        return request.offset / block_bytes != begin->offset / block_bytes;
      });
      status = home.hold({begin, end});
      begin = end;
    }
    return status;
  });
}

// Memory that shipments come to.
class Rooms {
 public:
  Rooms(std::size_t count, std::size_t bytes) {
    for (std::size_t i = 0; i < count; ++i) rooms_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
  }
  std::byte* of(std::size_t i) const { return rooms_[i].get(); }

 private:
  std::vector<std::unique_ptr<std::byte[]>> rooms_;
};

// All shipments between this rank and some nodes. Made before all ranks know that they can go on: run() needs memory
// for shipments only.
class Exchange {
 public:
  Exchange(comm::Comm& comm, const Shipping& shipping, std::vector<Outbound> outbound, const std::vector<int>& senders,
           const Rooms& rooms)
      : comm_(comm),
        shipping_(shipping),
        room_(most_packed_bytes(shipping.block_bytes)),
        outbound_(std::move(outbound)) {
    for (const int sender : senders) inbound_.push_back({.sender = sender, .room = rooms.of(inbound_.size())});
    const std::size_t pairs = outbound_.size() + inbound_.size();
    asked_.reserve(pairs);
    told_.reserve(pairs);
    payloads_.reserve(pairs);
    coming_.reserve(pairs);
    sent_.reserve(3 * pairs);
  }

  Status run() {
    while (std::ranges::any_of(outbound_, &Outbound::active) || std::ranges::any_of(inbound_, &Inbound::active)) {
      round();
    }
    outbound_.clear();
    return std::move(status_);
  }

 private:
  // Everybody posts what it sends before it waits for anything. Between two ranks, both ways, heads come first, then
  // shipments, then receipts.
  void round() {
    sent_.clear();
    send_shipments();
    receive_heads();
    payloads_.clear();
    for (const Inbound* inbound : told_) payloads_.push_back(comm_.receive(inbound->sender, inbound->payload()));
    coming_.clear();
    for (Outbound* outbound : asked_) coming_.push_back(comm_.receive(outbound->agent, bytes_of(outbound->receipt)));
    for (std::size_t i = 0; i < told_.size(); ++i) take(*told_[i], payloads_[i]);
    keep(comm_.wait(coming_));
    keep(comm_.wait(sent_));
    for (Outbound* outbound : asked_) outbound->settle(shipping_.away);
  }

  // Those with a shipment are asked for a receipt.
  void send_shipments() {
    asked_.clear();
    for (Outbound& outbound : outbound_) {
      if (!outbound.active()) continue;
      keep(outbound.next(shipping_.away, room_));
      sent_.push_back(comm_.send(outbound.agent, bytes_of(outbound.head)));
      if (outbound.head.bytes == 0) continue;
      sent_.push_back(comm_.send(outbound.agent, outbound.payload));
      asked_.push_back(&outbound);
      shipping_.counters.questions.fetch_add(1, std::memory_order_relaxed);
      shipping_.counters.bytes.fetch_add(outbound.file_bytes, std::memory_order_relaxed);
    }
  }

  // Those that say that a shipment follows are told of.
  void receive_heads() {
    told_.clear();
    coming_.clear();
    for (Inbound& inbound : inbound_) {
      if (!inbound.active()) continue;
      inbound.head = {};
      coming_.push_back(comm_.receive(inbound.sender, bytes_of(inbound.head)));
      told_.push_back(&inbound);
    }
    keep(comm_.wait(coming_));
    std::erase_if(told_, [](const Inbound* inbound) { return inbound->head.bytes == 0; });
  }

  void take(Inbound& inbound, Ticket payload) {
    Status status = comm_.wait(std::span(&payload, 1));
    if (status.ok()) status = hold(shipping_.home, shipping_.block_bytes, inbound);
    inbound.receipt.held = status.ok() ? 1 : 0;
    keep(std::move(status));
    sent_.push_back(comm_.send(inbound.sender, bytes_of(inbound.receipt)));
  }

  void keep(Status status) { status_ = std::move(status_).or_else(std::move(status)); }

  comm::Comm& comm_;
  const Shipping& shipping_;
  const std::size_t room_;  // of a shipment
  std::vector<Outbound> outbound_;
  std::vector<Inbound> inbound_;
  // Of one round.
  std::vector<Outbound*> asked_;
  std::vector<Inbound*> told_;
  std::vector<Ticket> payloads_;
  std::vector<Ticket> coming_;
  std::vector<Ticket> sent_;
  Status status_;
};

// Who ships what to whom. The ranks of a node take turns in acting for it, by the agents that it has something for.
class Itinerary {
 public:
  Itinerary(const comm::Comm& comm, const Shipping& shipping)
      : rank_(comm.rank()), agents_(shipping.binding.agents), node_of_(comm.topology().node_of) {
    ranks_of_.resize(static_cast<std::size_t>(comm.topology().node_count()));
    agents_of_.resize(ranks_of_.size());
    for (int rank = 0; rank < comm.size(); ++rank) ranks_of_[at(node_of(rank))].push_back(rank);
    for (std::size_t i = 0; i < agents_.size(); ++i) agents_of_[at(node_of(agents_[i]))].push_back(i);
    numbers_.resize(agents_.size());
    for (const std::int64_t number : shipping.away.written()) {
      numbers_[static_cast<std::size_t>(number) % agents_.size()].push_back(number);
    }
  }

  int nodes() const { return static_cast<int>(ranks_of_.size()); }

  // To agents of the node that is `distance` behind this rank's.
  void add_outbound(int distance, std::vector<Outbound>& outbound) {
    const int node = (node_of(rank_) + distance) % nodes();
    for (const std::size_t i : agents_of_[at(node)]) {
      if (acting(node_of(rank_), i) == rank_) outbound.emplace_back(agents_[i], std::move(numbers_[i]));
    }
  }

  // From the node that is `distance` before it.
  void add_sender(int distance, std::vector<int>& senders) const {
    const auto found = std::ranges::find(agents_, rank_);
    if (found == agents_.end()) return;
    const int node = (node_of(rank_) - distance + nodes()) % nodes();
    senders.push_back(acting(node, static_cast<std::size_t>(found - agents_.begin())));
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  int node_of(int rank) const { return node_of_[at(rank)]; }
  int acting(int node, std::size_t agent) const {
    const std::vector<int>& ranks = ranks_of_[at(node)];
    return ranks[agent % ranks.size()];
  }

  const int rank_;
  const std::vector<int>& agents_;
  const std::vector<int>& node_of_;
  std::vector<std::vector<int>> ranks_of_;           // by node
  std::vector<std::vector<std::size_t>> agents_of_;  // likewise: where they stand among the agents
  std::vector<std::vector<std::int64_t>> numbers_;   // of blocks that were written, by agent
};

}  // namespace

Status ship_gathered(comm::Comm& comm, const Shipping& shipping) {
  std::vector<Exchange> exchanges;
  std::unique_ptr<Rooms> rooms;
  Status status = guarded([&] {
    Itinerary itinerary(comm, shipping);
    rooms = std::make_unique<Rooms>(kNodesAtATime, most_packed_bytes(shipping.block_bytes));
    for (int first = 1; first < itinerary.nodes(); first += kNodesAtATime) {
      std::vector<Outbound> outbound;
      std::vector<int> senders;
      for (int distance = first; distance < std::min(first + kNodesAtATime, itinerary.nodes()); ++distance) {
        itinerary.add_outbound(distance, outbound);
        itinerary.add_sender(distance, senders);
      }
      exchanges.emplace_back(comm, shipping, std::move(outbound), senders, *rooms);
    }
    return Status();
  });
  status = agree(comm, status);
  if (!status.ok()) return status;
  for (Exchange& exchange : exchanges) status = std::move(status).or_else(exchange.run());
  return status;
}

}  // namespace weir::agent
