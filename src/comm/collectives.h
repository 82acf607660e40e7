// What all ranks of a Comm do together, built on its send, receive and wait alone: files can then share one MPI
// communicator with a tag each, and a helper thread can drive one file's collectives beside another's.
//
// All are COLLECTIVE: every rank calls the same functions in the same order, with the same root and sizes unless
// said otherwise. A rank whose transfer failed keeps its remaining appointments, as far as it still knows them, and
// returns the first failure; what it received is then unspecified.
//
// L is the number of steps: the smallest L with 2^L >= size(). With one rank nothing is sent.
//
// Blocks that fit a Comm's board go by it: all ranks meet there once, and what is said below of ranks is true of the
// first ranks of the nodes, which send for the others. Ranks of one node send nothing then.
//
// Without a board, barriers, broadcasts and reductions of ranks that lie several to a node go node by node (by_node.h):
// what is said below is then true of the ranks of each node, and of those who speak for the nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/status.h"
#include "comm/comm.h"
#include "comm/reduction.h"

namespace weir::comm {

// L for a group of `ranks`.
int steps_of(int ranks);

// Returns after every rank has called it. Each rank sends L empty messages.
Status barrier(Comm& comm);

// Copies root's bytes to all ranks. size() - 1 messages in all, L at most by one rank.
Status broadcast(Comm& comm, int root, std::span<std::byte> data);

// The same for data whose size only root knows; `data` is resized on the others. Twice the messages of broadcast
// (the size goes first), or the same number when root's data is empty.
Status broadcast_sized(Comm& comm, int root, std::vector<std::byte>& data);

// Gathers one block from each rank, in rank order. REQUIRES all.size() == size() * mine.size(); the two must not
// overlap. Each rank sends L messages, together size() - 1 blocks.
Status all_gather(Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all);

// The same for blocks of different sizes, which all ranks know; always by messages.
Status all_gather_parts(Comm& comm, std::span<const std::size_t> part_bytes, std::span<const std::byte> mine,
                        std::span<std::byte> all);

// One block of each node, in the order of nodes: that of its first rank, into which those of its other ranks are
// combined. REQUIRES all.size() == nodes * mine.size().
using Combine = std::function<void(std::span<std::byte> into, std::span<const std::byte> from)>;
Status gather_by_node(Comm& comm, std::span<const std::byte> mine, const Combine& combine, std::span<std::byte> all);

// One blob of its own size from each rank.
struct Blobs {
  std::vector<std::byte> bytes;           // all blobs, in rank order, without gaps
  std::vector<std::int64_t> begin = {0};  // blob r is bytes [begin[r], begin[r + 1])

  int count() const { return static_cast<int>(begin.size()) - 1; }
  std::span<const std::byte> of(int rank) const;
};

// Gathers a blob of any size, also none, from each rank. Each rank sends 2 L messages (the sizes go first), or L
// when all blobs are empty.
Result<Blobs> all_gather_blobs(Comm& comm, std::span<const std::byte> mine);

// Combines the vectors of all ranks element by element; every rank gets the result in place. Sums wrap around.
// REQUIRES the same number of values on all ranks. Each rank sends L messages of twice the vector, for any size().
Status reduce_all(Comm& comm, Reduction reduction, std::span<std::int64_t> values);

// Combines `values` by kMin. Once they are, `settled` says whether they are all that was to be known; if not,
// everybody's block is gathered as well, in rank order. REQUIRES that `settled` says the same on all ranks; it may be
// asked twice.
Result<std::vector<std::byte>> gather_unless(Comm& comm, std::span<std::int64_t> values,
                                             const std::function<bool()>& settled, std::span<const std::byte> mine);

// What all lower ranks have, and what all ranks have. Sums wrap around. By a board, nodes tell each other one number
// each where their ranks follow each other, else one for each rank; without one, as all_gather.
Result<Scan> scan_sum(Comm& comm, std::int64_t value);

// The typed forms.
Result<std::int64_t> all_min(Comm& comm, std::int64_t value);
Result<std::int64_t> all_max(Comm& comm, std::int64_t value);
Result<std::int64_t> all_sum(Comm& comm, std::int64_t value);

template <typename T>
requires std::is_trivially_copyable_v<T> Status broadcast_value(Comm& comm, int root, T& value) {
  return broadcast(comm, root, std::as_writable_bytes(std::span(&value, 1)));
}

template <typename T>
requires std::is_trivially_copyable_v<T> Result<std::vector<T>> all_gather_values(Comm& comm, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(comm.size()));
  Status status = all_gather(comm, std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  if (!status.ok()) return status;
  return all;
}

}  // namespace weir::comm
