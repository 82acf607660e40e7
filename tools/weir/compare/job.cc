#include "compare/job.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

namespace weir::tool::compare {

namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kGrace{5000};  // for a launcher to end its ranks
constexpr int kCannotExecute = 127;

void redirect(const std::string& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file >= 0) dup2(file, descriptor);
}

// In the child: a process group of its own, which ends with its parent.
[[noreturn]] void execute(const Job& job, const sigset_t& mask) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  redirect(job.output, STDOUT_FILENO);
  redirect(job.errors, STDERR_FILENO);
  if (!job.directory.empty() && chdir(job.directory.c_str()) != 0) _exit(kCannotExecute);
  for (const auto& [name, value] : job.invocation.environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : job.invocation.words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(kCannotExecute);
}

// One child process; ended and reaped when this goes.
class Child {
 public:
  Child(pid_t pid, Signals& signals) : pid_(pid), signals_(signals) {}

  // True once it has ended. Stops waiting at the deadline, and on a signal to stop if `until_stopped`.
  bool wait(Clock::time_point deadline, bool until_stopped) {
    while (!reap()) {
      if (until_stopped && signals_.stopped()) return false;
      const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) return false;
      signals_.wait(left);
    }
    return true;
  }

  void end() {
    kill(-pid_, SIGTERM);
    if (!wait(Clock::now() + kGrace, false)) {
      kill(-pid_, SIGKILL);
      wait(Clock::now() + kGrace, false);
    }
  }

  int status() const { return status_; }

 private:
  bool reap() {
    if (!reaped_) reaped_ = waitpid(pid_, &status_, WNOHANG) == pid_;
    return reaped_;
  }

  pid_t pid_;
  Signals& signals_;
  int status_ = 0;
  bool reaped_ = false;
};

// The process of an entry of /proc; 0 for other entries.
pid_t process_of(const fs::path& entry) {
  const std::string name = entry.filename().string();
  return name.find_first_not_of("0123456789") == std::string::npos ? static_cast<pid_t>(std::stol(name)) : 0;
}

// False if there are none.
bool kill_processes_in(const fs::path& directory) {
  bool any = false;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
    const pid_t process = process_of(entry.path());
    std::error_code unreadable;  // it has ended, or belongs to somebody else
    if (process <= 0 || fs::read_symlink(entry.path() / "cwd", unreadable) != directory) continue;
    any = true;
    kill(process, SIGKILL);
  }
  return any;
}

}  // namespace

void end_leftovers(const std::string& directory) {
  constexpr int kMostPasses = 500;
  std::error_code error;
  const fs::path real = fs::canonical(directory, error);
  if (error) return;
  // A process that is killed takes a moment to go.
  for (int pass = 0; pass < kMostPasses && kill_processes_in(real); ++pass)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

Result<Scratch> Scratch::make(const std::string& parent) {
  std::string path = fs::absolute(parent).string() + "/weir-bench-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return Status::from_errno(errno, "make a directory in", parent);
  return Scratch(path);
}

Scratch::Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, "")) {}

Scratch::~Scratch() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}

Signals::Signals() {
  sigemptyset(&waiting_);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&waiting_, number);
  sigprocmask(SIG_BLOCK, &waiting_, &outer_);
}

Signals::~Signals() { sigprocmask(SIG_SETMASK, &outer_, nullptr); }

std::optional<int> Signals::wait(milliseconds patience) {
  const timespec time{patience.count() / 1000, patience.count() % 1000 * 1000000};
  const int number = sigtimedwait(&waiting_, nullptr, &time);
  if (number < 0) return std::nullopt;
  stopped_ = stopped_ || number != SIGCHLD;
  return number;
}

JobEnd run_job(const Job& job, Signals& signals) {
  JobEnd end;
  std::fflush(nullptr);
  const auto begin = Clock::now();
  const pid_t pid = fork();
  if (pid < 0) return end;
  if (pid == 0) execute(job, signals.outer_mask());
  Child child(pid, signals);
  const bool ended = child.wait(begin + job.timeout, true);
  end.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (!ended) {
    child.end();
    end.kind = signals.stopped() ? JobEnd::Kind::kStopped : JobEnd::Kind::kTimedOut;
  } else if (WIFEXITED(child.status())) {
    end.kind = JobEnd::Kind::kExited;
    end.code = WEXITSTATUS(child.status());
  } else {
    end.kind = JobEnd::Kind::kSignalled;
    end.code = WTERMSIG(child.status());
  }
  if (!job.directory.empty()) end_leftovers(job.directory);
  return end;
}

}  // namespace weir::tool::compare
