#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

namespace weir::tool {

namespace {

using Clock = std::chrono::steady_clock;

// In the child: a process group of its own, so that a timeout also reaches what it started.
void redirect(int output, bool merge_errors) {
  setpgid(0, 0);
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(merge_errors ? output : null, STDERR_FILENO);
}

// Reads until the child closes its end; false when the time was up before.
bool collect(int from, Clock::time_point deadline, std::string& output) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd entry{from, POLLIN, 0};
    const int ready = left.count() > 0 ? poll(&entry, 1, static_cast<int>(left.count())) : 0;
    if (ready == 0) return false;
    if (ready < 0 && errno == EINTR) continue;
    char buffer[4096];
    const ssize_t bytes = read(from, buffer, sizeof buffer);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return true;
    output.append(buffer, static_cast<std::size_t>(bytes));
  }
}

void reap(pid_t child, ChildResult& result) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal_number = WTERMSIG(status);
}

}  // namespace

ChildResult run_forked(const std::function<int()>& body, const ChildOptions& options) {
  ChildResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    redirect(ends[1], options.merge_errors);
    close(ends[0]);
    close(ends[1]);
    const int code = body();
    std::fflush(nullptr);
    _exit(code);
  }
  close(ends[1]);
  if (child > 0) {
    result.started = true;
    result.timed_out = !collect(ends[0], Clock::now() + options.timeout, result.output);
    if (result.timed_out) kill(-child, SIGKILL);
    reap(child, result);
  }
  close(ends[0]);
  return result;
}

ChildResult run_command(const Words& command, const ChildOptions& options) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return run_forked(
      [&] {
        execvp(arguments[0], arguments.data());
        return 127;
      },
      options);
}

}  // namespace weir::tool
