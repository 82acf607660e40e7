#include "comm/board.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "comm/futex.h"

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
    : memory_(std::move(memory)), rank_(rank), ranks_(ranks), looks_(looks_for(ranks)) {
  std::byte* start = memory_->bytes().data() + offset;
  head_ = reinterpret_cast<Head*>(start);
  blocks_ = start + sizeof(Head);
}

std::span<std::byte> Board::block(std::uint32_t turn, int rank) const {
  std::size_t index = (turn % 2) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(rank);
  return {blocks_ + index * kBlockBytes, kBlockBytes};
}

// Sleeps a millisecond at first, ten at most, and makes progress in between: as long as it seems to help, but a busy
// machine makes every call look as if it did.
void Board::sleep(Comm& comm) const {
  constexpr std::chrono::milliseconds kLongest(10);
  constexpr int kMostCalls = 64;
  std::chrono::milliseconds pause(1);
  const auto waiting = [this] { return head_->open_turn.load(std::memory_order_acquire) == turn_; };
  while (waiting()) {
    sleep_while(head_->open_turn, turn_, pause);
    int calls = 0;
    while (waiting() && calls < kMostCalls && comm.progress()) ++calls;
    pause = calls == kMostCalls ? std::chrono::milliseconds(1) : std::min(2 * pause, kLongest);
  }
}

void Board::arrive_and_wait(Comm& comm) {
  show_to_race_detector();
  const std::uint32_t next_turn = turn_ + 1;
  const std::uint32_t everyone = next_turn * static_cast<std::uint32_t>(ranks_);
  if (head_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == everyone) {
    head_->open_turn.store(next_turn, std::memory_order_release);
    wake_all(head_->open_turn);
  }
  for (int look = 0; look < looks_; ++look) {
    if (head_->open_turn.load(std::memory_order_acquire) != turn_) return;
    relax();
  }
  sleep(comm);
}

void Board::all_gather(Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all) {
  std::copy(mine.begin(), mine.end(), block(turn_, rank_).begin());
  arrive_and_wait(comm);
  show_to_race_detector();
  for (int other = 0; other < ranks_; ++other) {
    auto theirs = block(turn_, other).first(mine.size());
    std::copy(theirs.begin(), theirs.end(), all.begin() + static_cast<std::ptrdiff_t>(mine.size()) * other);
  }
  ++turn_;
}

}  // namespace weir::comm
