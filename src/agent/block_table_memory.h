// How a BlockTable lies in its memory. For the files of BlockTable only.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/block_table.h"
#include "base/bytes.h"

namespace weir::agent {

inline constexpr std::size_t kLineBytes = 64;
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kWays = 8;  // places of a set

struct alignas(kLineBytes) BlockTable::Head {
  std::atomic<std::uint64_t> taken;          // places taken so far
  std::atomic<std::uint64_t> turns;          // of those who go through all sets
  alignas(kLineBytes) FailureNote failure;   // looked at by every access
  alignas(kLineBytes) sys::SharedLock pool;  // guards what follows, and the list of free buffers
  std::int64_t free_count;                   // of buffers that were used and are free: the last one given first
  std::int64_t used_count;                   // of all buffers, those that have ever been taken
};

struct BlockTable::BlockHead {
  std::int64_t buffer;                 // where the block's bytes and marks are
  std::int64_t fetched;                // 1: bytes that were not written are the file's
  std::int64_t file_bytes;             // of a fetched block: how many the file had of it
  std::atomic<std::int64_t> accepted;  // bytes written since it was last stored or looked through, some perhaps twice
  std::uint64_t since;                 // when the place was taken
};

struct alignas(kLineBytes) BlockTable::Set {
  sys::SharedLock lock;
  std::array<std::int64_t, kWays> names;  // of the blocks here: their numbers, and one; 0: a free place
  std::array<BlockHead, kWays> blocks;
};

// Where the parts of a table lie in its memory.
struct BlockTable::Places {
  std::size_t set_count;
  std::size_t mark_words;  // of a block
  std::size_t sets;
  std::size_t seats;
  std::size_t free_buffers;
  std::size_t marks;
  std::size_t data;
  std::size_t end;

  static Places of(const TableShape& shape) {
    const auto blocks = static_cast<std::size_t>(shape.blocks);
    Places places{};
    places.set_count = (2 * blocks + kWays - 1) / kWays;
    places.mark_words = layout::CoverageMap::words_for(shape.block_bytes);
    places.sets = round_up(sizeof(Head), kLineBytes);
    places.seats = places.sets + places.set_count * sizeof(Set);
    places.free_buffers = places.seats + static_cast<std::size_t>(shape.ranks) * sizeof(Seat);
    places.marks = places.free_buffers + blocks * sizeof(std::int64_t);
    places.data = round_up(places.marks + blocks * places.mark_words * sizeof(std::uint64_t), kPageBytes);
    places.end = round_up(places.data + blocks * static_cast<std::size_t>(shape.block_bytes), kPageBytes);
    return places;
  }
};

}  // namespace weir::agent
