// BlockTable: the file blocks that the agents of a node hold, in memory that its ranks share. A rank reaches a block
// there by itself: nothing is sent, and nobody is asked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agent/failure_note.h"
#include "agent/seat.h"
#include "base/extent.h"
#include "base/status.h"
#include "comm/shared_memory.h"
#include "driver/file_driver.h"
#include "layout/coverage_map.h"
#include "sys/shared_lock.h"
#include "sys/waiting.h"

namespace weir::agent {

// How large a table is. A block goes to one set of places, which share a lock; there are more places than blocks can be
// held.
struct TableShape {
  std::int64_t block_bytes = 0;
  std::int64_t blocks = 0;  // that are held at most
  std::int64_t ranks = 1;   // of one node, at most

  // Of so many bytes for blocks; one block at least. REQUIRES a positive size of blocks.
  static TableShape of(std::int64_t block_bytes, std::int64_t memory_bytes);
  std::size_t bytes() const;  // that the table takes in all: whole pages

  bool operator==(const TableShape&) const = default;
};

// What tables did on one rank. Thread-safe.
struct TableCounters {
  std::atomic<std::int64_t> requests = 0;  // parts of accesses, each in one block
  std::atomic<std::int64_t> fetched = 0;   // blocks read to be held
  std::atomic<std::int64_t> stored = 0;    // blocks written as a whole
  std::atomic<std::int64_t> runs = 0;      // and parts of blocks written, a run each
};

// A written block is stored and let go when it is full, so that its memory is used again while it is in the caches. It
// is stored when it has to make room, which the oldest of a set does first, and in flush(). Only bytes that were
// written are stored. One rank's end of the table; thread-safe.
//
// An access takes the lock of its block's set. A rank that comes to a block a second time in a row has its seat there,
// and takes the seat's lock only. Whoever wants a block for itself has its set's lock and asks all ranks out of their
// seats. A seat's lock is held for a copy at most, and may be taken while one of a set is held; not the other way
// round.
class BlockTable {
 public:
  // Where blocks come from and go to; as driver::File::transfer(), for requests in one block.
  using Store = std::function<driver::IoOutcome(Direction, std::span<const driver::IoRequest>)>;

  // Where a table is, and which of its ranks has this end, counted from 0.
  struct Home {
    std::shared_ptr<comm::SharedMemory> memory;
    std::size_t offset = 0;
    std::int64_t rank = 0;
  };
  // REQUIRES shape.bytes() of memory, zero when the first rank comes, from a multiple of the page on. Counters and
  // company outlive the table.
  BlockTable(Home home, const TableShape& shape, Store backing, TableCounters& counters, const sys::Waiting& waiting);

  const TableShape& shape() const { return shape_; }

  // Moves requests. REQUIRES that there are some, that all lie in one block, and that the file can be read where one is
  // read. Writing, success says that the bytes are held or stored. Fewer bytes than asked for, with an ok status, mean
  // the end of the file.
  driver::IoOutcome access(Direction direction, std::span<const driver::IoRequest> requests);

  // Stores everything written, by whichever rank, in all blocks or, where `which` is given, those whose numbers it says
  // yes to; with `drop` nothing of these is held afterwards that was stored. Returns the first failure; what could not
  // be stored is still held.
  using Which = std::function<bool(std::int64_t number)>;
  Status flush(bool drop, const Which& which = {});

  // Holds what was written elsewhere. REQUIRES that all requests lie in one block. As access() that writes, but a block
  // that gets full stays until it is flushed or has to make room.
  Status hold(std::span<const driver::IoRequest> requests);

  // All REQUIRE that no rank accesses the table.
  // The numbers of blocks with bytes that were written and are not stored, ascending.
  std::vector<std::int64_t> written() const;
  // These bytes, run by run; they stay where they are until the block goes.
  std::vector<driver::IoRequest> written_runs(std::int64_t number) const;
  // Lets a block go: what was written to it is held elsewhere now.
  void hand_over(std::int64_t number);

  // What was read may have changed in the file: it is read again. Stores nothing.
  void distrust();

  // A block could not be stored when it had to: told once to the next call, once to all ranks.
  Status take_failure(FailureNote::Audience audience);

