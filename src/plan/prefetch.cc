#include "plan/prefetch.h"

#include <algorithm>

namespace weir::plan {

std::int64_t PrefetchPolicy::to_access() const { return std::clamp<std::int64_t>(held_, 1, max_acc_); }

std::int64_t PrefetchPolicy::accessed(std::int64_t ranges) {
  const std::int64_t released = std::min(held_, ranges);
  held_ -= released;
  return released;
}

}  // namespace weir::plan
