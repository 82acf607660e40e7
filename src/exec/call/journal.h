// Journal: what became of the calls on one file, for its report and for its user.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hints/apply.h"
#include "plan/plan.h"
#include "trace/call_log.h"

namespace weir::exec {

// Tells the user; may be called from any thread. May be empty.
using Tell = std::function<void(const std::vector<std::string>&)>;

// LOCAL; thread-safe.
class Journal {
 public:
  explicit Journal(Tell tell) : tell_(std::move(tell)) {}

  // Hints that did not come into force. Programs may give the same again and again.
  void add_not_followed(const hints::Changes& changes);
  // The same, and tells the user.
  void tell_not_followed(const hints::Changes& changes);
  // A collective call.
  void add(std::shared_ptr<const plan::Plan> plan, const trace::CallEnd& end);
  void tell(const std::vector<std::string>& lines) const {
    if (tell_ && !lines.empty()) tell_(lines);
  }
  // Tells what a plan has instead of what hints wish for, each thing once.
  void tell_replaced(const plan::Plan& plan);

  hints::Changes not_followed() const;
  trace::CallLog calls() const;

 private:
  const Tell tell_;
  mutable std::mutex mutex_;  // guards what follows
  trace::CallLog calls_;
  hints::Changes not_followed_;
  std::vector<std::string> told_;
};

}  // namespace weir::exec
