// What becomes of the blocks of a table: they are fetched, stored and let go.
#include <algorithm>
#include <vector>

#include "agent/block_table_memory.h"
#include "base/guarded.h"

namespace weir::agent {

// What was written is stored first, so that the file has all there is to know of the block.
Status BlockTable::fetch(Block& block) {
  Status stored = store(block);
  if (!stored.ok()) return stored;
  const driver::IoRequest whole{block.begin, block.data, shape_.block_bytes};
  const driver::IoOutcome outcome = backing_(Direction::kRead, {&whole, 1});
  if (!outcome.status.ok()) return outcome.status;
  std::fill_n(block.data + outcome.bytes_moved, shape_.block_bytes - outcome.bytes_moved, std::byte{0});
  block.head->fetched = 1;
  block.head->file_bytes = outcome.bytes_moved;
  counters_.fetched.fetch_add(1, std::memory_order_relaxed);
  return {};
}

std::vector<driver::IoRequest> BlockTable::runs_of(const Block& block) const {
  std::vector<driver::IoRequest> runs;
  block.written.for_each_run(shape_.block_bytes, [&](Extent run) {
    runs.push_back({block.begin + run.begin, block.data + run.begin, run.bytes()});
  });
  return runs;
}

// Nobody writes in it meanwhile.
Status BlockTable::store(Block& block) {
  ask_out(block);
  const bool whole = block.written.covers(0, shape_.block_bytes);
  const std::vector<driver::IoRequest> runs = runs_of(block);
  if (runs.empty()) return {};
  const driver::IoOutcome outcome = backing_(Direction::kWrite, runs);
  if (!outcome.status.ok()) return outcome.status;
  (whole ? counters_.stored : counters_.runs).fetch_add(std::ssize(runs), std::memory_order_relaxed);
  block.written.clear(shape_.block_bytes);
  block.head->accepted.store(0, std::memory_order_relaxed);
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
Status BlockTable::flush(bool drop, const Which& which) {
  Status status;
  const std::int64_t first = set_of(static_cast<std::int64_t>(head_->turns.fetch_add(1)));
  for (std::int64_t i = 0; i < set_count_; ++i) {
    status = std::move(status).or_else(flush_set((first + i) % set_count_, drop, which));
  }
  return status;
}

Status BlockTable::flush_set(std::int64_t set, bool drop, const Which& which) {
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  Status status;
  for (std::size_t way = 0; way < kWays; ++way) {
    const std::int64_t name = sets_[set].names[way];
    if (name == 0 || (which && !which(name - 1))) continue;
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
      ask_out(block);
      block.head->fetched = 0;
      block.head->accepted.store(shape_.block_bytes, std::memory_order_relaxed);  // what was asked out did not say all
      if (!block.written.any(shape_.block_bytes)) let_go(block);
    }
  }
}

Status BlockTable::hold(std::span<const driver::IoRequest> requests) {
  const std::int64_t number = requests.front().offset / shape_.block_bytes;
  const std::int64_t set = set_of(number);
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  counters_.requests.fetch_add(std::ssize(requests), std::memory_order_relaxed);
  std::optional<Block> block = find(set, number);
  if (!block.has_value()) block = make_room(set, number);
  for (const driver::IoRequest& request : requests) {
    if (!block.has_value()) {
      Status passed = pass(Direction::kWrite, request).status;
      if (!passed.ok()) return passed;
      continue;
    }
    copy_in(*block, request);
    raise_end(request.offset + request.bytes);
    block->head->accepted.fetch_add(request.bytes, std::memory_order_relaxed);
  }
  return {};
}

template <typename Fn>
void BlockTable::for_each_block(Fn fn) const {
  for (std::int64_t set = 0; set < set_count_; ++set) {
    for (std::size_t way = 0; way < kWays; ++way) {
      if (sets_[set].names[way] != 0) fn(sets_[set].names[way] - 1, block_at(set, way));
    }
  }
}

std::vector<std::int64_t> BlockTable::written() const {
  std::vector<std::int64_t> numbers;
  for_each_block([&](std::int64_t number, const Block& block) {
    if (block.written.any(shape_.block_bytes)) numbers.push_back(number);
  });
  std::ranges::sort(numbers);
  return numbers;
}

std::vector<driver::IoRequest> BlockTable::written_runs(std::int64_t number) const {
  const std::int64_t set = set_of(number);
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  const std::optional<Block> block = find(set, number);
  return block.has_value() ? runs_of(*block) : std::vector<driver::IoRequest>();
}

void BlockTable::hand_over(std::int64_t number) {
  const std::int64_t set = set_of(number);
  const sys::SharedLockGuard guard(sets_[set].lock, waiting_);
  std::optional<Block> block = find(set, number);
  if (!block.has_value()) return;
  ask_out(*block);
  block->written.clear(shape_.block_bytes);
  let_go(*block);
}

std::int64_t BlockTable::dirty_bytes() const {
  std::int64_t bytes = 0;
  for_each_block([&](std::int64_t, const Block& block) {
    block.written.for_each_run(shape_.block_bytes, [&](Extent run) { bytes += run.bytes(); });
  });
  return bytes;
}

}  // namespace weir::agent
