#include "agent/block_table.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <numeric>
#include <utility>

#include "agent/block_table_memory.h"

namespace weir::agent {

namespace {

// What a rank expects to use of a table's memory, at a time.
constexpr std::size_t kPartBytes = std::size_t{64} << 10;

// By one thread at a time.
void add_to(std::atomic<std::int64_t>& counter, std::int64_t amount) {
  counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

}  // namespace

TableShape TableShape::of(std::int64_t block_bytes, std::int64_t memory_bytes) {
  return {block_bytes, std::max<std::int64_t>(memory_bytes / block_bytes, 1)};
}

std::size_t TableShape::bytes() const { return BlockTable::Places::of(*this).end; }

BlockTable::BlockTable(Home home, const TableShape& shape, Store backing, TableCounters& counters,
                       const sys::Waiting& waiting)
    : home_(std::move(home)),
      shape_(shape),
      backing_(std::move(backing)),
      counters_(counters),
      waiting_(waiting),
      head_(reinterpret_cast<Head*>(home_.memory->bytes().data() + home_.offset)) {
  const Places places = Places::of(shape_);
  std::byte* const base = home_.memory->bytes().data() + home_.offset;
  sets_ = reinterpret_cast<Set*>(base + places.sets);
  set_count_ = static_cast<std::int64_t>(places.set_count);
  seats_ = reinterpret_cast<Seat*>(base + places.seats);
  seat_ = seats_ + home_.rank;
  free_buffers_ = reinterpret_cast<std::int64_t*>(base + places.free_buffers);
  marks_ = reinterpret_cast<std::uint64_t*>(base + places.marks);
  mark_words_ = places.mark_words;
  data_ = base + places.data;
  expected_.resize((places.end - places.data) / kPartBytes + 1);
}

// Agents are bound to blocks in turn: a node's are far from consecutive numbers.
std::int64_t BlockTable::set_of(std::int64_t number) const {
  const std::uint64_t mixed = static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15U;
  return static_cast<std::int64_t>((mixed >> 32) % static_cast<std::uint64_t>(set_count_));
}

BlockTable::Block BlockTable::block_at(std::int64_t set, std::size_t way) const {
  BlockHead& head = sets_[set].blocks[way];
  std::int64_t& name = sets_[set].names[way];
  const auto buffer = static_cast<std::size_t>(head.buffer);
  return {(name - 1) * shape_.block_bytes, &name, &head, data_ + buffer * static_cast<std::size_t>(shape_.block_bytes),
          layout::CoverageMap(std::span(marks_ + buffer * mark_words_, mark_words_))};
}

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
  BlockHead& head = sets_[set].blocks[way];
  head.buffer = *buffer;
  head.fetched = 0;
  head.file_bytes = 0;
  head.accepted.store(0, std::memory_order_relaxed);
  head.since = head_->taken.fetch_add(1);
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

driver::IoOutcome BlockTable::access(Direction direction, std::span<const driver::IoRequest> requests) {
  const std::int64_t number = requests.front().offset / shape_.block_bytes;
  AtSeat at_seat = access_at_seat(direction, number, requests);
  if (at_seat.outcome.has_value()) return std::move(*at_seat.outcome);
  if (at_seat.maybe_full.has_value()) look_whether_full(*at_seat.maybe_full);
  return access_by_set(direction, number, requests, at_seat.takes_seat);
}

// Whoever cannot do its access at its seat leaves it.
BlockTable::AtSeat BlockTable::access_at_seat(Direction direction, std::int64_t number,
                                              std::span<const driver::IoRequest> requests) {
  const sys::SharedLockGuard guard(seat_->lock, waiting_);
  add_to(counters_.requests, std::ssize(requests));
  AtSeat done;
  if (seat_->is_in(number + 1) && requests.size() == 1) done.outcome = access_seated(direction, requests.front());
  if (done.outcome.has_value()) return done;
  if (const std::int64_t written = seat_->leave(); written > 0) {
    const std::int64_t before = seated_.block.head->accepted.fetch_add(written, std::memory_order_relaxed);
    const std::int64_t left = seated_.block.begin / shape_.block_bytes;
    if (left != number && before + written >= shape_.block_bytes) done.maybe_full = left;
  }
  done.takes_seat = seat_->comes_again(number + 1);
  return done;
}

// Nothing where the block's set is needed: bytes have to be fetched, or the block may be full.
std::optional<driver::IoOutcome> BlockTable::access_seated(Direction direction, const driver::IoRequest& request) {
  Block& block = seated_.block;
  if (direction == Direction::kRead) {
    if (!can_answer(block, request)) return std::nullopt;
    return driver::IoOutcome{copy_out(block, request), {}};
  }
  if (request.offset + request.bytes == block.begin + shape_.block_bytes) return std::nullopt;
  make_ready(request.offset - block.begin);
  copy_in(block, request);
  seat_->raise_end(request.offset + request.bytes);
  seat_->count_written(request.bytes);
  return driver::IoOutcome{request.bytes, {}};
}

// The next write is probably as far from this one as this is from the last: its lines are on their way meanwhile.
void BlockTable::make_ready(std::int64_t at) {
  const Block& block = seated_.block;
  expect_use(block.data + at);
  const std::int64_t next = 2 * at - std::exchange(seated_.last_at, at);
  if (next < 0 || next >= shape_.block_bytes) return;
  __builtin_prefetch(block.data + next, 1);
  __builtin_prefetch(&block.written.words()[static_cast<std::size_t>(next / layout::CoverageMap::kWordBits)], 1);
}

// With the bytes around them, and their marks.
void BlockTable::expect_use(const std::byte* bytes) {
  const std::size_t part = static_cast<std::size_t>(bytes - data_) / kPartBytes;
  if (expected_[part]) return;
  expected_[part] = true;
  const auto expect = [&](std::byte* area, std::size_t area_bytes, std::size_t part_bytes) {
    const std::size_t begin = std::min(part * part_bytes, area_bytes);
    comm::SharedMemory::expect_use({area + begin, std::min(part_bytes, area_bytes - begin)});
  };
  const auto blocks = static_cast<std::size_t>(shape_.blocks);
  expect(data_, blocks * static_cast<std::size_t>(shape_.block_bytes), kPartBytes);
  expect(reinterpret_cast<std::byte*>(marks_), blocks * mark_words_ * sizeof(*marks_), kPartBytes / CHAR_BIT);
}

// Whole blocks that nobody holds go straight to the file and back: memory would gain nothing. So does what finds no
// place because older blocks cannot be stored.
driver::IoOutcome BlockTable::access_by_set(Direction direction, std::int64_t number,
                                            std::span<const driver::IoRequest> requests, bool takes_seat) {
  const std::int64_t set = set_of(number);
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  driver::IoOutcome all;
  for (const driver::IoRequest& request : requests) {
    std::optional<Block> block = find(set, number);
    if (!block.has_value() && request.bytes < shape_.block_bytes) block = make_room(set, number);
    driver::IoOutcome one = block.has_value() ? access_held(direction, *block, request) : pass(direction, request);
    if (!all.add(std::move(one), request.bytes)) return all;
  }
  if (!takes_seat) return all;
  if (const std::optional<Block> block = find(set, number)) take_seat(*block);
  return all;
}

void BlockTable::look_whether_full(std::int64_t number) {
  const std::int64_t set = set_of(number);
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  if (std::optional<Block> block = find(set, number)) let_go_if_full(*block);
}

// Another thread of the rank may have come before.
void BlockTable::take_seat(const Block& block) {
  const sys::SharedLockGuard guard(seat_->lock, waiting_);
  if (!seat_->is_in(Seat::kNone)) return;
  seat_->take(*block.name);
  seated_ = {block};
}

void BlockTable::ask_out(const Block& block) {
  for (Seat& seat : seats()) seat.ask_out(*block.name, waiting_);
}

driver::IoOutcome BlockTable::access_held(Direction direction, Block& block, const driver::IoRequest& request) {
  if (direction == Direction::kRead) {
    Status fetched = can_answer(block, request) ? Status() : fetch(block);
    return {fetched.ok() ? copy_out(block, request) : 0, fetched};
  }
  copy_in(block, request);
  raise_end(request.offset + request.bytes);
  block.head->accepted.fetch_add(request.bytes, std::memory_order_relaxed);
  let_go_if_full(block);
  return {request.bytes, {}};
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

void BlockTable::copy_in(Block& block, const driver::IoRequest& request) {
  const std::int64_t inner = request.offset - block.begin;
  std::memcpy(block.data + inner, request.data, static_cast<std::size_t>(request.bytes));
  block.written.mark(inner, request.bytes);
}

bool BlockTable::can_answer(const Block& block, const driver::IoRequest& request) const {
  return block.head->fetched != 0 || block.written.covers(request.offset - block.begin, request.bytes);
}

// How many bytes there are before the end of the file. REQUIRES can_answer().
std::int64_t BlockTable::copy_out(const Block& block, const driver::IoRequest& request) const {
  std::int64_t there = request.bytes;
  if (block.head->fetched != 0 && block.head->file_bytes < shape_.block_bytes) {
    const std::int64_t file_end = block.begin + block.head->file_bytes;
    there = std::clamp<std::int64_t>(std::max(file_end, end()) - request.offset, 0, request.bytes);
  }
  std::memcpy(request.data, block.data + (request.offset - block.begin), static_cast<std::size_t>(there));
  return there;
}

// The counted bytes only say when it is worth a look.
void BlockTable::let_go_if_full(Block& block) {
  if (block.head->accepted.load(std::memory_order_relaxed) < shape_.block_bytes) return;
  block.head->accepted.store(0, std::memory_order_relaxed);
  if (block.written.covers(0, shape_.block_bytes) && store_or_note(block)) let_go(block);
}

Status BlockTable::take_failure(FailureNote::Audience audience) { return head_->failure.take(audience, waiting_); }

std::int64_t BlockTable::end() const {
  std::int64_t end = 0;
  for (const Seat& seat : seats()) end = std::max(end, seat.end());
  return end;
}

void BlockTable::raise_end(std::int64_t end) {
  const sys::SharedLockGuard guard(seat_->lock, waiting_);
  seat_->raise_end(end);
}

void BlockTable::forget_end() {
  for (Seat& seat : seats()) seat.forget_end();
}

}  // namespace weir::agent
