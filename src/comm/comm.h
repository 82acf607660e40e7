// Comm: what the engine needs of a communicator. Everything collective is built on these few calls, so that a run
// under MPI, with ranks as threads, or in a simulator takes the same path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "sys/waiting.h"

namespace weir::comm {

class Board;

// A posted transfer; waited for exactly once, by the rank that posted it.
using Ticket = std::uint64_t;

// Where the ranks are: node_of[rank] numbers the nodes from 0 in order of their lowest rank.
struct Topology {
  std::vector<int> node_of;
  int node_count() const;
  // The ranks of one node, ascending. The first of them acts for the node where one has to.
  std::vector<int> ranks_of(int node) const;
  // Those of the node that `rank` is on.
  std::vector<int> ranks_beside(int rank) const { return ranks_of(node_of[static_cast<std::size_t>(rank)]); }
  // How many ranks the node with most of them has.
  std::size_t largest_node() const;
};

// Numbers the nodes: two ranks are on one node when they have the same label. Any labels do.
Topology topology_of_labels(std::span<const int> label_of_rank);

// As many ranks as nodes.
Topology one_rank_a_node(int nodes);

// One rank's end of a group of ranks with a message channel of its own: messages of two Comms never mix.
// Messages between two ranks arrive in the order they were sent. One thread at a time per Comm, but for what it is as a
// sys::Company: any thread of the rank may call that at any time.
class Comm : public sys::Company {
 public:
  ~Comm() override;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual const Topology& topology() const = 0;

  // Post a transfer; the memory stays untouched by the caller until wait() returns. A message's size equals the
  // size of the receive that meets it.
  virtual Ticket send(int to, std::span<const std::byte> data) = 0;
  virtual Ticket receive(int from, std::span<std::byte> data) = 0;

  // Returns when all are done, also when some of them failed: no transfer touches the caller's memory afterwards.
  // Waiting gives the core away: more ranks than cores is a normal case.
  virtual Status wait(std::span<const Ticket> tickets) = 0;

  // Waits for one message of data.size() bytes from whichever rank sends it, and returns that rank. For services
  // that are idle most of the time: a message may lie for some milliseconds before it is seen.
  // REQUIRES no receive() pending on this Comm meanwhile.
  virtual Result<int> receive_any(std::span<std::byte> data) = 0;

  // COLLECTIVE: from now on, small collectives (collectives.h) go by this board. REQUIRES no collective under way.
  void use_board(std::shared_ptr<Board> board);
  Board* board() const { return board_.get(); }  // null: messages only

  // LOCAL: who hears of long waits with this Comm from now on. Outlives its use.
  void use_watch(sys::Watch* watch) { watch_ = watch; }
  sys::Watch* watch() const override { return watch_; }

 protected:
  Comm();

 private:
  std::shared_ptr<Board> board_;
  sys::Watch* watch_ = nullptr;
};

// LOCAL: one transfer, posted and waited for.
Status send_now(Comm& comm, int to, std::span<const std::byte> data);
Status receive_now(Comm& comm, int from, std::span<std::byte> data);

}  // namespace weir::comm
