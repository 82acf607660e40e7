#include "agent/block_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/bytes.h"
#include "base/guarded.h"

namespace weir::agent {

namespace {

constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kWays = 8;  // places of a set

}  // namespace

struct alignas(kLineBytes) BlockTable::Head {
  std::atomic<std::int64_t> end;
  std::atomic<std::uint64_t> taken;          // places taken so far
  std::atomic<std::uint64_t> turns;          // of those who go through all sets
  alignas(kLineBytes) FailureNote failure;   // looked at by every access
  alignas(kLineBytes) sys::SharedLock pool;  // guards what follows, and the list of free buffers
  std::int64_t free_count;                   // of buffers that were used and are free: the last one given first
  std::int64_t used_count;                   // of all buffers, those that have ever been taken
};

struct BlockTable::BlockHead {
  std::int64_t buffer;      // where the block's bytes and marks are
  std::int64_t fetched;     // 1: bytes that were not written are the file's
  std::int64_t file_bytes;  // of a fetched block: how many the file had of it
  std::int64_t accepted;    // bytes written since it was last stored or looked through, some perhaps twice
  std::uint64_t since;      // when the place was taken
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
    places.free_buffers = places.sets + places.set_count * sizeof(Set);
    places.marks = places.free_buffers + blocks * sizeof(std::int64_t);
    places.data = round_up(places.marks + blocks * places.mark_words * sizeof(std::uint64_t), kPageBytes);
    places.end = round_up(places.data + blocks * static_cast<std::size_t>(shape.block_bytes), kPageBytes);
    return places;
  }
};

TableShape TableShape::of(std::int64_t block_bytes, std::int64_t memory_bytes) {
  return {block_bytes, std::max<std::int64_t>(memory_bytes / block_bytes, 1)};
}

std::size_t TableShape::bytes() const { return BlockTable::Places::of(*this).end; }

BlockTable::BlockTable(std::shared_ptr<comm::SharedMemory> memory, std::size_t offset, const TableShape& shape,
                       Store backing, TableCounters& counters, const sys::Waiting& waiting)
    : memory_(std::move(memory)),
      shape_(shape),
      backing_(std::move(backing)),
      counters_(counters),
      waiting_(waiting),
      head_(reinterpret_cast<Head*>(memory_->bytes().data() + offset)) {
  const Places places = Places::of(shape_);
  std::byte* const base = memory_->bytes().data() + offset;
  sets_ = reinterpret_cast<Set*>(base + places.sets);
  set_count_ = static_cast<std::int64_t>(places.set_count);
  free_buffers_ = reinterpret_cast<std::int64_t*>(base + places.free_buffers);
  marks_ = reinterpret_cast<std::uint64_t*>(base + places.marks);
  mark_words_ = places.mark_words;
  data_ = base + places.data;
}

// Agents are bound to blocks in turn: a node's are far from consecutive numbers.
std::int64_t BlockTable::set_of(std::int64_t number) const {
  const std::uint64_t mixed = static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15U;
  return static_cast<std::int64_t>((mixed >> 32) % static_cast<std::uint64_t>(set_count_));
}

BlockTable::Block BlockTable::block_at(std::int64_t set, std::size_t way) const {
  BlockHead& head = sets_[set].blocks[way];
  const auto buffer = static_cast<std::size_t>(head.buffer);
  return {&sets_[set].names[way], &head, data_ + buffer * static_cast<std::size_t>(shape_.block_bytes),
          layout::CoverageMap(std::span(marks_ + buffer * mark_words_, mark_words_))};
}

std::int64_t BlockTable::begin_of(const Block& block) const { return (*block.name - 1) * shape_.block_bytes; }

std::optional<std::int64_t> BlockTable::take_buffer() {
  const sys::SharedLockGuard guard(head_->pool, waiting_);
  if (head_->free_count > 0) return free_buffers_[--head_->free_count];
  if (head_->used_count < shape_.blocks) return head_->used_count++;
  return std::nullopt;
}

void BlockTable::give_buffer(std::int64_t buffer) {
  const sys::SharedLockGuard guard(head_->pool, waiting_);
  free_buffers_[head_->free_count++] = buffer;
}

std::optional<BlockTable::Block> BlockTable::find(std::int64_t set, std::int64_t number) const {
  const auto& names = sets_[set].names;
  const auto found = std::ranges::find(names, number + 1);
  if (found == names.end()) return std::nullopt;
  return block_at(set, static_cast<std::size_t>(found - names.begin()));
}

