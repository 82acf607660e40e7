// Gate: something that others wait for.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace weir::sim {

class Gate {
 public:
  // Calls `action` when the gate is open: now, or once it opens, in the order in which they came.
  void when_open(std::function<void()> action) {
    if (open_) {
      action();
    } else {
      waiting_.push_back(std::move(action));
    }
  }
  void open() {
    open_ = true;
    const std::vector<std::function<void()>> ready = std::exchange(waiting_, {});
    for (const auto& action : ready) action();
  }

 private:
  bool open_ = false;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace weir::sim
