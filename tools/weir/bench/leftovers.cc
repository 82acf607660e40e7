#include "bench/leftovers.h"

#include <signal.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <utility>

namespace weir::tool::bench {

namespace {

namespace fs = std::filesystem;

// The process of an entry of /proc; 0 for other entries.
pid_t process_of(const fs::path& entry) {
  const std::string name = entry.filename().string();
  return name.find_first_not_of("0123456789") == std::string::npos ? static_cast<pid_t>(std::stol(name)) : 0;
}

}  // namespace

void end_leftovers(const std::string& directory) {
  std::error_code error;
  const fs::path real = fs::canonical(directory, error);
  if (error) return;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
    const pid_t process = process_of(entry.path());
    std::error_code unreadable;  // it has ended, or belongs to somebody else
    if (process > 0 && fs::read_symlink(entry.path() / "cwd", unreadable) == real) kill(process, SIGKILL);
  }
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
