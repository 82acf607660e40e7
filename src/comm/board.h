// Board: where the ranks of one node exchange small blocks through memory they share, without messages. A rank that
// has to wait sleeps on a futex: more ranks than cores is a normal case.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "comm/shared_memory.h"

namespace weir::comm {

class Board {
 public:
  // The largest block a rank may bring: an agreed failure with its text fits (agree.h).
  static constexpr std::size_t kBlockBytes = 1088;
  // The memory a board for so many ranks takes.
  static std::size_t bytes_for(int ranks);

  // A board in `memory` from byte `offset` on. REQUIRES: the same offset on all ranks, a multiple of 64; room for
  // bytes_for(ranks), zero when the first of them begins.
  Board(std::shared_ptr<SharedMemory> memory, std::size_t offset, int rank, int ranks);

  // COLLECTIVE: every rank brings a block of the same size and gets all, in rank order. REQUIRES mine.size() <=
  // kBlockBytes and all.size() == ranks * mine.size(). One thread of a rank at a time.
  // Who waits keeps `comm` moving.
  void all_gather(Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all);

 private:
  struct Head;

  std::span<std::byte> block(std::uint32_t turn, int rank) const;
  void arrive_and_wait(Comm& comm);

  std::shared_ptr<SharedMemory> memory_;
  Head* head_;
  std::byte* blocks_;
  int rank_;
  int ranks_;
  int looks_;
  std::uint32_t turn_ = 0;  // exchanges done
};

}  // namespace weir::comm
