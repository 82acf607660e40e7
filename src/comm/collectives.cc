#include "comm/collectives.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "comm/board.h"
#include "comm/by_node.h"

namespace weir::comm {

namespace {

// The board, when there is one and the block fits.
Board* board_for(const Comm& comm, std::size_t block_bytes) {
  return block_bytes <= Board::kBlockBytes ? comm.board() : nullptr;
}

// The rank `distance` places on, around the circle.
int neighbour(const Comm& comm, int distance) {
  const int ranks = comm.size();
  return ((comm.rank() + distance) % ranks + ranks) % ranks;
}

// Sends to one rank while receiving from another.
Status exchange(Comm& comm, int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
  const std::array tickets = {comm.receive(from, in), comm.send(to, out)};
  return comm.wait(tickets);
}

// `circle` holds the blocks of ranks rank(), rank() + 1, ... around the circle; block i is at [begin[i], begin[i+1]).
// The first is there on entry, all are on return: after each step a rank holds twice as many, taken from the rank
// that holds the blocks following its own.
Status gather_circle(Comm& comm, std::span<std::byte> circle, std::span<const std::size_t> begin) {
  const int ranks = comm.size();
  Status status;
  for (int held = 1; held < ranks; held *= 2) {
    const auto blocks = static_cast<std::size_t>(std::min(held, ranks - held));
    const auto first_new = static_cast<std::size_t>(held);
    // What goes out are my first blocks, which the receiver appends; their sizes are the same on both sides.
    const auto out = circle.first(begin[blocks]);
    const auto in = circle.subspan(begin[first_new], begin[first_new + blocks] - begin[first_new]);
    status = std::move(status).or_else(exchange(comm, neighbour(comm, -held), out, neighbour(comm, held), in));
  }
  return status;
}

// From "my block first" to rank order. `own_begin` is where my block belongs.
void turn_to_rank_order(std::span<std::byte> circle, std::size_t own_begin) {
  std::rotate(circle.begin(), circle.end() - static_cast<std::ptrdiff_t>(own_begin), circle.end());
}

Result<std::int64_t> reduce_one(Comm& comm, Reduction reduction, std::int64_t value) {
  Status status = reduce_all(comm, reduction, std::span(&value, 1));
  if (!status.ok()) return status;
  return value;
}

}  // namespace

int steps_of(int ranks) { return ranks <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1))); }

Status barrier(Comm& comm) {
  if (Board* board = comm.board()) return board->reduce_all(comm, Reduction::kMin, {});
  if (goes_by_node(comm.topology())) return reduce_by_node(comm, Reduction::kMin, {});
  Status status;
  for (int distance = 1; distance < comm.size(); distance *= 2) {
    status = std::move(status).or_else(exchange(comm, neighbour(comm, distance), {}, neighbour(comm, -distance), {}));
  }
  return status;
}

// A binomial tree: counted from root, rank r hears from r without its highest bit.
Status broadcast(Comm& comm, int root, std::span<std::byte> data) {
  if (Board* board = board_for(comm, data.size())) return board->broadcast(comm, root, data);
  if (goes_by_node(comm.topology())) return broadcast_by_node(comm, root, data);
  const int ranks = comm.size();
  const int place = neighbour(comm, -root);
  const auto rank_at = [&](int other_place) { return (other_place + root) % ranks; };
  const int above = static_cast<int>(std::bit_width(static_cast<unsigned>(place)));
  Status status;
  if (place != 0) status = receive_now(comm, rank_at(place ^ (1 << (above - 1))), data);
  for (int step = above; step < steps_of(ranks); ++step) {
    const int to = place | (1 << step);
    if (to < ranks) status = std::move(status).or_else(send_now(comm, rank_at(to), data));
  }
  return status;
}

Status broadcast_sized(Comm& comm, int root, std::vector<std::byte>& data) {
  std::uint64_t data_bytes = data.size();
  Status status = broadcast_value(comm, root, data_bytes);
  if (!status.ok()) return status;
  data.resize(data_bytes);
  return data.empty() ? status : broadcast(comm, root, data);
}

Status all_gather(Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all) {
  Board* board = comm.board();
  if (board != nullptr && board->gathers(mine.size())) return board->all_gather(comm, mine, all);
  return all_gather_parts(comm, std::vector<std::size_t>(static_cast<std::size_t>(comm.size()), mine.size()), mine,
                          all);
}

Status all_gather_parts(Comm& comm, std::span<const std::size_t> part_bytes, std::span<const std::byte> mine,
                        std::span<std::byte> all) {
  const auto own = static_cast<std::size_t>(comm.rank());
  std::vector<std::size_t> circle_begin = {0};
  for (std::size_t i = 0; i < part_bytes.size(); ++i) {
    circle_begin.push_back(circle_begin.back() + part_bytes[(own + i) % part_bytes.size()]);
  }
  std::copy(mine.begin(), mine.end(), all.begin());
  Status status = gather_circle(comm, all, circle_begin);
  turn_to_rank_order(all, std::accumulate(part_bytes.begin(), part_bytes.begin() + comm.rank(), std::size_t{0}));
  return status;
}

