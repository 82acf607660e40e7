// Keepsake: what a layer above leaves with a group of ranks; it goes with the group.
#pragma once

#include <memory>
#include <mutex>

namespace weir::comm {

class Keepsake {
 public:
  virtual ~Keepsake() = default;
};

// Room for one. LOCAL; thread-safe.
class KeepsakePlace {
 public:
  // What is there; made the first time. REQUIRES the same T every time.
  template <typename T>
  std::shared_ptr<T> get() {
    std::scoped_lock lock(mutex_);
    if (!kept_) kept_ = std::make_shared<T>();
    return std::dynamic_pointer_cast<T>(kept_);
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<Keepsake> kept_;
};

}  // namespace weir::comm
