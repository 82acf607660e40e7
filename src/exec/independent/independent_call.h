// IndependentCall: the accesses that one rank makes for itself.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "driver/file_driver.h"
#include "exec/independent/access.h"
#include "plan/access_method.h"
#include "trace/counters.h"

namespace weir::exec {

// Of one file. LOCAL; thread-safe.
class IndependentCall {
 public:
  // File and counters outlive it.
  IndependentCall(std::string path, driver::File& file, trace::Counters& counters)
      : path_(std::move(path)), file_(file), counters_(counters) {}

  void set_rules(const plan::AccessRules& rules);
  // Moves the bytes of an access and counts it as a call.
  driver::IoOutcome run(const Access& access);
  // Moves the bytes alone. A lack of memory is a failure like any other.
  driver::IoOutcome move(const Access& access);
  // How the last one was done.
  std::optional<plan::AccessChoice> last_choice() const;

 private:
  driver::IoOutcome move_requests(const Access& access);
  plan::AccessRules rules() const;

  const std::string path_;
  driver::File& file_;
  trace::Counters& counters_;
  mutable std::mutex mutex_;  // guards what follows
  plan::AccessRules rules_;
  std::optional<plan::AccessChoice> last_choice_;
};

// Counts a call, of either kind.
void count_call(trace::Counters& counters, const Access& access, const driver::IoOutcome& outcome);

}  // namespace weir::exec
