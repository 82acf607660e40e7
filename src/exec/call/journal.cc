#include "exec/call/journal.h"

#include <algorithm>

namespace weir::exec {

void Journal::add_not_followed(const hints::Changes& changes) {
  constexpr std::size_t kMostKept = 100;
  std::scoped_lock lock(mutex_);
  for (const hints::Change& change : changes) {
    const auto found = std::find(not_followed_.begin(), not_followed_.end(), change);
    if (found == not_followed_.end() && not_followed_.size() < kMostKept) not_followed_.push_back(change);
  }
}

void Journal::tell_not_followed(const hints::Changes& changes) {
  add_not_followed(changes);
  std::vector<std::string> notices;
  for (const hints::Change& change : changes) notices.push_back(hints::sentence(change));
  tell(notices);
}

void Journal::add(std::shared_ptr<const plan::Plan> plan, const trace::CallEnd& end) {
  std::scoped_lock lock(mutex_);
  calls_.add(std::move(plan), end);
}

void Journal::tell_replaced(const plan::Plan& plan) {
  constexpr std::size_t kMostTold = 16;  // a text may hold numbers that change from call to call
  if (!tell_) return;
  std::vector<std::string> notices;
  {
    std::scoped_lock lock(mutex_);
    for (const std::string& wish : plan.replaced) {
      std::string notice = "not as wished: " + wish;
      const bool told = std::find(told_.begin(), told_.end(), notice) != told_.end();
      if (told || told_.size() == kMostTold) continue;
      told_.push_back(notice);
      notices.push_back(std::move(notice));
    }
  }
  tell(notices);
}

hints::Changes Journal::not_followed() const {
  std::scoped_lock lock(mutex_);
  return not_followed_;
}

trace::CallLog Journal::calls() const {
  std::scoped_lock lock(mutex_);
  return calls_;
}

}  // namespace weir::exec
