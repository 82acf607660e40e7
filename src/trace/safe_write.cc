#include "trace/safe_write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace weir::trace {

namespace {

// A write behind the limit on file sizes (ulimit -f) sends a signal that ends the program: not for what weir tells. It
// goes to this thread, so it is blocked here and taken away again, unless one was waiting for the program before.
ssize_t write_without_signal(int descriptor, std::string_view text, std::int64_t offset) {
  sigset_t size_signal;
  sigset_t before;
  sigset_t waiting;
  sigemptyset(&size_signal);
  sigaddset(&size_signal, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &size_signal, &before);
  sigpending(&waiting);
  const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), offset);
  const int error = errno;
  if (written < 0 && error == EFBIG && sigismember(&waiting, SIGXFSZ) == 0) {
    const timespec at_once = {};
    sigtimedwait(&size_signal, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

}  // namespace

Status write_all(int descriptor, std::string_view text, std::int64_t offset, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = write_without_signal(descriptor, text, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Status::from_errno(errno, "write", path);
    text.remove_prefix(static_cast<std::size_t>(written));
    offset += written;
  }
  return {};
}

NewFile::NewFile(std::string path) : path_(std::move(path)) {
  constexpr mode_t kPermissions = 0666;  // less the umask
  file_ = sys::UniqueFd(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, kPermissions));
  if (file_.get() >= 0) return;
  status_ = errno == EEXIST
                ? Status(ErrorClass::kFileExists, fmt::format("'{}' is there already; it was left alone", path_))
                : Status::from_errno(errno, "create", path_);
}

NewFile::~NewFile() {
  if (file_.get() >= 0 && !status_.ok()) ::unlink(path_.c_str());
}

void NewFile::append(std::string_view text) {
  if (!status_.ok()) return;
  status_ = write_all(file_.get(), text, bytes_, path_);
  bytes_ += std::ssize(text);
}

}  // namespace weir::trace
