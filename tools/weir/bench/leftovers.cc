#include "bench/leftovers.h"

#include <signal.h>
#include <stdlib.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

namespace weir::tool::bench {

namespace {

namespace fs = std::filesystem;

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

}  // namespace weir::tool::bench
