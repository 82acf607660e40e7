// SlotRing: turns at a ring of buffers that one rank of a node keeps and others fill or empty, round after round.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sys/latch.h"

namespace weir::comm {

// A rank's handle on one ring; the words are in memory that all its ranks share. Round r of a call uses slot
// r mod depth. The keeper opens a round when its slot may be used; users come, do their work in the slot, and arrive.
// Every rank tells its handle when a call begins and how many rounds it had, also when it used none of them.
class SlotRing {
 public:
  static constexpr int kMostDepth = 64;
  // The shared words; zero when new.
  struct Words {
    sys::Latch opened;                           // rounds opened since the file was opened
    std::array<sys::Latch, kMostDepth> arrived;  // users that arrived in each slot since then
  };

  // `patience` is patience_for() the ranks that share the ring, `keeper` its keeper's rank.
  explicit SlotRing(Words* words, const sys::Patience& patience = {}, int keeper = sys::Step::kNoPeer)
      : words_(words), patience_(patience), keeper_(keeper) {}

  // REQUIRES 1 <= depth <= kMostDepth, the same on all ranks.
  void begin_call(int depth) { depth_ = depth; }
  void end_call(std::int64_t rounds) { before_ += static_cast<std::uint32_t>(rounds); }

  // Of the keeper: this round and all before it may be used.
  void open(std::int64_t round) { words_->opened.raise_to(number_of(round)); }
  // Of the keeper, once per round, ascending: returns when `users` have arrived in the round. `company` as for
  // sys::Waiting.
  void await_users(std::int64_t round, int users, sys::Company* company = nullptr);
  // As await_users() if that returns at once; else false, and nothing happened.
  bool users_came(std::int64_t round, int users);

  // Of a user.
  void await_open(std::int64_t round, sys::Company* company = nullptr);
  void arrive(std::int64_t round) { words_->arrived[slot_of(round)].add(); }

  std::size_t slot_of(std::int64_t round) const { return static_cast<std::size_t>(round % depth_); }

 private:
  std::uint32_t number_of(std::int64_t round) const { return before_ + static_cast<std::uint32_t>(round) + 1; }

  Words* words_;
  sys::Patience patience_;
  int keeper_;
  int depth_ = 1;
  std::uint32_t before_ = 0;                            // rounds of the calls before
  std::array<std::uint32_t, kMostDepth> arrived_ = {};  // the keeper: users that it has waited for, of each slot
};

}  // namespace weir::comm
