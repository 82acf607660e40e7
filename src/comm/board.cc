#include "comm/board.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "comm/collectives.h"
#include "sys/latch.h"

namespace weir::comm {

// The words the ranks of a node meet in. `arrived` counts them over all turns. On one node the last to arrive opens the
// next turn, on several the node's first rank does.
struct alignas(64) Board::Head {
  std::atomic<std::uint32_t> arrived;
  alignas(64) std::atomic<std::uint32_t> open_turn;
  std::atomic<std::uint32_t> failed[2];  // by turn: the exchange between nodes
};

namespace {

constexpr std::size_t kLine = 64;

// What comes of an exchange between nodes.
std::size_t result_bytes_for(const Topology& topology) {
  if (topology.node_count() == 1) return 0;
  return (Board::kBlockBytes + topology.node_of.size() * Board::kGatheredBytes + kLine - 1) / kLine * kLine;
}

}  // namespace

// Two blocks per rank: a rank may begin the next exchange while others still read this one; it cannot get to the one
// after, because that needs everybody to have begun the next. The same holds for results.
std::size_t Board::bytes_for(const Topology& topology) {
  return sizeof(Head) + 2 * (topology.largest_node() * kBlockBytes + result_bytes_for(topology));
}

Board::Board(std::shared_ptr<SharedMemory> memory, std::size_t offset, const Topology& topology, int rank)
    : memory_(std::move(memory)),
      result_bytes_(result_bytes_for(topology)),
      node_(topology.node_of[static_cast<std::size_t>(rank)]),
      first_ranks_(static_cast<std::size_t>(topology.node_count()), -1),
      ranks_of_node_(first_ranks_.size(), 0),
      nodes_(one_rank_a_node(topology.node_count())) {
  std::byte* start = memory_->bytes().data() + offset;
  head_ = reinterpret_cast<Head*>(start);
  results_ = start + sizeof(Head);
  blocks_ = results_ + 2 * result_bytes_;
  node_ranks_ = topology.ranks_of(node_);
  place_ =
      static_cast<std::size_t>(std::lower_bound(node_ranks_.begin(), node_ranks_.end(), rank) - node_ranks_.begin());
  patience_ = sys::patience_for(static_cast<int>(node_ranks_.size()));
  for (std::size_t other = 0; other < topology.node_of.size(); ++other) {
    const auto node = static_cast<std::size_t>(topology.node_of[other]);
    if (first_ranks_[node] < 0) first_ranks_[node] = static_cast<int>(other);
    place_of_.push_back(ranks_of_node_[node]++);
  }
  std::vector<std::size_t> begin(ranks_of_node_.size(), 0);
  std::exclusive_scan(ranks_of_node_.begin(), ranks_of_node_.end(), begin.begin(), std::size_t{0});
  for (std::size_t other = 0; other < place_of_.size(); ++other) {
    place_of_[other] += begin[static_cast<std::size_t>(topology.node_of[other])];
  }
  in_rank_order_ = std::ranges::is_sorted(place_of_);
}

std::span<std::byte> Board::block(std::size_t place) const {
  return {blocks_ + ((turn_ % 2) * node_ranks_.size() + place) * kBlockBytes, kBlockBytes};
}

std::span<std::int64_t> Board::shared_values() const {
  return {reinterpret_cast<std::int64_t*>(results_ + (turn_ % 2) * result_bytes_), kBlockBytes / sizeof(std::int64_t)};
}

std::span<std::byte> Board::gathered(std::size_t bytes) const {
  return {results_ + (turn_ % 2) * result_bytes_ + kBlockBytes, bytes};
}

void Board::open_next() {
  head_->open_turn.store(turn_ + 1, std::memory_order_release);
  sys::wake_all(head_->open_turn);
}

void Board::await_open(Comm& comm) {
  sys::Wait wait({&comm, {"the other ranks of the file"}, patience_});
  while (head_->open_turn.load(std::memory_order_acquire) == turn_) wait.pause(head_->open_turn, turn_);
}

// One node.
void Board::meet_node(Comm& comm) {
  const std::uint32_t everyone = (turn_ + 1) * static_cast<std::uint32_t>(node_ranks_.size());
  if (head_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == everyone) return open_next();
  await_open(comm);
}

// Of the node's first rank, which is woken by whoever comes last.
void Board::await_node(Comm& comm) {
  const std::uint32_t others = (turn_ + 1) * static_cast<std::uint32_t>(node_ranks_.size() - 1);
  sys::Wait wait({&comm, {"the other ranks of the file"}, patience_});
  for (;;) {
    const std::uint32_t seen = head_->arrived.load(std::memory_order_acquire);
    if (seen == others) return;
    wait.pause(head_->arrived, seen);
  }
}

// Returns with the blocks, or the results, of this turn there to be read; then ++turn_ ends it.
Status Board::take_turn(Comm& comm, const Between& between) {
  sys::show_to_race_detector();
  if (!several_nodes()) {
    meet_node(comm);
  } else if (acts_for_node()) {
    await_node(comm);
    sys::show_to_race_detector();
    PartComm nodes(comm, first_ranks_, nodes_, node_);
    Status status = between(nodes);
    head_->failed[turn_ % 2].store(status.ok() ? 0 : 1, std::memory_order_relaxed);
    sys::show_to_race_detector();
    open_next();
    return status;
  } else {
    const std::uint32_t others = (turn_ + 1) * static_cast<std::uint32_t>(node_ranks_.size() - 1);
    if (head_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == others) sys::wake_all(head_->arrived);
    await_open(comm);
    if (head_->failed[turn_ % 2].load(std::memory_order_relaxed) != 0) {
      return {ErrorClass::kOther, "an exchange between nodes failed"};
    }
  }
  sys::show_to_race_detector();
  return {};
}

// The blocks of the node from `block_begin` on, and those of all other nodes.
Status Board::gather_nodes(PartComm& nodes, std::size_t block_begin, std::size_t block_bytes) {
  std::vector<std::byte> mine;
  mine.reserve(node_ranks_.size() * block_bytes);
  for (std::size_t place = 0; place < node_ranks_.size(); ++place) {
    const auto part = block(place).subspan(block_begin, block_bytes);
    mine.insert(mine.end(), part.begin(), part.end());
  }
  std::vector<std::size_t> part_bytes;
  for (const std::size_t ranks : ranks_of_node_) part_bytes.push_back(ranks * block_bytes);
  return all_gather_parts(nodes, part_bytes, mine, gathered(place_of_.size() * block_bytes));
}

void Board::read_gathered(std::size_t block_begin, std::size_t block_bytes, std::span<std::byte> all) const {
  if (block_bytes == 0) return;
  for (std::size_t rank = 0; rank < place_of_.size(); ++rank) {
    const std::byte* theirs = several_nodes() ? gathered(all.size()).data() + place_of_[rank] * block_bytes
                                              : block(place_of_[rank]).data() + block_begin;
    std::memcpy(all.data() + rank * block_bytes, theirs, block_bytes);
  }
}

void Board::reduce_node(Reduction reduction, std::span<std::int64_t> values) const {
  std::fill(values.begin(), values.end(), neutral(reduction));
  for (std::size_t place = 0; place < node_ranks_.size(); ++place) {
    const auto* theirs = reinterpret_cast<const std::int64_t*>(block(place).data());
    combine_into(reduction, values, {theirs, values.size()});
  }
}

Status Board::reduce_nodes(PartComm& nodes, Reduction reduction, std::size_t count) const {
  const auto shared = shared_values().first(count);
  reduce_node(reduction, shared);
  return comm::reduce_all(nodes, reduction, shared);
}

void Board::read_reduced(Reduction reduction, std::span<std::int64_t> values) const {
  if (!several_nodes()) return reduce_node(reduction, values);
  std::copy_n(shared_values().begin(), values.size(), values.begin());
}

Status Board::all_gather(Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all) {
  std::copy(mine.begin(), mine.end(), block(place_).begin());
  Status status = take_turn(comm, [&](PartComm& nodes) { return gather_nodes(nodes, 0, mine.size()); });
  read_gathered(0, mine.size(), all);
  ++turn_;
  return status;
}

Status Board::reduce_all(Comm& comm, Reduction reduction, std::span<std::int64_t> values) {
  const auto bytes = std::as_bytes(values);
  std::copy(bytes.begin(), bytes.end(), block(place_).begin());
  Status status = take_turn(comm, [&](PartComm& nodes) { return reduce_nodes(nodes, reduction, values.size()); });
  read_reduced(reduction, values);
  ++turn_;
  return status;
}

Status Board::gather_by_node(Comm& comm, std::span<const std::byte> mine,
                             const std::function<void(std::span<std::byte>, std::span<const std::byte>)>& combine,
                             std::span<std::byte> all) {
  std::copy(mine.begin(), mine.end(), block(place_).begin());
  const auto combine_node = [&](std::span<std::byte> into) {
    std::copy_n(block(0).begin(), into.size(), into.begin());
    for (std::size_t place = 1; place < node_ranks_.size(); ++place) combine(into, block(place).first(into.size()));
  };
  Status status = take_turn(comm, [&](PartComm& nodes) {
    std::vector<std::byte> node(mine.size());
    combine_node(node);
    return comm::all_gather(nodes, node, gathered(all.size()));
  });
  if (several_nodes()) {
    std::copy_n(gathered(all.size()).begin(), all.size(), all.begin());
  } else {
    combine_node(all);
  }
  ++turn_;
  return status;
}

// What ranks of this node have before this one, and what nodes have before this one.
Result<Scan> Board::scan_sum(Comm& comm, std::int64_t value) {
  const auto sum_of = [this](std::size_t places) {
    std::int64_t sum = 0;
    for (std::size_t place = 0; place < places; ++place) {
      sum = combine(Reduction::kSum, sum, *reinterpret_cast<const std::int64_t*>(block(place).data()));
    }
    return sum;
  };
  const auto bytes = std::as_bytes(std::span(&value, 1));
  std::copy(bytes.begin(), bytes.end(), block(place_).begin());
  const auto node_sums = gathered(first_ranks_.size() * sizeof(std::int64_t));
  Status status = take_turn(comm, [&](PartComm& nodes) {
    const std::int64_t node = sum_of(node_ranks_.size());
    return comm::all_gather(nodes, std::as_bytes(std::span(&node, 1)), node_sums);
  });
  Scan scan{sum_of(place_), several_nodes() ? 0 : sum_of(node_ranks_.size())};
  for (std::size_t node = 0; several_nodes() && node < first_ranks_.size(); ++node) {
    const std::int64_t sum = reinterpret_cast<const std::int64_t*>(node_sums.data())[node];
    if (node < static_cast<std::size_t>(node_)) scan.before = combine(Reduction::kSum, scan.before, sum);
    scan.total = combine(Reduction::kSum, scan.total, sum);
  }
  ++turn_;
  if (!status.ok()) return status;
  return scan;
}

Status Board::broadcast(Comm& comm, int root, std::span<std::byte> data) {
  const int root_node = comm.topology().node_of[static_cast<std::size_t>(root)];
  const auto root_place =
      static_cast<std::size_t>(std::lower_bound(node_ranks_.begin(), node_ranks_.end(), root) - node_ranks_.begin());
  if (comm.rank() == root) std::copy(data.begin(), data.end(), block(place_).begin());
  const auto result = several_nodes() ? std::as_writable_bytes(shared_values()) : block(root_place);
  Status status = take_turn(comm, [&](PartComm& nodes) {
    if (node_ == root_node) std::copy_n(block(root_place).begin(), data.size(), result.begin());
    return comm::broadcast(nodes, root_node, result.first(data.size()));
  });
  std::copy_n(result.begin(), data.size(), data.begin());
  ++turn_;
  return status;
}

Result<std::vector<std::byte>> Board::gather_unless(Comm& comm, std::span<std::int64_t> values,
                                                    const std::function<bool()>& settled,
                                                    std::span<const std::byte> mine) {
  const auto bytes = std::as_bytes(values);
  std::copy(bytes.begin(), bytes.end(), block(place_).begin());
  std::copy(mine.begin(), mine.end(), block(place_).begin() + std::ssize(bytes));
  Status status = take_turn(comm, [&](PartComm& nodes) {
    Status reduced = reduce_nodes(nodes, Reduction::kMin, values.size());
    read_reduced(Reduction::kMin, values);
    if (!reduced.ok() || settled()) return reduced;
    return gather_nodes(nodes, bytes.size(), mine.size());
  });
  read_reduced(Reduction::kMin, values);
  std::vector<std::byte> all;
  if (status.ok() && !settled()) {
    all.resize(mine.size() * place_of_.size());
    read_gathered(bytes.size(), mine.size(), all);
  }
  ++turn_;
  if (!status.ok()) return status;
  return all;
}

}  // namespace weir::comm
