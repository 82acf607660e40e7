#include "programs/child.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace weir::programs {

namespace {

using Clock = std::chrono::steady_clock;

// Progress in memory that outlives the child.
class SharedProgress {
 public:
  SharedProgress() {
    void* memory = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    progress_ = new (memory) Progress;
  }
  ~SharedProgress() { ::munmap(progress_, sizeof(Progress)); }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;
  Progress& operator*() { return *progress_; }
  Progress* operator->() { return progress_; }

 private:
  Progress* progress_;
};

std::string read_all(int descriptor) {
  std::string text;
  char part[4096];
  for (ssize_t bytes = 0; (bytes = ::read(descriptor, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(bytes));
  }
  return text;
}

std::string steps_text(const Progress& progress) {
  std::string text = "steps of the ranks:";
  for (const volatile int& step : progress.steps) text += step >= 0 ? " " + std::to_string(step) : "";
  return text;
}

}  // namespace

ChildResult run_in_child(std::uint64_t first, std::uint64_t count, const ChildLimits& limits,
                         const std::function<std::string(std::uint64_t job, Progress& progress)>& job) {
  SharedProgress progress;
  int pipe_ends[2];
  if (::pipe(pipe_ends) != 0) std::abort();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto end = Clock::now() + std::chrono::duration<double>(limits.total_seconds);
    for (std::uint64_t i = 0; i < count && Clock::now() < end; ++i) {
      progress->job = first + i;
      for (volatile int& step : progress->steps) step = -1;
      ::alarm(limits.seconds);
      const std::string text = job(first + i, *progress);
      if (!text.empty()) {
        if (::write(pipe_ends[1], text.data(), text.size()) < 0) std::abort();
        ::_exit(1);
      }
      progress->jobs_done = progress->jobs_done + 1;
    }
    std::fflush(nullptr);
    ::_exit(0);
  }
  ::close(pipe_ends[1]);
  ChildResult result;
  result.text = read_all(pipe_ends[0]);
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  result.jobs_done = progress->jobs_done;
  result.job = progress->job;
  result.failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (WIFSIGNALED(status)) {
    result.hung = WTERMSIG(status) == SIGALRM;
    result.text +=
        (result.hung ? std::string("hangs; ") : "died of signal " + std::to_string(WTERMSIG(status)) + "; ") +
        steps_text(*progress);
  }
  return result;
}

}  // namespace weir::programs
