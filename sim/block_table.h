// BlockTable: the file blocks that a node holds for I/O agents, or gathers for those of other nodes. As
// agent::BlockTable, without the bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/extent.h"
#include "sim/events.h"
#include "sim/gate.h"

namespace weir::sim {

class BlockTable {
 public:
  // What was written of a block and is not stored.
  struct Written {
    std::int64_t bytes = 0;
    std::int64_t runs = 0;
  };
  // Where blocks come from and go to; each calls `done`.
  struct Backing {
    std::function<void(std::int64_t block, std::function<void()> done)> fetch;
    std::function<void(std::int64_t block, Written written, std::function<void()> done)> store;
  };

  // At most `blocks` of `block_bytes` are held.
  BlockTable(std::int64_t block_bytes, std::int64_t blocks, Backing backing)
      : block_bytes_(block_bytes), most_(blocks), backing_(std::move(backing)) {}

  // Reads bytes of a block that is fetched as a whole, or writes `written` of it: a block that is full is stored and
  // let go. The oldest makes room, and is stored first.
  void access(Direction direction, std::int64_t block, Written written, std::function<void()> done);
  // Stores everything that was written, block by block.
  void flush(std::function<void()> done);

 private:
  struct Held {
    Written written;
    bool fetched = false;
    std::shared_ptr<Gate> ready = std::make_shared<Gate>();
  };

  void use(Direction direction, std::int64_t block, Written written, std::function<void()> done);
  void make_room(std::function<void()> done);
  // REQUIRES that a block is held. The block, and what has to be stored of it.
  std::pair<std::int64_t, Written> let_oldest_go();

  std::int64_t block_bytes_;
  std::int64_t most_;
  Backing backing_;
  std::unordered_map<std::int64_t, Held> held_;
  std::deque<std::int64_t> oldest_;
};

}  // namespace weir::sim
