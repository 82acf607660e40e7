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

}  // namespace

struct alignas(kLineBytes) BlockTable::Head {
  std::atomic<std::int64_t> end;
  std::atomic<std::uint64_t> taken;  // places taken so far
  FailureNote failure;
};

struct BlockTable::BlockHead {
  std::int64_t fetched;     // 1: bytes that were not written are the file's
  std::int64_t file_bytes;  // of a fetched block: how many the file had of it
  std::int64_t accepted;    // bytes written since it was last stored or looked through, some perhaps twice
  std::uint64_t since;      // when the place was taken
};

struct alignas(kLineBytes) BlockTable::Set {
  sys::SharedLock lock;
  std::array<std::int64_t, TableShape::kMostWays> names;  // of the blocks here: their numbers, and one; 0: a free place
  std::array<BlockHead, TableShape::kMostWays> blocks;
};

// Where the parts of a table lie in its memory.
struct BlockTable::Places {
  std::size_t sets;
  std::size_t marks;
  std::size_t data;
  std::size_t mark_words;  // of a block
  std::size_t end;

  static Places of(const TableShape& shape) {
    const auto blocks = static_cast<std::size_t>(shape.sets * shape.ways);
    Places places{};
    places.sets = round_up(sizeof(Head), kLineBytes);
    places.marks = places.sets + static_cast<std::size_t>(shape.sets) * sizeof(Set);
    places.mark_words = layout::CoverageMap::words_for(shape.block_bytes);
    places.data = round_up(places.marks + blocks * places.mark_words * sizeof(std::uint64_t), kPageBytes);
    places.end = places.data + blocks * static_cast<std::size_t>(shape.block_bytes);
    return places;
  }
};

TableShape TableShape::of(std::int64_t block_bytes, std::int64_t memory_bytes) {
  const std::int64_t blocks = std::max<std::int64_t>(memory_bytes / block_bytes, 1);
  const std::int64_t ways = std::min(blocks, kMostWays);
  return {block_bytes, ways, blocks / ways};
}

std::size_t TableShape::bytes() const { return BlockTable::Places::of(*this).end; }

BlockTable::BlockTable(std::shared_ptr<comm::SharedMemory> memory, const TableShape& shape, driver::File& file,
                       TableCounters& counters, const sys::Waiting& waiting)
    : memory_(std::move(memory)),
      shape_(shape),
      file_(file),
      counters_(counters),
      waiting_(waiting),
      head_(reinterpret_cast<Head*>(memory_->bytes().data())) {
  const Places places = Places::of(shape_);
  std::byte* const base = memory_->bytes().data();
  sets_ = reinterpret_cast<Set*>(base + places.sets);
  marks_ = reinterpret_cast<std::uint64_t*>(base + places.marks);
  mark_words_ = places.mark_words;
  data_ = base + places.data;
}

// Agents are bound to blocks in turn: a node's are far from consecutive numbers.
std::int64_t BlockTable::set_of(std::int64_t number) const {
  const std::uint64_t mixed = static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15U;
  return static_cast<std::int64_t>((mixed >> 32) % static_cast<std::uint64_t>(shape_.sets));
}

BlockTable::Block BlockTable::block_at(std::int64_t set, std::int64_t way) const {
  const auto place = static_cast<std::size_t>(set * shape_.ways + way);
  const auto index = static_cast<std::size_t>(way);
  return {&sets_[set].names[index], &sets_[set].blocks[index],
          data_ + place * static_cast<std::size_t>(shape_.block_bytes),
          layout::CoverageMap(std::span(marks_ + place * mark_words_, mark_words_))};
}

std::int64_t BlockTable::begin_of(const Block& block) const { return (*block.name - 1) * shape_.block_bytes; }

std::optional<BlockTable::Block> BlockTable::find(std::int64_t set, std::int64_t number) const {
  const auto& names = sets_[set].names;
  const auto found = std::ranges::find(names, number + 1);
  if (found == names.end()) return std::nullopt;
  return block_at(set, found - names.begin());
}

// A free place, or that of the oldest block that can be stored.
std::optional<BlockTable::Block> BlockTable::make_room(std::int64_t set, std::int64_t number) {
  std::array<std::int64_t, TableShape::kMostWays> all_ways;
  std::iota(all_ways.begin(), all_ways.end(), 0);
  const std::span ways = std::span(all_ways).first(static_cast<std::size_t>(shape_.ways));
  std::ranges::sort(ways, {}, [&](std::int64_t way) {
    const Block block = block_at(set, way);
    return *block.name != 0 ? block.head->since : 0;
  });
  for (const std::int64_t way : ways) {
    Block block = block_at(set, way);
    if (*block.name != 0 && !store_or_note(block)) continue;
    *block.name = number + 1;
    *block.head = {.fetched = 0, .file_bytes = 0, .accepted = 0, .since = ++head_->taken};
    return block;
  }
  return std::nullopt;
}

// Whole blocks that nobody holds go straight to the file and back: memory would gain nothing. So does what finds no
// place because older blocks cannot be stored.
driver::IoOutcome BlockTable::access(Direction direction, const driver::IoRequest& request) {
  counters_.requests.fetch_add(1, std::memory_order_relaxed);
  const std::int64_t number = request.offset / shape_.block_bytes;
  const std::int64_t set = set_of(number);
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  std::optional<Block> block = find(set, number);
  if (!block.has_value() && request.bytes < shape_.block_bytes) block = make_room(set, number);
  if (!block.has_value()) return pass(direction, request);
  return direction == Direction::kWrite ? write(*block, request) : read(*block, request);
}

driver::IoOutcome BlockTable::pass(Direction direction, const driver::IoRequest& request) {
  driver::IoOutcome outcome = file_.transfer(direction, {&request, 1});
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
    if (block.written.covers(0, shape_.block_bytes)) static_cast<void>(store_or_note(block));
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
  const driver::IoOutcome outcome = file_.transfer(Direction::kRead, {&whole, 1});
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
  const driver::IoOutcome outcome = file_.transfer(Direction::kWrite, runs);
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

Status BlockTable::flush(bool drop) {
  Status status;
  for (std::int64_t set = 0; set < shape_.sets; ++set) status = std::move(status).or_else(flush_set(set, drop));
  return status;
}

Status BlockTable::flush_set(std::int64_t set, bool drop) {
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  Status status;
  for (std::int64_t way = 0; way < shape_.ways; ++way) {
    Block block = block_at(set, way);
    if (*block.name == 0) continue;
    Status stored = guarded([&] { return store(block); });
    if (stored.ok() && drop) *block.name = 0;
    status = std::move(status).or_else(std::move(stored));
  }
  return status;
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