std::optional<BlockTable::Block> BlockTable::make_room(std::int64_t set, std::int64_t number) {
  auto& names = sets_[set].names;
  auto place = std::ranges::find(names, 0);
  if (place == names.end() && !let_oldest_go(set)) return std::nullopt;
  std::optional<std::int64_t> buffer = take_buffer();
  if (!buffer.has_value() && let_some_go(set)) buffer = take_buffer();
  if (!buffer.has_value()) return std::nullopt;
  place = std::ranges::find(names, 0);
  *place = number + 1;
  const auto way = static_cast<std::size_t>(place - names.begin());
  sets_[set].blocks[way] = {
      .buffer = *buffer, .fetched = 0, .file_bytes = 0, .accepted = 0, .since = head_->taken.fetch_add(1)};
  return block_at(set, way);
}

// The oldest block that can be stored.
bool BlockTable::let_oldest_go(std::int64_t set) {
  std::array<std::size_t, kWays> ways;
  std::iota(ways.begin(), ways.end(), 0);
  std::ranges::sort(ways, {}, [&](std::size_t way) { return sets_[set].blocks[way].since; });
  for (const std::size_t way : ways) {
    if (sets_[set].names[way] == 0) continue;
    Block block = block_at(set, way);
    if (!store_or_note(block)) continue;
    let_go(block);
    return true;
  }
  return false;
}

// Nobody waits for another set: that one may be waiting for this.
bool BlockTable::let_some_go(std::int64_t set) {
  if (let_oldest_go(set)) return true;
  const auto first = static_cast<std::int64_t>(head_->turns.fetch_add(1) % static_cast<std::uint64_t>(set_count_));
  for (std::int64_t i = 0; i < set_count_; ++i) {
    const std::int64_t other = (first + i) % set_count_;
    if (other == set || !sets_[other].lock.try_lock()) continue;
    const bool gone = let_oldest_go(other);
    sets_[other].lock.unlock();
    if (gone) return true;
  }
  return false;
}

// REQUIRES that nothing of it is left to be stored.
void BlockTable::let_go(Block& block) {
  *block.name = 0;
  give_buffer(block.head->buffer);
}

// Whole blocks that nobody holds go straight to the file and back: memory would gain nothing. So does what finds no
// place because older blocks cannot be stored.
driver::IoOutcome BlockTable::access(Direction direction, std::span<const driver::IoRequest> requests) {
  counters_.requests.fetch_add(std::ssize(requests), std::memory_order_relaxed);
  const std::int64_t number = requests.front().offset / shape_.block_bytes;
  const std::int64_t set = set_of(number);
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  driver::IoOutcome all;
  for (const driver::IoRequest& request : requests) {
    std::optional<Block> block = find(set, number);
    if (!block.has_value() && request.bytes < shape_.block_bytes) block = make_room(set, number);
    driver::IoOutcome one = block.has_value() ? access_held(direction, *block, request) : pass(direction, request);
    all.bytes_moved += one.bytes_moved;
    all.status = std::move(one.status);
    if (!all.status.ok() || one.bytes_moved < request.bytes) break;
  }
  return all;
}

driver::IoOutcome BlockTable::access_held(Direction direction, Block& block, const driver::IoRequest& request) {
  return direction == Direction::kWrite ? write(block, request) : read(block, request);
}

driver::IoOutcome BlockTable::pass(Direction direction, const driver::IoRequest& request) {
  driver::IoOutcome outcome = backing_(direction, {&request, 1});
  if (direction == Direction::kWrite) {
    raise_end(request.offset + outcome.bytes_moved);
  } else if (outcome.status.ok() && outcome.bytes_moved < request.bytes) {
    outcome.bytes_moved = add_zeros(request, outcome.bytes_moved);
  }
  return outcome;
}

// Behind the end of the file, but before bytes that were written and are still held, there are zeros.
std::int64_t BlockTable::add_zeros(const driver::IoRequest& request, std::int64_t moved) const {
  const std::int64_t there = std::clamp(end() - request.offset, moved, request.bytes);
  std::fill_n(request.data + moved, there - moved, std::byte{0});
  return there;
}

driver::IoOutcome BlockTable::write(Block& block, const driver::IoRequest& request) {
  const std::int64_t inner = request.offset - begin_of(block);
  std::memcpy(block.data + inner, request.data, static_cast<std::size_t>(request.bytes));
  block.written.mark(inner, request.bytes);
  raise_end(request.offset + request.bytes);
  block.head->accepted += request.bytes;
  if (block.head->accepted >= shape_.block_bytes) {
    block.head->accepted = 0;
    if (block.written.covers(0, shape_.block_bytes) && store_or_note(block)) let_go(block);
  }
  return {request.bytes, {}};
}