  // Bytes that were written and are not stored. REQUIRES that nobody uses the table.
  std::int64_t dirty_bytes() const;

  // Where the last byte written through the table ends: the file may be shorter still.
  std::int64_t end() const;
  // A byte before `end` was written by other ways.
  void raise_end(std::int64_t end);
  // The file was cut or replaced. REQUIRES that nothing is held, and nobody writes.
  void forget_end();

 private:
  friend struct TableShape;
  struct Head;
  struct BlockHead;
  struct Set;
  struct Places;
  // A block in this rank's memory.
  struct Block {
    std::int64_t begin = 0;  // in the file
    std::int64_t* name = nullptr;
    BlockHead* head = nullptr;
    std::byte* data = nullptr;
    layout::CoverageMap written{{}};
  };

  std::int64_t set_of(std::int64_t number) const;
  std::span<Seat> seats() const { return {seats_, static_cast<std::size_t>(shape_.ranks)}; }
  // What became of an access at this rank's seat: its outcome, or that it has to be done by the block's set.
  struct AtSeat {
    std::optional<driver::IoOutcome> outcome;
    bool takes_seat = false;                 // in the block, as it came there twice
    std::optional<std::int64_t> maybe_full;  // number of the block that was left
  };
  // Where a rank has its seat.
  struct Seated {
    Block block;
    std::int64_t last_at = 0;  // where in the block the last access was
  };
  AtSeat access_at_seat(Direction direction, std::int64_t number, std::span<const driver::IoRequest> requests);
  std::optional<driver::IoOutcome> access_seated(Direction direction, const driver::IoRequest& request);
  void make_ready(std::int64_t at);
  void expect_use(const std::byte* bytes);
  driver::IoOutcome access_by_set(Direction direction, std::int64_t number, std::span<const driver::IoRequest> requests,
                                  bool takes_seat);
  void look_whether_full(std::int64_t number);
  Block block_at(std::int64_t set, std::size_t way) const;
  std::optional<std::int64_t> take_buffer();
  void give_buffer(std::int64_t buffer);
  // Whoever is in the block, by its seat or by its set's lock.
  bool can_answer(const Block& block, const driver::IoRequest& request) const;
  std::int64_t copy_out(const Block& block, const driver::IoRequest& request) const;
  static void copy_in(Block& block, const driver::IoRequest& request);
  // All that follow REQUIRE the set's lock. Nothing is found, or no room can be made: no block.
  std::optional<Block> find(std::int64_t set, std::int64_t number) const;
  std::optional<Block> make_room(std::int64_t set, std::int64_t number);
  bool let_oldest_go(std::int64_t set);
  bool let_some_go(std::int64_t set);  // of this set, or of others that nobody uses
  void let_go(Block& block);
  void take_seat(const Block& block);
  void ask_out(const Block& block);
  driver::IoOutcome access_held(Direction direction, Block& block, const driver::IoRequest& request);
  driver::IoOutcome pass(Direction direction, const driver::IoRequest& request);
  std::int64_t add_zeros(const driver::IoRequest& request, std::int64_t moved) const;
  void let_go_if_full(Block& block);
  Status fetch(Block& block);
  std::vector<driver::IoRequest> runs_of(const Block& block) const;
  Status store(Block& block);
  bool store_or_note(Block& block);  // a failure is noted for those who ask; false then
  Status flush_set(std::int64_t set, bool drop, const Which& which);
  template <typename Fn>
  void for_each_block(Fn fn) const;

  const Home home_;
  const TableShape shape_;
  const Store backing_;
  TableCounters& counters_;
  const sys::Waiting waiting_;
  Head* head_;
  Set* sets_;
  std::int64_t set_count_;
  Seat* seats_;
  Seat* seat_;  // of this rank
  // Guarded by the seat's lock.
  Seated seated_;
  std::vector<bool> expected_;  // parts of the blocks' memory that this rank has said it uses

  std::int64_t* free_buffers_;
  std::uint64_t* marks_;
  std::size_t mark_words_;  // of a block
  std::byte* data_;
};

}  // namespace weir::agent
