#include "trace/report_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>

#include "sys/unique_fd.h"
#include "sys/waiting.h"
#include "trace/safe_write.h"
#include "weir/version.h"

namespace weir::trace {

namespace {

// A document begins and ends with these. The next entry is written over the end, followed by the same end: it takes
// one system call to get from one valid document to the next.
constexpr std::string_view kBegin = "{\"weir\": \"";
constexpr std::string_view kEnd = "\n]}\n";

// Nobody holds the lock for longer than a write takes; a report is not worth waiting longer.
constexpr int kLockTries = 500;
constexpr auto kLockPause = std::chrono::milliseconds(10);

Status failed(std::string_view what, const std::string& path) { return Status::from_errno(errno, what, path); }

// File systems without locks are used without: there, only files that different ranks close at the same moment are in
// danger.
Status lock(int descriptor, const std::string& path) {
  for (int i = 0; i < kLockTries; ++i) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return {};
    if (errno == ENOSYS || errno == ENOLCK || errno == EOPNOTSUPP) return {};
    if (errno != EWOULDBLOCK && errno != EINTR) return failed("lock", path);
    sys::sleep_for(kLockPause);
  }
  return {ErrorClass::kFileInUse, fmt::format("'{}' is locked by another process", path)};
}

// Whether everybody may put files there, as in /tmp.
bool is_open_to_all(const std::string& directory) {
  struct stat facts = {};
  return ::stat(directory.c_str(), &facts) == 0 && (facts.st_mode & S_ISVTX) != 0 && (facts.st_mode & S_IWOTH) != 0;
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// A file that another user has put where everybody may is not written to.
Status check_trusted(int descriptor, const std::string& path) {
  struct stat facts = {};
  if (::fstat(descriptor, &facts) != 0) return failed("stat", path);
  if (!S_ISREG(facts.st_mode)) return {ErrorClass::kBadFile, fmt::format("'{}' is no regular file", path)};
  if (facts.st_uid == ::geteuid() || !is_open_to_all(directory_of(path))) return {};
  return {ErrorClass::kAccess,
          fmt::format("'{}' belongs to another user, in a directory where everybody may put files; it was left alone",
                      path)};
}

bool holds(int descriptor, std::int64_t offset, std::string_view text) {
  std::string found(text.size(), '\0');
  return ::pread(descriptor, found.data(), found.size(), offset) == static_cast<ssize_t>(text.size()) && found == text;
}

// Bytes that were there before are written over again: that needs no space.
Status restore(int descriptor, std::int64_t bytes, const std::string& path) {
  if (::ftruncate(descriptor, bytes) != 0) return failed("truncate", path);
  if (bytes == 0) return {};
  return write_all(descriptor, kEnd, bytes - std::ssize(kEnd), path);
}

Status add_locked(int descriptor, const std::string& path, const std::string& entry) {
  struct stat facts = {};
  if (::fstat(descriptor, &facts) != 0) return failed("stat", path);
  const std::int64_t bytes = facts.st_size;
  const std::int64_t place = bytes - std::ssize(kEnd);
  std::string text;
  if (bytes == 0) {
    text = fmt::format("{}{}\", \"files\": [\n", kBegin, WEIR_VERSION);
  } else if (place > std::ssize(kBegin) && holds(descriptor, 0, kBegin) && holds(descriptor, place, kEnd)) {
    text = ",\n";
  } else {
    return {ErrorClass::kFileExists, fmt::format("'{}' is no report of weir's; it was left alone", path)};
  }
  text += entry;
  text += kEnd;
  Status status = write_all(descriptor, text, bytes == 0 ? 0 : place, path);
  if (!status.ok()) restore(descriptor, bytes, path).ignore();  // the first failure is what the user hears of
  return status;
}

}  // namespace

Status add_to_report_file(const std::string& path, const std::string& entry) {
  constexpr mode_t kPermissions = 0666;  // less the umask
  const sys::UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, kPermissions));
  if (file.get() < 0 && errno == ELOOP) {
    return {ErrorClass::kBadFile,
            fmt::format("'{}' is a symbolic link, which somebody else may have put there: name the "
                        "file itself",
                        path)};
  }
  if (file.get() < 0) return failed("open", path);
  Status status = check_trusted(file.get(), path);
  if (!status.ok()) return status;
  status = lock(file.get(), path);
  if (!status.ok()) return status;
  return add_locked(file.get(), path, entry);
}

}  // namespace weir::trace
