#include "comm/thread_comm.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace weir::comm {

namespace {

// One side of a message that has not met the other side yet.
struct PostedSend {
  Ticket ticket;
  std::span<const std::byte> data;
};
struct PostedReceive {
  Ticket ticket;
  std::span<std::byte> data;
};

// The messages from one rank to another. At most one of the two queues holds something.
struct Mailbox {
  std::mutex mutex;
  std::deque<PostedSend> sends;
  std::deque<PostedReceive> receives;
};

// What has happened to one rank's transfers.
class Desk {
 public:
  Ticket new_ticket() {
    const std::lock_guard lock(mutex_);
    return next_ticket_++;
  }

  void finish(Ticket ticket, Status status) {
    const std::lock_guard lock(mutex_);
    finished_.emplace(ticket, std::move(status));
    changed_.notify_one();
  }

  Status wait_for(Ticket ticket) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return finished_.contains(ticket); });
    return std::move(finished_.extract(ticket).mapped());
  }

  // Wakes a rank that waits for a message from anyone.
  void announce_arrival() {
    const std::lock_guard lock(mutex_);
    ++arrivals_;
    changed_.notify_one();
  }

  std::int64_t arrivals() {
    const std::lock_guard lock(mutex_);
    return arrivals_;
  }

  void wait_for_arrival_after(std::int64_t seen) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrivals_ != seen; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Ticket next_ticket_ = 1;
  std::unordered_map<Ticket, Status> finished_;
  std::int64_t arrivals_ = 0;
};

Status deliver(std::span<const std::byte> from, std::span<std::byte> to) {
  if (from.size() != to.size()) {
    return {ErrorClass::kInternal,
            fmt::format("a message of {} bytes met a receive of {} bytes", from.size(), to.size())};
  }
  std::copy(from.begin(), from.end(), to.begin());
  return {};
}

}  // namespace

class ThreadGroupState {
 public:
  ThreadGroupState(int ranks, int ranks_per_node)
      : ranks_(ranks),
        mailboxes_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)),
        desks_(static_cast<std::size_t>(ranks)) {
    for (int rank = 0; rank < ranks; ++rank) {
      topology_.node_of.push_back(ranks_per_node == 0 ? 0 : rank / ranks_per_node);
    }
  }

  int ranks() const { return ranks_; }
  const Topology& topology() const { return topology_; }
  Desk& desk(int rank) { return desks_[static_cast<std::size_t>(rank)]; }

  Ticket post_send(int from, int to, std::span<const std::byte> data) {
    const Ticket ticket = desk(from).new_ticket();
    Mailbox& box = mailbox(from, to);
    const std::lock_guard lock(box.mutex);
    if (box.receives.empty()) {
      box.sends.push_back({ticket, data});
      desk(to).announce_arrival();
      return ticket;
    }
    const PostedReceive receive = box.receives.front();
    box.receives.pop_front();
    desk(to).finish(receive.ticket, deliver(data, receive.data));
    desk(from).finish(ticket, {});
    return ticket;
  }

  Ticket post_receive(int from, int to, std::span<std::byte> data) {
    const Ticket ticket = desk(to).new_ticket();
    Mailbox& box = mailbox(from, to);
    const std::lock_guard lock(box.mutex);
    if (box.sends.empty()) {
      box.receives.push_back({ticket, data});
    } else {
      desk(to).finish(ticket, take(box, from, data));
    }
    return ticket;
  }

  // Receives the oldest unmet message of `from`, when there is one.
  bool try_receive(int from, int to, std::span<std::byte> data, Status& status) {
    Mailbox& box = mailbox(from, to);
    const std::lock_guard lock(box.mutex);
    if (box.sends.empty()) return false;
    status = take(box, from, data);
    return true;
  }

 private:
  Mailbox& mailbox(int from, int to) {
    return mailboxes_[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(to)];
  }

  // REQUIRES box.mutex held and a posted send.
  Status take(Mailbox& box, int from, std::span<std::byte> data) {
    const PostedSend send = box.sends.front();
    box.sends.pop_front();
    Status status = deliver(send.data, data);
    desk(from).finish(send.ticket, {});
    return status;
  }

  int ranks_;
  Topology topology_;
  std::vector<Mailbox> mailboxes_;
  std::vector<Desk> desks_;
};

ThreadComm::ThreadComm(std::shared_ptr<ThreadGroupState> state, int rank) : state_(std::move(state)), rank_(rank) {}

ThreadComm::~ThreadComm() = default;

int ThreadComm::size() const { return state_->ranks(); }

const Topology& ThreadComm::topology() const { return state_->topology(); }

Ticket ThreadComm::send(int to, std::span<const std::byte> data) {
  ++sent_.messages;
  sent_.bytes += static_cast<std::int64_t>(data.size());
  return state_->post_send(rank_, to, data);
}

Ticket ThreadComm::receive(int from, std::span<std::byte> data) { return state_->post_receive(from, rank_, data); }

Status ThreadComm::wait(std::span<const Ticket> tickets) {
  Status first;
  for (const Ticket ticket : tickets) {
    Status status = state_->desk(rank_).wait_for(ticket);
    first = std::move(first).or_else(std::move(status));
  }
  return first;
}

Result<int> ThreadComm::receive_any(std::span<std::byte> data) {
  Desk& desk = state_->desk(rank_);
  for (;;) {
    const std::int64_t seen = desk.arrivals();
    for (int from = 0; from < size(); ++from) {
      Status status;
      if (!state_->try_receive(from, rank_, data, status)) continue;
      if (!status.ok()) return status;
      return from;
    }
    desk.wait_for_arrival_after(seen);
  }
}

ThreadGroup::ThreadGroup(int ranks, int ranks_per_node)
    : state_(std::make_shared<ThreadGroupState>(ranks, ranks_per_node)) {}

std::unique_ptr<ThreadComm> ThreadGroup::comm(int rank) const {
  return std::unique_ptr<ThreadComm>(new ThreadComm(state_, rank));
}

void run_ranks(int ranks, const std::function<void(ThreadComm&)>& body) { run_ranks(ranks, 0, body); }

void run_ranks(int ranks, int ranks_per_node, const std::function<void(ThreadComm&)>& body) {
  const ThreadGroup group(ranks, ranks_per_node);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&group, &body, rank] {
      const auto comm = group.comm(rank);
      body(*comm);
    });
  }
}

std::unique_ptr<Comm> self_comm() { return ThreadGroup(1).comm(0); }

}  // namespace weir::comm
