// NodesComm: the first ranks of all nodes as a Comm of their own, one rank a node.
#pragma once

#include <vector>

#include "comm/comm.h"

namespace weir::comm {

// On top of a Comm of all ranks, whose messages it sends: both may be used in turn, by one thread at a time.
class NodesComm final : public Comm {
 public:
  // `first_ranks` are those of the nodes, in order. REQUIRES that they outlive this, and comm.rank() among them.
  NodesComm(Comm& comm, const std::vector<int>& first_ranks, const Topology& topology, int node)
      : comm_(comm), first_ranks_(first_ranks), topology_(topology), node_(node) {}

  int rank() const override { return node_; }
  int size() const override { return static_cast<int>(first_ranks_.size()); }
  const Topology& topology() const override { return topology_; }
  Ticket send(int to, std::span<const std::byte> data) override { return comm_.send(rank_of(to), data); }
  Ticket receive(int from, std::span<std::byte> data) override { return comm_.receive(rank_of(from), data); }
  Status wait(std::span<const Ticket> tickets) override { return comm_.wait(tickets); }
  // Nobody serves other nodes this way.
  Result<int> receive_any(std::span<std::byte>) override {
    return Status(ErrorClass::kInternal, "the first ranks of the nodes receive from ranks they know");
  }
  bool progress() override { return comm_.progress(); }
  bool busy() const override { return comm_.busy(); }
  sys::Watch* watch() const override { return comm_.watch(); }

 private:
  int rank_of(int node) const { return first_ranks_[static_cast<std::size_t>(node)]; }

  Comm& comm_;
  const std::vector<int>& first_ranks_;
  const Topology& topology_;
  const int node_;
};

}  // namespace weir::comm
