#include "comm/board.h"

#include <algorithm>
#include <cstring>

#include "sys/latch.h"

namespace weir::comm {

// The words all ranks meet in. `arrived` counts ranks over all turns; the last to arrive opens the next turn.
struct alignas(64) Board::Head {
  std::atomic<std::uint32_t> arrived;
  alignas(64) std::atomic<std::uint32_t> open_turn;
};

std::size_t Board::bytes_for(int ranks) {
  // Two blocks per rank: a rank may begin the next exchange while others still read this one; it cannot get to the
  // one after, because that needs everybody to have begun the next.
  return sizeof(Head) + 2 * static_cast<std::size_t>(ranks) * kBlockBytes;
}

Board::Board(std::shared_ptr<SharedMemory> memory, std::size_t offset, int rank, int ranks)
    : memory_(std::move(memory)), rank_(rank), ranks_(ranks), looks_(sys::looks_for(ranks)) {
  std::byte* start = memory_->bytes().data() + offset;
  head_ = reinterpret_cast<Head*>(start);
  blocks_ = start + sizeof(Head);
}

std::span<std::byte> Board::block(std::uint32_t turn, int rank) const {
  std::size_t index = (turn % 2) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(rank);
  return {blocks_ + index * kBlockBytes, kBlockBytes};
}

void Board::arrive_and_wait(Comm& comm) {
  sys::show_to_race_detector();
  const std::uint32_t next_turn = turn_ + 1;
  const std::uint32_t everyone = next_turn * static_cast<std::uint32_t>(ranks_);
  if (head_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == everyone) {
    head_->open_turn.store(next_turn, std::memory_order_release);
    sys::wake_all(head_->open_turn);
    return;
  }
  sys::Wait wait({&comm, {"the other ranks of the file"}, looks_});
  while (head_->open_turn.load(std::memory_order_acquire) == turn_) wait.pause(head_->open_turn, turn_);
}

void Board::all_gather(Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all) {
  std::copy(mine.begin(), mine.end(), block(turn_, rank_).begin());
  arrive_and_wait(comm);
  sys::show_to_race_detector();
  for (int other = 0; other < ranks_; ++other) {
    auto theirs = block(turn_, other).first(mine.size());
    std::copy(theirs.begin(), theirs.end(), all.begin() + static_cast<std::ptrdiff_t>(mine.size()) * other);
  }
  ++turn_;
}

}  // namespace weir::comm
