#include "agent/failure_note.h"

#include <algorithm>
#include <string>

namespace weir::agent {

void FailureNote::write(const Status& failure, const sys::Waiting& how) {
  const sys::SharedLockGuard guard(lock_, how);
  const bool pending = std::ranges::any_of(pending_, [](const auto& audience) { return audience.load() != 0; });
  if (!pending) {
    error_class_ = failure.error_class();
    const std::size_t length = std::min(failure.text().size(), kTextBytes - 1);
    std::copy_n(failure.text().begin(), length, text_.begin());
    text_[length] = '\0';
  }
  for (auto& audience : pending_) audience.store(1, std::memory_order_release);
}

Status FailureNote::read(Audience audience, const sys::Waiting& how) {
  const sys::SharedLockGuard guard(lock_, how);
  if (pending_[static_cast<std::size_t>(audience)].exchange(0) == 0) return {};
  return {error_class_, std::string(text_.data())};
}

}  // namespace weir::agent
