#include "comm/comm.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "comm/board.h"

namespace weir::comm {

Comm::Comm() = default;
Comm::~Comm() = default;

void Comm::use_board(std::shared_ptr<Board> board) { board_ = std::move(board); }

int Topology::node_count() const { return node_of.empty() ? 0 : *std::max_element(node_of.begin(), node_of.end()) + 1; }

std::vector<int> Topology::ranks_of(int node) const {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
    if (node_of[rank] == node) ranks.push_back(static_cast<int>(rank));
  }
  return ranks;
}

std::size_t Topology::largest_node() const {
  std::vector<std::size_t> ranks(static_cast<std::size_t>(node_count()), 0);
  for (const int node : node_of) ++ranks[static_cast<std::size_t>(node)];
  return ranks.empty() ? 0 : *std::max_element(ranks.begin(), ranks.end());
}

Topology topology_of_labels(std::span<const int> label_of_rank) {
  Topology topology;
  topology.node_of.reserve(label_of_rank.size());
  std::unordered_map<int, int> node_of_label;
  for (int label : label_of_rank) {
    const int next_node = static_cast<int>(node_of_label.size());
    topology.node_of.push_back(node_of_label.try_emplace(label, next_node).first->second);
  }
  return topology;
}

Topology one_rank_a_node(int nodes) {
  Topology topology{std::vector<int>(static_cast<std::size_t>(nodes))};
  std::iota(topology.node_of.begin(), topology.node_of.end(), 0);
  return topology;
}

Status send_now(Comm& comm, int to, std::span<const std::byte> data) {
  const std::array tickets = {comm.send(to, data)};
  return comm.wait(tickets);
}

Status receive_now(Comm& comm, int from, std::span<std::byte> data) {
  const std::array tickets = {comm.receive(from, data)};
  return comm.wait(tickets);
}

}  // namespace weir::comm
