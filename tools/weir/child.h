// Runs something in a child process and collects what it prints.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "words.h"

namespace weir::tool {

struct ChildResult {
  bool started = false;
  bool timed_out = false;
  int exit_code = -1;     // -1 when a signal ended it
  int signal_number = 0;  // that signal
  std::string output;     // standard output; standard error too when asked for

  bool succeeded() const { return started && !timed_out && exit_code == 0; }
};

struct ChildOptions {
  std::chrono::seconds timeout{10};  // then the child's process group is killed
  bool merge_errors = false;         // standard error goes to `output` instead of /dev/null
};

// Runs `command`, found along PATH. Standard input is /dev/null. A program that cannot be run exits
// with 127.
ChildResult run_command(const Words& command, const ChildOptions& options = {});

// Runs `body` in a forked copy of this process; it may print and crash as it likes. Its result is
// the exit code.
ChildResult run_forked(const std::function<int()>& body, const ChildOptions& options = {});

}  // namespace weir::tool
