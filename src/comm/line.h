// Line: one rank's ends of two channels that the ranks of a file have beside their collective one. Questions go by one
// of them and answers by the other, so that a rank can ask while a thread of it answers.
#pragma once

#include <memory>

#include "comm/comm.h"

namespace weir::comm {

struct Line {
  // Each end is for one thread at a time.
  struct End {
    std::unique_ptr<Comm> questions;
    std::unique_ptr<Comm> answers;
  };
  End asking;
  End answering;

  // The ends of this rank, made by `channel`, which is called twice for each of two numbers.
  template <typename Channel>
  static Line of(const Channel& channel) {
    return {{channel(0), channel(1)}, {channel(0), channel(1)}};
  }
};

}  // namespace weir::comm
