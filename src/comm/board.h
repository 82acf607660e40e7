// Board: where the ranks of a node exchange small blocks through memory they share, without messages. A rank that
// has to wait sleeps on a futex: more ranks than cores is a normal case.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "comm/part_comm.h"
#include "comm/reduction.h"
#include "comm/shared_memory.h"

namespace weir::comm {

// Ranks meet in turns: everybody lays down a block and comes. On one node everybody then reads the blocks. On several,
// the first rank of each node waits for the others of its node, exchanges with the first ranks of the other nodes, and
// lays down what came of it, once for the node; the others read that.
//
// All functions that take a Comm are COLLECTIVE over it; one thread of a rank at a time. Who waits keeps it moving. A
// message between nodes that failed is a failure on the ranks of those nodes.
class Board {
 public:
  // The largest block a rank may bring: an agreed failure with its text fits (agree.h).
  static constexpr std::size_t kBlockBytes = 1088;
  // The largest of which all ranks get all.
  static constexpr std::size_t kGatheredBytes = 192;
  // The memory a board takes on each node.
  static std::size_t bytes_for(const Topology& topology);

  // A board in `memory` from byte `offset` on. REQUIRES: the same offset on all ranks, a multiple of 64; room for
  // bytes_for(topology), zero when the first of them begins.
  Board(std::shared_ptr<SharedMemory> memory, std::size_t offset, const Topology& topology, int rank);

  // Everybody's block, in rank order. REQUIRES mine.size() <= kGatheredBytes, or kBlockBytes on one node.
  Status all_gather(Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all);
  bool gathers(std::size_t block_bytes) const {
    return block_bytes <= (several_nodes() ? kGatheredBytes : kBlockBytes);
  }

  // As comm::gather_by_node(). REQUIRES a block as for all_gather().
  Status gather_by_node(Comm& comm, std::span<const std::byte> mine,
                        const std::function<void(std::span<std::byte>, std::span<const std::byte>)>& combine,
                        std::span<std::byte> all);

  // REQUIRES the values to fit kBlockBytes.
  Status reduce_all(Comm& comm, Reduction reduction, std::span<std::int64_t> values);
  // REQUIRES data.size() <= kBlockBytes.
  Status broadcast(Comm& comm, int root, std::span<std::byte> data);

  // As comm::scan_sum(). REQUIRES scans().
  Result<Scan> scan_sum(Comm& comm, std::int64_t value);
  // Whether the ranks of every node follow each other.
  bool scans() const { return in_rank_order_; }

  // As comm::gather_unless(). REQUIRES values and block to fit kBlockBytes, the block kGatheredBytes.
  Result<std::vector<std::byte>> gather_unless(Comm& comm, std::span<std::int64_t> values,
                                               const std::function<bool()>& settled, std::span<const std::byte> mine);

 private:
  struct Head;
  // What the first rank of a node does between the nodes; a failure is that of its whole node.
  using Between = std::function<Status(PartComm&)>;

  bool several_nodes() const { return first_ranks_.size() > 1; }
  bool acts_for_node() const { return place_ == 0; }
  std::span<std::byte> block(std::size_t place) const;  // of a rank of this node, in this turn
  // What came of the exchange between nodes, in this turn. Both REQUIRE several nodes.
  std::span<std::int64_t> shared_values() const;
  std::span<std::byte> gathered(std::size_t bytes) const;  // by node and place in it
  Status take_turn(Comm& comm, const Between& between);
  void meet_node(Comm& comm);
  void await_node(Comm& comm);
  void await_open(Comm& comm);
  void open_next();
  void reduce_node(Reduction reduction, std::span<std::int64_t> values) const;
  Status reduce_nodes(PartComm& nodes, Reduction reduction, std::size_t count) const;
  void read_reduced(Reduction reduction, std::span<std::int64_t> values) const;
  Status gather_nodes(PartComm& nodes, std::size_t block_begin, std::size_t block_bytes);
  void read_gathered(std::size_t block_begin, std::size_t block_bytes, std::span<std::byte> all) const;

  std::shared_ptr<SharedMemory> memory_;
  Head* head_;
  std::byte* blocks_;
  std::byte* results_;
  std::size_t result_bytes_;
  std::vector<int> node_ranks_;             // of this node, ascending
  std::size_t place_ = 0;                   // of this rank among them
  int node_ = 0;                            // of this rank
  std::vector<int> first_ranks_;            // of all nodes
  std::vector<std::size_t> ranks_of_node_;  // how many
  std::vector<std::size_t> place_of_;       // of every rank, by node and place in it
  bool in_rank_order_ = false;              // place_of_ is
  Topology nodes_;                          // of the first ranks
  sys::Patience patience_;
  std::uint32_t turn_ = 0;  // exchanges done
};

}  // namespace weir::comm
