// Promise and SplitCall: accesses that were started and whose outcome is taken later.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "driver/file_driver.h"
#include "exec/independent/access.h"
#include "sys/latch.h"

namespace weir::exec {

// The outcome of an access that was started; who keeps it and who takes it both hold it. LOCAL; thread-safe.
class Promise {
 public:
  void keep(driver::IoOutcome outcome) {
    outcome_ = std::move(outcome);
    kept_.raise_to(1);
  }
  bool kept() const { return kept_.reached(1); }
  // Waits for it. To be called once.
  driver::IoOutcome take(sys::Company* company) {
    kept_.wait_for(1, {company, {"a call that this rank has started"}});
    return std::move(outcome_);
  }

 private:
  driver::IoOutcome outcome_;
  sys::Latch kept_{};
};

// Which function has begun.
struct SplitKind {
  Direction direction;
  Positioning positioning;
  bool operator==(const SplitKind&) const = default;
};

// The split collective call of a file: at most one at a time. LOCAL; thread-safe.
class SplitCall {
 public:
  // Null where one has begun already.
  std::shared_ptr<Promise> begin(SplitKind kind);
  // Null where none of the kind has begun.
  std::shared_ptr<Promise> end(SplitKind kind);
  bool active() const;

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::optional<SplitKind> kind_;
  std::shared_ptr<Promise> promise_;
};

}  // namespace weir::exec
