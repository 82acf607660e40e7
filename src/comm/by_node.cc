#include "comm/by_node.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "comm/collectives.h"
#include "comm/part_comm.h"

namespace weir::comm {

namespace {

constexpr int kNobody = -1;

// One rank of each node, in the order of nodes: `chosen` of its own, the first of every other.
std::vector<int> one_of_each_node(const Topology& topology, int chosen) {
  std::vector<int> ranks(static_cast<std::size_t>(topology.node_count()), kNobody);
  if (chosen != kNobody) ranks[static_cast<std::size_t>(topology.node_of[static_cast<std::size_t>(chosen)])] = chosen;
  for (std::size_t rank = 0; rank < topology.node_of.size(); ++rank) {
    int& speaker = ranks[static_cast<std::size_t>(topology.node_of[rank])];
    if (speaker == kNobody) speaker = static_cast<int>(rank);
  }
  return ranks;
}

int place_of(const std::vector<int>& ranks, int rank) {
  return static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
}

// The two parts that a rank may belong to: its node, and those who speak for the nodes.
struct Parts {
  Parts(Comm& comm, int chosen)
      : node(comm.topology().node_of[static_cast<std::size_t>(comm.rank())]),
        beside(comm.topology().ranks_of(node)),
        speakers(one_of_each_node(comm.topology(), chosen)),
        speaker(speakers[static_cast<std::size_t>(node)]),
        one_node{std::vector<int>(beside.size(), 0)},
        each_on_its_own(one_rank_a_node(static_cast<int>(speakers.size()))),
        within(comm, beside, one_node, place_of(beside, comm.rank())),
        between(comm, speakers, each_on_its_own, node),
        speaks(comm.rank() == speaker) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  // COLLECTIVE in the node: what its speaker has, for all of it.
  Status tell_node(std::span<std::byte> data) { return broadcast(within, place_of(beside, speaker), data); }

  const int node;
  const std::vector<int> beside;
  const std::vector<int> speakers;
  const int speaker;
  const Topology one_node;
  const Topology each_on_its_own;
  PartComm within;
  PartComm between;  // only of those who speak
  const bool speaks;
};

// Up a binomial tree: rank 0 of `part` gets the values of all combined.
Status reduce_to_first(Comm& part, Reduction reduction, std::span<std::int64_t> values) {
  std::vector<std::int64_t> theirs(values.size());
  Status status;
  for (int distance = 1; distance < part.size(); distance *= 2) {
    if ((part.rank() & distance) != 0) {
      return std::move(status).or_else(send_now(part, part.rank() - distance, std::as_bytes(values)));
    }
    if (part.rank() + distance >= part.size()) continue;
    status =
        std::move(status).or_else(receive_now(part, part.rank() + distance, std::as_writable_bytes(std::span(theirs))));
    combine_into(reduction, values, theirs);
  }
  return status;
}

}  // namespace

bool goes_by_node(const Topology& topology) {
  const int nodes = topology.node_count();
  return nodes > 1 && static_cast<std::size_t>(nodes) < topology.node_of.size();
}

Status reduce_by_node(Comm& comm, Reduction reduction, std::span<std::int64_t> values) {
  Parts parts(comm, kNobody);
  Status status = reduce_to_first(parts.within, reduction, values);
  if (parts.speaks) status = std::move(status).or_else(reduce_all(parts.between, reduction, values));
  return std::move(status).or_else(parts.tell_node(std::as_writable_bytes(values)));
}

// The root speaks for its node.
Status broadcast_by_node(Comm& comm, int root, std::span<std::byte> data) {
  Parts parts(comm, root);
  Status status;
  if (parts.speaks) {
    const int root_node = comm.topology().node_of[static_cast<std::size_t>(root)];
    status = broadcast(parts.between, root_node, data);
  }
  return std::move(status).or_else(parts.tell_node(data));
}

}  // namespace weir::comm
