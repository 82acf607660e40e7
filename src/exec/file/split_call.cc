#include "exec/file/split_call.h"

namespace weir::exec {

std::shared_ptr<Promise> SplitCall::begin(SplitKind kind) {
  auto promise = std::make_shared<Promise>();
  std::scoped_lock lock(mutex_);
  if (kind_) return nullptr;
  kind_ = kind;
  promise_ = promise;
  return promise;
}

std::shared_ptr<Promise> SplitCall::end(SplitKind kind) {
  std::scoped_lock lock(mutex_);
  if (kind_ != kind) return nullptr;
  kind_.reset();
  return std::move(promise_);
}

bool SplitCall::active() const {
  std::scoped_lock lock(mutex_);
  return kind_.has_value();
}

}  // namespace weir::exec
