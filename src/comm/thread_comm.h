// ThreadComm: ranks as threads of one process. The engine's tests run on it, under thread sanitizer and without a
// launcher; a program of one rank needs nothing else.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "comm/comm.h"

namespace weir::comm {

// How much a Comm sent.
struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  bool operator==(const Traffic&) const = default;
  Traffic& operator+=(const Traffic& more) {
    messages += more.messages;
    bytes += more.bytes;
    return *this;
  }
};

// Who moves a message, whatever its size.
enum class Delivery : std::uint8_t {
  kEager,       // whoever posts the second of send and receive: both are done then, whatever their ranks do
  kRendezvous,  // its two ranks, each inside calls of its Comm: the receiver grants an offered message that meets a
                // receive, the sender then copies it, and after that the receive is done, each at the rank's next step.
                // A rank takes steps all through wait() and receive_any(), and once in send(), receive(), progress().
};

class ThreadGroupState;

// A send is done only once its receive was posted: code that leans on an MPI's buffering hangs here, where it can be
// debugged. With kRendezvous so does code that waits by other means and forgets progress(). A receive that meets a
// message of another size fails with kInternal.
class ThreadComm final : public Comm {
 public:
  ~ThreadComm() override;
  ThreadComm(const ThreadComm&) = delete;
  ThreadComm& operator=(const ThreadComm&) = delete;

  int rank() const override { return rank_; }
  int size() const override;
  const Topology& topology() const override;
  Ticket send(int to, std::span<const std::byte> data) override;
  Ticket receive(int from, std::span<std::byte> data) override;
  Status wait(std::span<const Ticket> tickets) override;
  Result<int> receive_any(std::span<std::byte> data) override;
  // Both from any thread of the rank, at any time. progress() is true when a transfer took a step.
  bool progress() override;
  bool busy() const override { return posted_ > 0; }

  // LOCAL: what this rank sent on this Comm so far.
  Traffic sent() const { return sent_; }
  // Of this, to other nodes.
  Traffic sent_between() const { return sent_between_; }

 private:
  friend class ThreadGroup;
  ThreadComm(std::shared_ptr<ThreadGroupState> state, int rank);

  std::shared_ptr<ThreadGroupState> state_;
  int rank_;
  Traffic sent_;
  Traffic sent_between_;
  std::atomic<int> posted_ = 0;  // and not waited for
};

// The ranks that a set of ThreadComms connects. Each group is a channel of its own; ranks that need several
// channels, like files do, share several groups.
class ThreadGroup {
 public:
  // Ranks r with equal r / ranks_per_node are on one node; 0 puts all on one.
  explicit ThreadGroup(int ranks, int ranks_per_node = 0, Delivery delivery = Delivery::kEager);
  ThreadGroup(Topology topology, Delivery delivery);

  // LOCAL: the end of one rank. REQUIRES at most one alive per rank.
  std::unique_ptr<ThreadComm> comm(int rank) const;

 private:
  std::shared_ptr<ThreadGroupState> state_;
};

// Runs `body` once per rank, each in a thread of its own, on a new group; returns when all have returned.
void run_ranks(int ranks, const std::function<void(ThreadComm&)>& body, Delivery delivery = Delivery::kEager);
void run_ranks(int ranks, int ranks_per_node, const std::function<void(ThreadComm&)>& body,
               Delivery delivery = Delivery::kEager);

// LOCAL: a group of one rank.
std::unique_ptr<Comm> self_comm();

}  // namespace weir::comm
