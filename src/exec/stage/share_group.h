// ShareGroup: the ranks that meet in memory (those of a node, or one rank alone), and the memory they meet in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "comm/comm.h"
#include "comm/shared_memory.h"
#include "comm/slot_ring.h"

namespace weir::exec {

// Memory of a group that grows when more is needed. New memory is zero.
class GroupMemory {
 public:
  // COLLECTIVE over `comm` when `shared`, else LOCAL: afterwards there are at least `bytes` bytes, and what was in
  // them before is lost if there were fewer. All ranks return the same failure. REQUIRES equal `bytes` on all ranks.
  Status ensure(comm::Comm& comm, bool shared, std::size_t bytes);
  // Memory that is there already, zero, and outlives this.
  void begin_with(std::span<std::byte> memory) { bytes_ = memory; }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t(kAlignment)); }
  };
  static constexpr std::size_t kAlignment = 4096;
  static constexpr std::size_t kMostSpare = 1 << 20;

  std::span<std::byte> bytes_;
  std::optional<comm::SharedMemory> shared_;
  std::unique_ptr<std::byte[], FreeAligned> own_;
};

class ShareGroup {
 public:
  // The words of a group's rings.
  struct RankWords {
    comm::SlotRing::Words windows;
    comm::SlotRing::Words parcels;
    sys::Latch told;  // of the first rank: how often ranks have filled in their tables
  };
  static std::size_t word_bytes_for(std::size_t ranks) { return ranks * sizeof(RankWords); }

  // Ranks, ascending, that share memory; `words` is in it, word_bytes_for(ranks.size()) bytes, zero, aligned to a line.
  ShareGroup(std::vector<int> ranks, std::shared_ptr<comm::SharedMemory> memory, std::byte* words);
  // One rank alone.
  explicit ShareGroup(int rank);

  bool shared() const { return shared_memory_ != nullptr; }
  const std::vector<int>& ranks() const { return ranks_; }
  bool contains(int rank) const;
  std::size_t index_of(int rank) const;  // REQUIRES contains(rank)

  // The rings that a rank of the group keeps: as aggregator, and as local aggregator.
  comm::SlotRing& windows(int rank) { return windows_[index_of(rank)]; }
  comm::SlotRing& parcels(int rank) { return parcels_[index_of(rank)]; }

  // Every rank tells when its tables are filled in; whoever wants to read them waits for all.
  void tell_tables();
  void await_tables(sys::Company* company);

  GroupMemory& tables() { return tables_; }    // what ranks tell each other while they inspect
  GroupMemory& merges() { return merges_; }    // and what local aggregators tell them then
  GroupMemory& buffers() { return buffers_; }  // windows and parcels

 private:
  void make_rings(RankWords* words);

  std::vector<int> ranks_;
  std::shared_ptr<comm::SharedMemory> shared_memory_;
  std::unique_ptr<RankWords> own_words_;
  std::vector<comm::SlotRing> windows_;
  std::vector<comm::SlotRing> parcels_;
  sys::Latch* told_ = nullptr;
  sys::Patience patience_;
  std::uint32_t tellings_ = 0;  // of each rank so far
  GroupMemory tables_;
  GroupMemory merges_;
  GroupMemory buffers_;
};

}  // namespace weir::exec
