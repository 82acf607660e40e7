// PartComm: some ranks of a Comm as a Comm of their own.
#pragma once

#include <vector>

#include "comm/comm.h"

namespace weir::comm {

// On top of a Comm of all ranks, whose messages it sends: both may be used in turn, by one thread at a time.
class PartComm final : public Comm {
 public:
  // `ranks` are those of the part, in order, and `topology` where they are; this rank is ranks[place].
  // REQUIRES that all three outlive this.
  PartComm(Comm& comm, const std::vector<int>& ranks, const Topology& topology, int place)
      : comm_(comm), ranks_(ranks), topology_(topology), place_(place) {}

  int rank() const override { return place_; }
  int size() const override { return static_cast<int>(ranks_.size()); }
  const Topology& topology() const override { return topology_; }
  Ticket send(int to, std::span<const std::byte> data) override { return comm_.send(rank_of(to), data); }
  Ticket receive(int from, std::span<std::byte> data) override { return comm_.receive(rank_of(from), data); }
  Status wait(std::span<const Ticket> tickets) override { return comm_.wait(tickets); }
  // Nobody serves others this way.
  Result<int> receive_any(std::span<std::byte>) override {
    return Status(ErrorClass::kInternal, "a part of the ranks receives from ranks it knows");
  }
  bool progress() override { return comm_.progress(); }
  bool busy() const override { return comm_.busy(); }
  sys::Watch* watch() const override { return comm_.watch(); }

 private:
  int rank_of(int place) const { return ranks_[static_cast<std::size_t>(place)]; }

  Comm& comm_;
  const std::vector<int>& ranks_;
  const Topology& topology_;
  const int place_;
};

}  // namespace weir::comm
