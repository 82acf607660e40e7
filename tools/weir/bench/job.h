// Starting a launcher and seeing to it that it ends, with all of its ranks, whatever happens.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>
#include <string>

#include "apply.h"

namespace weir::tool::bench {

// While it lives, signals that end a program (and those of children) wait to be asked for. Only one at a time.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // The next signal; nothing when `patience` is over.
  std::optional<int> wait(std::chrono::milliseconds patience);

  // True from the first signal on that asks this process to end.
  bool stopped() const { return stopped_; }

  // The signal mask from before, for children.
  const sigset_t& outer_mask() const { return outer_; }

 private:
  sigset_t waiting_{};
  sigset_t outer_{};
  bool stopped_ = false;
};

struct Job {
  Invocation invocation;
  std::string directory;  // where it starts; ranks that remain there are ended with it. Empty: the current one
  std::string output;     // files that take what it prints
  std::string errors;
  std::chrono::seconds timeout{60};
};

struct JobEnd {
  enum class Kind { kExited, kSignalled, kTimedOut, kStopped, kNotStarted };
  Kind kind = Kind::kNotStarted;
  int code = 0;  // exit code or signal number
  double seconds = 0;
};

// Runs the job to its end.
JobEnd run_job(const Job& job, Signals& signals);

}  // namespace weir::tool::bench
