// Network: messages between ranks. A message takes time of its sender's core, of the links of both nodes, and of its
// receiver's core; whoever comes second waits in line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "model/machine.h"
#include "sim/events.h"

namespace weir::sim {

struct Message {
  int from = 0;  // ranks
  int to = 0;
  std::int64_t bytes = 0;
  std::int64_t pieces = 0;  // that the receiver places one by one
  std::int64_t tag = 0;     // the user's
};

// One message alone, between nodes, takes send_us + latency_us + bytes / link_mb_s + receive_us of the model, beside
// what both cores take for the bytes and the receiver to place the pieces. Links pass messages in the order in
// which these come; so do cores. A message that comes to a core where n others wait takes n * waiting_us more: it is
// looked up among them. Ranks of one node need no link.
class Network {
 public:
  struct Users {
    std::function<void(std::size_t message)> arrived;  // it waits at its receiver until take()
    std::function<void(const Message&)> taken;         // its receiver has it
  };

  Network(const model::MachineModel& machine, int ranks, int ranks_per_node, EventQueue& events);

  void set_users(Users users) { users_ = std::move(users); }
  void send(const Message& message);
  // The receiver's core takes the message when those that it was given before are done.
  void take(std::size_t message);
  const Message& message(std::size_t number) const { return messages_[number]; }

  int node_of(int rank) const { return rank / ranks_per_node_; }
  // How much slower a core is to each rank where ranks outnumber cores.
  double crowding() const { return crowding_; }

  std::int64_t sent() const { return sent_; }
  std::int64_t sent_bytes() const { return sent_bytes_; }
  std::size_t most_waiting() const { return most_waiting_; }
  // How long the rank's core has sent, or taken.
  Micros sending(int rank) const { return cores_[static_cast<std::size_t>(rank)].sending; }
  Micros taking(int rank) const { return cores_[static_cast<std::size_t>(rank)].taking; }

 private:
  struct Job {
    std::size_t message;
    bool sending;
  };
  struct Core {
    std::deque<Job> jobs;
    bool working = false;
    std::size_t waiting = 0;  // messages that have come and are not taken
    Micros sending = 0;
    Micros taking = 0;
  };
  struct Link {
    Micros free_out = 0;
    Micros free_in = 0;
  };

  Core& core(int rank) { return cores_[static_cast<std::size_t>(rank)]; }
  Micros cost(const Job& job, const Core& core) const;
  void add_job(int rank, Job job);
  void start_job(int rank);
  void end_job(int rank, Job job);
  void pass_links(std::size_t message);
  void enter_node(std::size_t message, Micros left_at);
  void arrive(std::size_t message);

  model::MachineModel machine_;
  int ranks_per_node_;
  double crowding_;
  EventQueue& events_;
  Users users_;
  std::vector<Core> cores_;
  std::vector<Link> links_;  // of nodes
  std::vector<Message> messages_;
  std::vector<Micros> left_;  // of each message: when its last byte left the sender's node
  std::vector<std::size_t> free_messages_;
  std::int64_t sent_ = 0;
  std::int64_t sent_bytes_ = 0;
  std::size_t most_waiting_ = 0;
};

}  // namespace weir::sim
