#include "sim/block_table.h"

namespace weir::sim {

void BlockTable::access(Direction direction, std::int64_t block, Written written, std::function<void()> done) {
  if (const auto found = held_.find(block); found != held_.end()) {
    found->second.ready->when_open([this, direction, block, written, done = std::move(done)]() mutable {
      use(direction, block, written, std::move(done));
    });
    return;
  }
  const std::shared_ptr<Gate> ready = held_[block].ready;
  oldest_.push_back(block);
  make_room([this, direction, block, written, ready, done = std::move(done)]() mutable {
    use(direction, block, written, std::move(done));
    ready->open();
  });
}

// The block may have been let go meanwhile: then it is taken anew.
void BlockTable::use(Direction direction, std::int64_t block, Written written, std::function<void()> done) {
  const auto found = held_.find(block);
  if (found == held_.end()) {
    access(direction, block, written, std::move(done));
    return;
  }
  Held& held = found->second;
  if (direction == Direction::kRead) {
    if (held.fetched) {
      held.ready->when_open(std::move(done));
      return;
    }
    held.fetched = true;
    held.ready = std::make_shared<Gate>();
    backing_.fetch(block, [ready = held.ready, done = std::move(done)] {
      done();
      ready->open();
    });
    return;
  }
  held.written.bytes += written.bytes;
  held.written.runs += written.runs;
  if (held.written.bytes < block_bytes_) {
    done();
    return;
  }
  held_.erase(found);
  std::erase(oldest_, block);
  backing_.store(block, {block_bytes_, 1}, std::move(done));
}

std::pair<std::int64_t, BlockTable::Written> BlockTable::let_oldest_go() {
  const std::int64_t block = oldest_.front();
  oldest_.pop_front();
  return {block, held_.extract(block).mapped().written};
}

void BlockTable::make_room(std::function<void()> done) {
  if (static_cast<std::int64_t>(oldest_.size()) <= most_) {
    done();
    return;
  }
  const auto [block, written] = let_oldest_go();
  if (written.bytes == 0) {
    done();
  } else {
    backing_.store(block, written, std::move(done));
  }
}

void BlockTable::flush(std::function<void()> done) {
  while (!oldest_.empty() && held_[oldest_.front()].written.bytes == 0) let_oldest_go();
  if (oldest_.empty()) {
    done();
    return;
  }
  const auto [block, written] = let_oldest_go();
  backing_.store(block, written, [this, done = std::move(done)]() mutable { flush(std::move(done)); });
}

}  // namespace weir::sim
