// Starting a launcher and seeing to it that it ends, with all of its ranks, whatever happens; and that nothing stays
// behind.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "apply.h"
#include "base/status.h"

namespace weir::tool::compare {

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

// Ends all processes whose current directory is `directory`: ranks that a launcher did not end.
void end_leftovers(const std::string& directory);

// A new directory, removed with all that is in it.
class Scratch {
 public:
  // Failure: it cannot be made in `parent`; says why.
  static Result<Scratch> make(const std::string& parent);

  Scratch(Scratch&& other) noexcept;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace weir::tool::compare