driver::IoOutcome BlockTable::read(Block& block, const driver::IoRequest& request) {
  const std::int64_t inner = request.offset - begin_of(block);
  std::int64_t there = request.bytes;
  if (block.head->fetched == 0 && !block.written.covers(inner, request.bytes)) {
    Status fetched = fetch(block);
    if (!fetched.ok()) return {0, fetched};
  }
  if (block.head->fetched != 0 && block.head->file_bytes < shape_.block_bytes) {
    const std::int64_t file_end = begin_of(block) + block.head->file_bytes;
    there = std::clamp<std::int64_t>(std::max(file_end, end()) - request.offset, 0, request.bytes);
  }
  std::memcpy(request.data, block.data + inner, static_cast<std::size_t>(there));
  return {there, {}};
}

// What was written is stored first, so that the file has all there is to know of the block.
Status BlockTable::fetch(Block& block) {
  Status stored = store(block);
  if (!stored.ok()) return stored;
  const driver::IoRequest whole{begin_of(block), block.data, shape_.block_bytes};
  const driver::IoOutcome outcome = backing_(Direction::kRead, {&whole, 1});
  if (!outcome.status.ok()) return outcome.status;
  std::fill_n(block.data + outcome.bytes_moved, shape_.block_bytes - outcome.bytes_moved, std::byte{0});
  block.head->fetched = 1;
  block.head->file_bytes = outcome.bytes_moved;
  counters_.fetched.fetch_add(1, std::memory_order_relaxed);
  return {};
}

Status BlockTable::store(Block& block) {
  const bool whole = block.written.covers(0, shape_.block_bytes);
  std::vector<driver::IoRequest> runs;
  block.written.for_each_run(shape_.block_bytes, [&](Extent run) {
    runs.push_back({begin_of(block) + run.begin, block.data + run.begin, run.end - run.begin});
  });
  if (runs.empty()) return {};
  const driver::IoOutcome outcome = backing_(Direction::kWrite, runs);
  if (!outcome.status.ok()) return outcome.status;
  (whole ? counters_.stored : counters_.runs).fetch_add(std::ssize(runs), std::memory_order_relaxed);
  block.written.clear(shape_.block_bytes);
  block.head->accepted = 0;
  if (whole) {
    block.head->fetched = 1;
    block.head->file_bytes = shape_.block_bytes;
  }
  return {};
}

bool BlockTable::store_or_note(Block& block) {
  const Status stored = guarded([&] { return store(block); });
  if (!stored.ok()) head_->failure.write(stored, waiting_);
  return stored.ok();
}

// Ranks that flush at the same time begin at different places.
Status BlockTable::flush(bool drop) {
  Status status;
  const std::int64_t first = set_of(static_cast<std::int64_t>(head_->turns.fetch_add(1)));
  for (std::int64_t i = 0; i < set_count_; ++i) {
    status = std::move(status).or_else(flush_set((first + i) % set_count_, drop));
  }
  return status;
}

Status BlockTable::flush_set(std::int64_t set, bool drop) {
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  Status status;
  for (std::size_t way = 0; way < kWays; ++way) {
    if (sets_[set].names[way] == 0) continue;
    Block block = block_at(set, way);
    Status stored = guarded([&] { return store(block); });
    if (stored.ok() && drop) let_go(block);
    status = std::move(status).or_else(std::move(stored));
  }
  return status;
}

void BlockTable::distrust() {
  for (std::int64_t set = 0; set < set_count_; ++set) {
    const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
    for (std::size_t way = 0; way < kWays; ++way) {
      if (sets_[set].names[way] == 0) continue;
      Block block = block_at(set, way);
      block.head->fetched = 0;
      if (!block.written.any(shape_.block_bytes)) let_go(block);
    }
  }
}

std::int64_t BlockTable::dirty_bytes() const {
  std::int64_t bytes = 0;
  for (std::int64_t set = 0; set < set_count_; ++set) {
    for (std::size_t way = 0; way < kWays; ++way) {
      if (sets_[set].names[way] == 0) continue;
      block_at(set, way).written.for_each_run(shape_.block_bytes, [&](Extent run) { bytes += run.bytes(); });
    }
  }
  return bytes;
}

Status BlockTable::take_failure(FailureNote::Audience audience) { return head_->failure.take(audience, waiting_); }

std::int64_t BlockTable::end() const { return head_->end.load(std::memory_order_acquire); }

void BlockTable::forget_end() { head_->end.store(0, std::memory_order_release); }

void BlockTable::raise_end(std::int64_t end) {
  std::int64_t seen = head_->end.load(std::memory_order_relaxed);
  while (seen < end && !head_->end.compare_exchange_weak(seen, end, std::memory_order_release)) {
  }
}

}  // namespace weir::agent