Status gather_by_node(Comm& comm, std::span<const std::byte> mine, const Combine& combine, std::span<std::byte> all) {
  Board* board = comm.board();
  if (board != nullptr && board->gathers(mine.size())) return board->gather_by_node(comm, mine, combine, all);
  const std::vector<int>& node_of = comm.topology().node_of;
  std::vector<std::byte> of_rank(mine.size() * node_of.size());
  Status status = all_gather(comm, mine, of_rank);
  std::vector<bool> begun(node_of.size(), false);
  for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
    const auto node = static_cast<std::size_t>(node_of[rank]);
    const auto from = std::span(of_rank).subspan(rank * mine.size(), mine.size());
    const auto into = all.subspan(node * mine.size(), mine.size());
    if (begun[node]) {
      combine(into, from);
    } else {
      std::copy(from.begin(), from.end(), into.begin());
    }
    begun[node] = true;
  }
  return status;
}

std::span<const std::byte> Blobs::of(int rank) const {
  const auto first = static_cast<std::size_t>(begin[static_cast<std::size_t>(rank)]);
  const auto last = static_cast<std::size_t>(begin[static_cast<std::size_t>(rank) + 1]);
  return std::span(bytes).subspan(first, last - first);
}

Result<Blobs> all_gather_blobs(Comm& comm, std::span<const std::byte> mine) {
  const auto sizes = all_gather_values(comm, static_cast<std::int64_t>(mine.size()));
  if (!sizes.ok()) return sizes.status();
  Blobs blobs;
  for (const std::int64_t bytes : sizes.value()) blobs.begin.push_back(blobs.begin.back() + bytes);
  blobs.bytes.resize(static_cast<std::size_t>(blobs.begin.back()));
  if (blobs.bytes.empty()) return blobs;

  const std::vector<std::size_t> part_bytes(sizes.value().begin(), sizes.value().end());
  Status status = all_gather_parts(comm, part_bytes, mine, blobs.bytes);
  if (!status.ok()) return status;
  return blobs;
}

// Each rank keeps two values: `window`, over 2^k ranks from itself on, and `partial`, over as many ranks from itself
// on as the lowest k bits of size() say. A step takes both from the rank 2^k further and so knows both for k + 1.
// At the end `partial` is over exactly size() ranks, no rank counted twice: any operation, any size().
Status reduce_all(Comm& comm, Reduction reduction, std::span<std::int64_t> values) {
  if (Board* board = board_for(comm, values.size_bytes())) return board->reduce_all(comm, reduction, values);
  if (goes_by_node(comm.topology())) return reduce_by_node(comm, reduction, values);
  const auto width = values.size();
  std::vector<std::int64_t> mine(2 * width, neutral(reduction));
  std::vector<std::int64_t> theirs(2 * width);
  const auto window = std::span(mine).first(width);
  const auto partial = std::span(mine).last(width);
  const auto their_window = std::span<const std::int64_t>(theirs).first(width);
  const auto their_partial = std::span<const std::int64_t>(theirs).last(width);
  std::copy(values.begin(), values.end(), window.begin());

  Status status;
  for (int distance = 1; distance < comm.size(); distance *= 2) {
    status = std::move(status).or_else(exchange(comm, neighbour(comm, -distance), std::as_bytes(std::span(mine)),
                                                neighbour(comm, distance), std::as_writable_bytes(std::span(theirs))));
    if ((comm.size() & distance) != 0) {
      std::copy(window.begin(), window.end(), partial.begin());
      combine_into(reduction, partial, their_partial);
    }
    combine_into(reduction, window, their_window);
  }
  // A power of two has its only bit above the last step: there the window itself covers everyone.
  const bool power_of_two = std::has_single_bit(static_cast<unsigned>(comm.size()));
  const auto total = power_of_two ? window : partial;
  std::copy(total.begin(), total.end(), values.begin());
  return status;
}

Result<std::vector<std::byte>> gather_unless(Comm& comm, std::span<std::int64_t> values,
                                             const std::function<bool()>& settled, std::span<const std::byte> mine) {
  Board* board = board_for(comm, values.size_bytes() + mine.size());
  if (board != nullptr && board->gathers(mine.size())) return board->gather_unless(comm, values, settled, mine);
  Status status = reduce_all(comm, Reduction::kMin, values);
  if (!status.ok()) return status;
  std::vector<std::byte> all;
  if (settled()) return all;
  all.resize(mine.size() * static_cast<std::size_t>(comm.size()));
  status = all_gather(comm, mine, all);
  if (!status.ok()) return status;
  return all;
}

Result<Scan> scan_sum(Comm& comm, std::int64_t value) {
  if (Board* board = comm.board(); board != nullptr && board->scans()) return board->scan_sum(comm, value);
  const Result<std::vector<std::int64_t>> all = all_gather_values(comm, value);
  if (!all.ok()) return all.status();
  Scan scan;
  for (std::size_t rank = 0; rank < all.value().size(); ++rank) {
    if (rank == static_cast<std::size_t>(comm.rank())) scan.before = scan.total;
    scan.total = combine(Reduction::kSum, scan.total, all.value()[rank]);
  }
  return scan;
}

Result<std::int64_t> all_min(Comm& comm, std::int64_t value) { return reduce_one(comm, Reduction::kMin, value); }
Result<std::int64_t> all_max(Comm& comm, std::int64_t value) { return reduce_one(comm, Reduction::kMax, value); }
Result<std::int64_t> all_sum(Comm& comm, std::int64_t value) { return reduce_one(comm, Reduction::kSum, value); }

}  // namespace weir::comm
