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

#include "agent/failure_note.h"
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
class BlockTable {
 public:
  // Where blocks come from and go to; as driver::File::transfer(), for requests in one block.
  using Store = std::function<driver::IoOutcome(Direction, std::span<const driver::IoRequest>)>;

  // A table in `memory`, from `offset` on. REQUIRES shape.bytes() of it, zero when the first rank comes; a multiple of
  // the page. Counters and company outlive the table.
  BlockTable(std::shared_ptr<comm::SharedMemory> memory, std::size_t offset, const TableShape& shape, Store backing,
             TableCounters& counters, const sys::Waiting& waiting);

  const TableShape& shape() const { return shape_; }

  // Moves requests. REQUIRES that there are some, that all lie in one block, and that the file can be read where one is
  // read. Writing, success says that the bytes are held or stored. Fewer bytes than asked for, with an ok status, mean
  // the end of the file.
  driver::IoOutcome access(Direction direction, std::span<const driver::IoRequest> requests);

  // Stores everything written, by whichever rank; with `drop` nothing is held afterwards that was stored. Returns the
  // first failure; what could not be stored is still held.
  Status flush(bool drop);

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
    std::int64_t* name;
    BlockHead* head;
    std::byte* data;
    layout::CoverageMap written;
  };

  std::int64_t set_of(std::int64_t number) const;
  Block block_at(std::int64_t set, std::size_t way) const;
  std::int64_t begin_of(const Block& block) const;
  std::optional<std::int64_t> take_buffer();
  void give_buffer(std::int64_t buffer);
  // All that follow REQUIRE the set's lock. Nothing is found, or no room can be made: no block.
  std::optional<Block> find(std::int64_t set, std::int64_t number) const;
  std::optional<Block> make_room(std::int64_t set, std::int64_t number);
  bool let_oldest_go(std::int64_t set);
  bool let_some_go(std::int64_t set);  // of this set, or of others that nobody uses
  void let_go(Block& block);
  driver::IoOutcome access_held(Direction direction, Block& block, const driver::IoRequest& request);
  driver::IoOutcome pass(Direction direction, const driver::IoRequest& request);
  std::int64_t add_zeros(const driver::IoRequest& request, std::int64_t moved) const;
  driver::IoOutcome write(Block& block, const driver::IoRequest& request);
  driver::IoOutcome read(Block& block, const driver::IoRequest& request);
  Status fetch(Block& block);
  Status store(Block& block);
  bool store_or_note(Block& block);  // a failure is noted for those who ask; false then
  Status flush_set(std::int64_t set, bool drop);

  std::shared_ptr<comm::SharedMemory> memory_;
  const TableShape shape_;
  const Store backing_;
  TableCounters& counters_;
  const sys::Waiting waiting_;
  Head* head_;
  Set* sets_;
  std::int64_t set_count_;
  std::int64_t* free_buffers_;
  std::uint64_t* marks_;
  std::size_t mark_words_;  // of a block
  std::byte* data_;
};

}  // namespace weir::agent
