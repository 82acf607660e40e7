// Memory for a PresenceBoard, as ranks of a node share it: zero when new.
#pragma once

#include <cstddef>
#include <vector>

#include "exec/call/presence.h"

namespace weir::exec {

class PresenceMemory {
 public:
  explicit PresenceMemory(std::size_t ranks)
      : lines_((PresenceBoard::bytes_for(ranks) + sizeof(Line) - 1) / sizeof(Line)), ranks_(ranks) {}
  PresenceBoard board() { return PresenceBoard::in(lines_.data()->bytes, ranks_); }

 private:
  struct alignas(64) Line {
    std::byte bytes[64] = {};
  };
  std::vector<Line> lines_;
  std::size_t ranks_;
};

}  // namespace weir::exec
